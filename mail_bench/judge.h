// From figures to a verdict. Pure: figures in, sentences out, by the rules of docs/terms.md.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "core/judgement.h"
#include "mail_bench/iteration.h"
#include "mail_bench/mail_plan.h"

namespace scalemark::mail {

/// The classes of the ledger that fail a run: what a mail service must never do to a message.
[[nodiscard]] std::vector<std::string_view> misdeed_names();

/// What the figures of an iteration say against it. Requirements are judge_run()'s.
[[nodiscard]] Findings findings_of(const IterationFigures& figures, const MailPlan& plan);

/// The run's score: operations per hour of the median iteration; NaN when there is none.
[[nodiscard]] Score score_of(const std::vector<IterationFigures>& iterations);

/// The run's verdict: what speaks against any of its iterations, and the plan's requirements in the median
/// one.
[[nodiscard]] Verdict judge_run(const std::vector<IterationFigures>& iterations, const MailPlan& plan,
                                bool interrupted);

}  // namespace scalemark::mail

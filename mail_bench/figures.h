// From the books of an iteration to its figures. Pure: a merged tally in, figures out, by docs/terms.md.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/phases.h"
#include "mail_bench/account.h"
#include "mail_bench/iteration.h"
#include "mail_bench/mail_plan.h"

namespace scalemark::mail {

/// Figures of an iteration, and what speaks against it, except for what the process as a whole adds (memory,
/// descriptors, ports: the caller's). `generator_faults` are sentences about what broke in the generator;
/// they void the iteration.
[[nodiscard]] IterationFigures figures_of(const Tally& tally, const MailPlan& plan, const Schedule& schedule,
                                          std::uint32_t number,
                                          std::vector<std::string> generator_faults = {});

}  // namespace scalemark::mail

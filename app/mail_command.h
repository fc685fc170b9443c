// `scalemark mail`: one mail run, from its options to its exit code.
#pragma once

#include <functional>
#include <memory>

#include "app/command.h"
#include "core/run_record.h"
#include "mail_bench/run.h"

namespace scalemark::app {

/// What does the measuring: mail::run, or a stand-in.
using MailRunner = std::function<RunRecord(const mail::MailPlan&, const RunHooks&)>;

[[nodiscard]] std::unique_ptr<Command> make_mail_command();
[[nodiscard]] std::unique_ptr<Command> make_mail_command(MailRunner runner);

}  // namespace scalemark::app

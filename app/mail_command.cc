#include "app/mail_command.h"

#include <utility>

#include "app/workload_command.h"
#include "study/mail_workload.h"

namespace scalemark::app {
namespace {

constexpr const char* kMailExamples =
    "  scalemark mail --smtp 10.0.0.1:25 --pop3 10.0.0.1:110 --accounts accounts.txt\n"
    "  scalemark mail --smtp 10.0.0.1:25 --pop3 10.0.0.1:110 --accounts accounts.txt \\\n"
    "      --users 96 --message-size 2K --profile full --json full.json\n"
    "  scalemark mail --smtp '[::1]:587' --pop3 '[::1]:995' --smtp-tls required \\\n"
    "      --pop3-tls implicit --smtp-auth plain \\\n"
    "      --addresses 'user{0001..0096}@example.test' --passwords secret\n"
    "  scalemark mail --config mail.toml --arrivals 20000 --require 'operation_p99<2s'\n"
    "  scalemark mail --config mail.toml --search --search-from 12 --require 'operation_p99<2s'\n"
    "  scalemark mail --testbed mail --users 24\n"
    "  scalemark mail --config mail.toml --print-plan\n";

CommandInfo mail_info() {
  return {
      .words = "mail",
      .table = "mail",
      .summary = "measure how many mail operations an hour a service carries",
      .about =
          "Simulates users who never idle: each sends a message to itself over SMTP, fetches it over POP3, "
          "deletes it, and goes on. A message that was delivered and came back whole, and whose deletion "
          "was committed, is an operation; what became of every other message is accounted for. Mailboxes "
          "are emptied first. Times are written as 20s, 250ms or 5m, shares as 95% or 0.95; [ ] holds the "
          "default.",
      .examples = kMailExamples,
      .by_place = {}};
}

}  // namespace

std::unique_ptr<Command> make_mail_command() {
  return make_workload_command(mail_info(), study::make_workload(testbed::ServiceKind::mail), run_workload);
}

std::unique_ptr<Command> make_mail_command(MailRunner runner) {
  return make_workload_command(
      mail_info(), study::make_workload(testbed::ServiceKind::mail),
      [runner = std::move(runner)](const study::Workload& workload, const RunHooks& hooks) {
        return runner(study::mail_plan(workload), hooks);
      });
}

}  // namespace scalemark::app

#include "app/mail_command.h"

#include <fmt/format.h>

#include <utility>

#include "app/mail_plan_options.h"
#include "app/run_measurement.h"
#include "core/text.h"
#include "core/units.h"

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
    "  scalemark mail --config mail.toml --print-plan\n";

std::string opening_text(const mail::MailPlan& plan) {
  return fmt::format("{} on SMTP {} and POP3 {}, {} x {} measured, about {} in all",
                     counted(plan.users, "user"), fmt::join(plan.smtp, ", "), fmt::join(plan.pop3, ", "),
                     plan.iterations, format_duration(plan.phases.window),
                     human_duration(mail::planned_time(plan)));
}

class MailCommand final : public Command {
 public:
  explicit MailCommand(MailRunner runner) : plan_(default_mail_plan()), runner_(std::move(runner)) {}

  [[nodiscard]] CommandInfo info() const override {
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
  [[nodiscard]] Settings settings() override { return mail::mail_settings(plan_); }
  void apply(const std::vector<Given>& given) override { apply_to_mail_plan(plan_, settings(), given); }
  void check() const override { mail::check(plan_); }

  int run(Console& console) override {
    return measure_and_write(choose_outputs("mail", plan_.json, plan_.csv, utc_now()), console,
                             [this](LiveLine& line) {
                               line.notice(opening_text(plan_));
                               return runner_(plan_, hooks_to(line));
                             });
  }

 private:
  mail::MailPlan plan_;
  MailRunner runner_;
};

}  // namespace

std::unique_ptr<Command> make_mail_command() {
  return make_mail_command(mail::run);
}

std::unique_ptr<Command> make_mail_command(MailRunner runner) {
  return std::make_unique<MailCommand>(std::move(runner));
}

}  // namespace scalemark::app

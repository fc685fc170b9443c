#include "app/mailboxes_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "analysis/table.h"
#include "analysis/text.h"
#include "app/mail_plan_options.h"
#include "app/stop_signals.h"
#include "app/terminal.h"
#include "core/clock.h"
#include "core/error.h"
#include "core/setting_types.h"
#include "core/text.h"

namespace scalemark::app {
namespace {

using mail::MailboxState;

constexpr const char* kMailboxesGroup = "Mailboxes";
constexpr int kColumnWidth = 100;  // where there is no terminal
constexpr std::uint32_t kMostUsers = 1'000'000;

constexpr const char* kMailboxesExamples =
    "  scalemark mailboxes --pop3 10.0.0.1:110 --accounts accounts.txt\n"
    "  scalemark mailboxes --pop3 10.0.0.1:110 --accounts accounts.txt --users 96 --empty\n";

std::string table_of(const std::vector<MailboxState>& states, int width) {
  analysis::Table table({{.name = "address", .left = true},
                         {.name = "messages"},
                         {.name = "deleted"},
                         {.name = "fault", .left = true, .words = true}});
  constexpr int kOthers = 50;
  for (const MailboxState& state : states) {
    const auto count = [&state](std::uint32_t value) {
      return state.reached ? analysis::count_text(value) : std::string("-");
    };
    table.add({analysis::printable(state.address), count(state.messages), count(state.deleted),
               analysis::printable(state.fault, static_cast<std::size_t>(std::max(width - kOthers, 20)))});
  }
  return table.text(width, 0);
}

std::string totals_of(const std::vector<MailboxState>& states) {
  std::uint64_t messages = 0;
  std::uint64_t deleted = 0;
  std::uint64_t unreached = 0;
  for (const MailboxState& state : states) {
    messages += state.reached ? state.messages : 0;
    deleted += state.reached ? state.deleted : 0;
    unreached += state.reached ? 0 : 1;
  }
  return fmt::format("{}: {} message{}, {} deleted; {} could not be reached\n",
                     counted(states.size(), "mailbox", "mailboxes"), analysis::count_text(messages),
                     messages == 1 ? "" : "s", analysis::count_text(deleted), unreached);
}

class MailboxesCommand final : public Command {
 public:
  explicit MailboxesCommand(MailboxVisitor visitor)
      : plan_(default_mail_plan()), visitor_(std::move(visitor)) {}

  [[nodiscard]] CommandInfo info() const override {
    return {.words = "mailboxes",
            .table = "mailboxes",
            .summary = "look into the mailboxes of a mail run, or empty them",
            .about =
                "Logs in to every account over POP3 and says how many messages each mailbox holds; with "
                "--empty it deletes them all, without fetching them. Ends with 1 when a mailbox could not "
                "be reached.",
            .examples = kMailboxesExamples,
            .by_place = {}};
  }
  [[nodiscard]] Settings settings() override {
    Settings settings = mail::mail_access_settings(plan_);
    settings.push_back(flag_setting("empty", "delete what the mailboxes hold", kMailboxesGroup, empty_));
    settings.push_back(count_setting("users", "only so many accounts, the first ones; 0: all",
                                     kMailboxesGroup, users_, 0, kMostUsers));
    settings.push_back(count_setting("at-once", "mailboxes that are visited at the same time",
                                     kMailboxesGroup, at_once_, 1, 10'000));
    return settings;
  }
  void apply(const std::vector<Given>& given) override { apply_to_mail_plan(plan_, settings(), given); }
  void check() const override { mail::check_access(plan_); }

  int run(Console& console) override {
    plan_.users = users_;
    const auto accounts = users_ == 0 ? mail::all_accounts(plan_) : mail::accounts_of(plan_);
    const StopSignals signals;
    try {
      const auto states = visit(accounts, console);
      const int width = console.out_is_terminal ? console.width : kColumnWidth;
      console.out << table_of(states, width) << "\n" << totals_of(states);
      const bool all =
          std::all_of(states.begin(), states.end(), [](const MailboxState& state) { return state.reached; });
      return all ? kExitOk : kExitCouldNotRun;
    } catch (const RunError& error) {
      if (!StopSignals::stopped()) {
        throw;
      }
      console.err << "scalemark: interrupted: " << error.what() << "\n";
      return kExitInterrupted;
    }
  }

 private:
  [[nodiscard]] std::vector<MailboxState> visit(const std::vector<mail::Account>& accounts,
                                                Console& console) const {
    const SteadyClock clock;
    LiveLine line(console, clock);
    return visitor_(plan_, accounts, empty_, at_once_, &StopSignals::stopped(),
                    [&line](std::size_t done, std::size_t of) {
                      line.show(fmt::format("{} of {}", done, counted(of, "mailbox", "mailboxes")));
                    });
  }

  mail::MailPlan plan_;
  bool empty_ = false;
  std::uint32_t users_ = 0;
  std::uint32_t at_once_ = 32;
  MailboxVisitor visitor_;
};

}  // namespace

std::unique_ptr<Command> make_mailboxes_command() {
  return make_mailboxes_command(mail::visit_mailboxes);
}

std::unique_ptr<Command> make_mailboxes_command(MailboxVisitor visitor) {
  return std::make_unique<MailboxesCommand>(std::move(visitor));
}

}  // namespace scalemark::app

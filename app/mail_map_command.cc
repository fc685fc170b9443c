#include "app/mail_map_command.h"

#include <fmt/format.h>

#include "app/stop_signals.h"
#include "core/error.h"
#include "core/setting_types.h"
#include "core/text.h"
#include "testbed/mail_map_server.h"

namespace scalemark::app {
namespace {

using testbed::MailMapOutcome;

constexpr const char* kGroup = "Mail map";

void stop_map(void* map) {
  static_cast<testbed::MailMapServer*>(map)->stop();
}

/// "12 look-ups: 10 found, 1 unknown, 0 wrong password, 1 temporary failure (database away 1)".
std::string farewell(const testbed::MailMapCounters& done) {
  std::uint64_t look_ups = 0;
  std::uint64_t failures = 0;
  std::string causes;
  for (std::size_t i = 0; i < testbed::kMailMapOutcomes; ++i) {
    const auto outcome = static_cast<MailMapOutcome>(i);
    const std::uint64_t count = done[outcome];
    look_ups += outcome == MailMapOutcome::refused ? 0 : count;
    if (testbed::is_temporary(outcome) && count > 0) {
      failures += count;
      causes += fmt::format("{}{} {}", causes.empty() ? "" : ", ", words_of(outcome), count);
    }
  }
  std::string text =
      fmt::format("{}: {} found, {} unknown, {} wrong password, {}", counted(look_ups, "look-up"),
                  done[MailMapOutcome::found], done[MailMapOutcome::unknown],
                  done[MailMapOutcome::wrong_password], counted(failures, "temporary failure"));
  if (!causes.empty()) {
    text += " (" + causes + ")";
  }
  if (const std::uint64_t refused = done[MailMapOutcome::refused]; refused > 0) {
    text += fmt::format("; {} not understood", counted(refused, "question"));
  }
  return text + "\n";
}

class MailMapCommand final : public Command {
 public:
  [[nodiscard]] CommandInfo info() const override {
    return {
        .words = "mail-map",
        .table = "mail-map",
        .summary = "tell nginx's mail proxy which node holds a mailbox, from PostgreSQL",
        .about =
            "What nginx's mail proxy asks with auth_http. The database holds a table mailboxes(name text "
            "primary key, password text not null, node inet not null), names in lower case. While it is away "
            "or slow the proxy is told of a temporary failure; the map goes on by itself when it is back. "
            "The "
            "first line printed is where it listens; Ctrl-C ends it.",
        .examples =
            "  scalemark mail-map --database \"host=/run/postgresql dbname=mail user=mailmap\"\n"
            "  scalemark mail-map --listen 127.0.0.1:9000 --connections 8 --time-out 500ms \\\n"
            "    --database \"host=/tmp/pg port=5499 dbname=mail user=mailmap\"\n",
        .by_place = {}};
  }
  [[nodiscard]] Settings settings() override {
    constexpr std::uint32_t kLastPort = 65'535;
    return {text_setting("listen", "address and port; port 0 takes a free one", kGroup, plan_.listen,
                         "ADDR:PORT"),
            text_setting("database", "how to reach it, as PostgreSQL's own clients take it", kGroup,
                         plan_.database.database, "WORDS"),
            count_setting("connections", "to the database, never more", kGroup, plan_.database.connections, 1,
                          1000),
            duration_setting("time-out", "of a look-up, waiting and connecting included", kGroup,
                             plan_.database.time_out, std::chrono::milliseconds(1), std::chrono::hours(1)),
            count_setting("waiting", "look-ups that may wait for a connection", kGroup,
                          plan_.database.waiting, 0, 1'000'000),
            count_setting("smtp-port", "of the nodes", kGroup, plan_.ports.smtp, 1, kLastPort),
            count_setting("pop3-port", "of the nodes", kGroup, plan_.ports.pop3, 1, kLastPort)};
  }
  void check() const override {
    if (plan_.database.database.empty()) {
      throw UsageError(
          "no database is named; say which, as in --database \"host=/run/postgresql dbname=mail "
          "user=mailmap\"");
    }
  }

  int run(Console& console) override {
    plan_.notice = [&console](const std::string& line) { console.err << "scalemark: " << line << std::endl; };
    testbed::MailMapServer map(plan_);
    {
      const StopSignals signals(stop_map, &map);
      console.out << map.address() << std::endl;  // flushed: whoever started us waits for it
      map.run();
    }
    console.out << farewell(map.counters());
    return kExitOk;
  }

 private:
  testbed::MailMapPlan plan_;
};

}  // namespace

std::unique_ptr<Command> make_mail_map_command() {
  return std::make_unique<MailMapCommand>();
}

}  // namespace scalemark::app

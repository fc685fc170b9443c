#include "app/mail_sink_command.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <limits>

#include "app/stop_signals.h"
#include "core/error.h"
#include "core/setting_types.h"
#include "core/text.h"
#include "mail_bench/accounts.h"
#include "testbed/mail_sink.h"

namespace scalemark::app {
namespace {

constexpr const char* kSinkGroup = "Mail sink";
constexpr std::array<std::pair<char, unsigned>, 3> kUnits = {{{'G', 30}, {'M', 20}, {'K', 10}}};  // 2^...

/// "1G", "512M", "65536"; above 0.
std::uint64_t parse_memory(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  unsigned shift = 0;
  bool known = unit.empty();
  for (const auto& [name, power] : kUnits) {
    if (unit.size() == 1 && unit[0] == name) {
      shift = power;
      known = true;
    }
  }
  if (fault != std::errc{} || !known || number == 0 ||
      number > std::numeric_limits<std::uint64_t>::max() >> shift) {
    throw UsageError(
        fmt::format("--max-memory: '{}' is no size above 0; write bytes, or K, M or G of them (1 K = 1,024), "
                    "as in 512M",
                    text));
  }
  return number << shift;
}

std::string format_memory(std::uint64_t bytes) {
  for (const auto& [name, power] : kUnits) {
    if (bytes % (std::uint64_t{1} << power) == 0) {
      return fmt::format("{}{}", bytes >> power, name);
    }
  }
  return std::to_string(bytes);
}

Setting memory_setting(std::uint64_t& field) {
  Setting setting;
  setting.name = "max-memory";
  setting.hint = "SIZE";
  setting.help = "messages beyond it are refused with 452";
  setting.group = kSinkGroup;
  setting.set = [&field](const std::vector<std::string>& texts) { field = parse_memory(texts.at(0)); };
  setting.get = [&field] { return std::vector<std::string>{format_memory(field)}; };
  return setting;
}

void stop_sink(void* sink) {
  static_cast<testbed::MailSink*>(sink)->stop();
}

std::string farewell(const testbed::MailSinkPlan& plan, const testbed::MailSinkCounters& done) {
  std::string text =
      fmt::format("received {}, {}", counted(done.messages, "message"), human_bytes(done.message_octets));
  if (plan.discard) {
    return text + ", and threw them away\n";
  }
  text +=
      fmt::format("; retrieved {}, deleted {}; {} in mailboxes\n", done.retrieved, done.deleted, done.kept);
  if (done.refused_messages > 0) {
    text += fmt::format("refused {} for want of memory\n", counted(done.refused_messages, "message"));
  }
  return text;
}

class MailSinkCommand final : public Command {
 public:
  [[nodiscard]] CommandInfo info() const override {
    return {
        .words = "mail-sink",
        .table = "mail-sink",
        .summary = "serve mail from this process: SMTP in, POP3 out, all in memory",
        .about =
            "A small mail server to measure when there is no other, to see what the load generator itself "
            "can do, and to test clients with. Any address has a mailbox and any password opens it, unless "
            "there is a file of accounts. The first lines printed are where it listens; Ctrl-C ends it. "
            "Messages are kept in memory and are gone then.",
        .examples =
            "  scalemark mail-sink\n"
            "  scalemark mail-sink --smtp 127.0.0.1:0 --pop3 127.0.0.1:0 --log mail.log\n"
            "  scalemark mail-sink --accounts accounts.txt --auth --visible-after 2s\n"
            "  scalemark mail-sink --discard\n",
        .by_place = {}};
  }
  [[nodiscard]] Settings settings() override {
    return {
        text_setting("smtp", "where SMTP listens; port 0 takes a free one", kSinkGroup, plan_.smtp,
                     "ADDR:PORT"),
        text_setting("pop3", "where POP3 listens", kSinkGroup, plan_.pop3, "ADDR:PORT"),
        text_setting("accounts", "the mailboxes there are: address, password, node and login on a line",
                     kSinkGroup, accounts_, "FILE"),
        text_setting("name", "the server's name in greetings and Received lines", kSinkGroup, plan_.name,
                     "NAME"),
        flag_setting("auth", "SMTP takes mail from those only who have logged in", kSinkGroup, plan_.auth),
        flag_setting("discard", "SMTP alone: messages are received whole and thrown away", kSinkGroup,
                     plan_.discard),
        memory_setting(plan_.max_memory),
        duration_setting("visible-after", "time from a message's 250 until POP3 shows it", kSinkGroup,
                         plan_.visible_after, Duration::zero(), std::chrono::hours(24)),
        text_setting("log", "append a line for each delivery, retrieval and deletion to this file",
                     kSinkGroup, plan_.log, "FILE")};
  }

  int run(Console& console) override {
    plan_.accounts.clear();
    if (!accounts_.empty()) {
      for (const mail::Account& account : mail::read_accounts(accounts_)) {
        plan_.accounts.push_back({account.address, account.login, account.password});
      }
    }
    testbed::MailSink sink(plan_);
    {
      const StopSignals signals(stop_sink, &sink);
      console.out << "smtp " << sink.smtp_address() << "\n";
      if (!plan_.discard) {
        console.out << "pop3 " << sink.pop3_address() << "\n";
      }
      console.out << std::flush;  // whoever started us waits for it
      sink.run();
    }
    console.out << farewell(plan_, sink.counters());
    return kExitOk;
  }

 private:
  std::string accounts_;
  testbed::MailSinkPlan plan_;
};

}  // namespace

std::unique_ptr<Command> make_mail_sink_command() {
  return std::make_unique<MailSinkCommand>();
}

}  // namespace scalemark::app

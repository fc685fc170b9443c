// Sends messages by SMTP as fast as they are taken, with the sessions of the mail benchmark and nothing above
// them: the counterpart of Postfix's smtp-source for bench/mail_peers.
//
//   scalemark_smtp_sender HOST:PORT MESSAGES SESSIONS SIZE new|reuse
//
// One thread. `new` opens a connection for each message, `reuse` keeps each session's. The first failure ends
// it.
#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "core/address.h"
#include "core/error.h"
#include "core/event_loop.h"
#include "core/units.h"
#include "filesets/mail_corpus.h"
#include "filesets/mail_message.h"
#include "mail_bench/smtp_session.h"

namespace scalemark {
namespace {

constexpr std::uint64_t kMost = 1'000'000'000;
constexpr std::string_view kSender = "sender@client.test";
constexpr std::string_view kRecipient = "recipient@sink.test";

struct Job {
  mail::Stream::Peer peer;
  std::uint64_t messages = 0;
  std::uint64_t sessions = 0;
  std::string size;
  bool reuse = false;
};

Job read_job(const std::vector<std::string>& words) {
  if (words.size() != 5 || (words[4] != "new" && words[4] != "reuse")) {
    throw UsageError("usage: scalemark_smtp_sender HOST:PORT MESSAGES SESSIONS SIZE new|reuse");
  }
  const auto at = split_host_and_port(words[0]);
  if (!at) {
    throw UsageError(fmt::format("'{}' is no host and port; write it as in 127.0.0.1:25", words[0]));
  }
  return {.peer = {resolve_address(at->host, at->port, words[0]), at->host},
          .messages = parse_count(words[1], "messages", 1, kMost),
          .sessions = parse_count(words[2], "sessions", 1, kMost),
          .size = words[3],
          .reuse = words[4] == "reuse"};
}

class NoTimes final : public mail::StepTimes {
 public:
  void on_step(mail::Step /*step*/, Duration /*took*/) override {}
};

/// What all sessions share.
class Sending {
 public:
  explicit Sending(const Job& job)
      : corpus_(filesets::parse_mail_sizes(job.size), 1), left_(job.messages), reuse_(job.reuse) {}

  class Sender;
  void run(const Job& job);

 private:
  EventLoop loop_;
  SteadyClock clock_;
  filesets::MailCorpus corpus_;
  Random random_{1};
  mail::SmtpSettings settings_;
  NoTimes times_;
  std::uint64_t left_;
  std::uint64_t number_ = 0;
  std::uint64_t busy_ = 0;
  bool reuse_;
};

class Sending::Sender final : public mail::SmtpEvents {
 public:
  Sender(Sending& all, const mail::Stream::Peer& peer)
      : all_(all), session_({all.loop_.base(), all.clock_, all.settings_, peer, nullptr, *this, all.times_}) {
    ++all_.busy_;
    next();
  }

  void on_smtp_end(const mail::SmtpResult& result) override {
    all_.loop_.guard([this, &result] {
      if (result.outcome != Outcome::good) {
        throw RunError(fmt::format("a message was not taken: {} {}", result.code, result.words));
      }
      if (all_.reuse_ && all_.left_ > 0) {
        next();
      } else {
        session_.quit();
      }
    });
  }
  void on_smtp_closed() override { next(); }
  void sweep(TimePoint now) { session_.sweep(now); }

 private:
  void next() {
    if (all_.left_ == 0) {
      if (--all_.busy_ == 0) {
        all_.loop_.stop();
      }
      return;
    }
    --all_.left_;
    text_.clear();
    filesets::append_message(
        text_, {.identity = {1, all_.number_++}, .sender = kSender, .recipient = kRecipient, .node = {}},
        all_.corpus_.draw(all_.random_));
    session_.send({kSender, kRecipient, text_}, {});
  }

  Sending& all_;
  std::string text_;
  mail::SmtpSession session_;
};

void Sending::run(const Job& job) {
  std::vector<std::unique_ptr<Sender>> senders;
  for (std::uint64_t i = 0; i < job.sessions && left_ > 0; ++i) {
    senders.push_back(std::make_unique<Sender>(*this, job.peer));
  }
  Timer sweep(loop_, [&] {
    for (const auto& sender : senders) {
      sender->sweep(clock_.now());
    }
    sweep.set(std::chrono::milliseconds(100));
  });
  sweep.set(std::chrono::milliseconds(100));
  loop_.run();
}

}  // namespace
}  // namespace scalemark

int main(int argc, char** argv) {
  try {
    const auto job = scalemark::read_job({argv + 1, argv + argc});
    scalemark::Sending(job).run(job);
    return EXIT_SUCCESS;
  } catch (const std::exception& error) {
    fmt::print(stderr, "scalemark_smtp_sender: {}\n", error.what());
    return EXIT_FAILURE;
  }
}

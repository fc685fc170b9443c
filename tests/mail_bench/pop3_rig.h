// One POP3 session under test, and notes of all that it tells its owner.
//
// On top of MailRig, which turns the loop and holds the clock. One thread.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "mail_bench/pop3_session.h"
#include "tests/mail_bench/mail_rig.h"
#include "tests/support/mail_peer.h"

namespace scalemark::mail {

class Pop3Rig final : private Pop3Events {
 public:
  using Work = Pop3Session::Work;

  /// A message as the session reported it.
  struct Seen {
    std::string uid;
    std::string text;
    TimePoint seen;
    TimePoint whole;
  };

  explicit Pop3Rig(const test_support::Endpoint& server, const Pop3Settings& settings = {});

  void begin(Work work = Work::collect, std::uint32_t most = 0);
  /// Turns the loop until the session is over.
  Pop3Result finish();
  /// begin() and finish().
  Pop3Result run(Work work = Work::collect, std::uint32_t most = 0);
  /// Moves the clock and sweeps.
  void pass(Duration time);

  MailRig mail;
  Pop3Settings settings;
  Pop3Session::Login login{"user1@example.test", "secret"};
  std::vector<Seen> fetched;
  std::vector<Pop3Result> results;
  /// Called for each message; says whether to delete it. All are, by default.
  std::function<bool(const Fetched&)> on_message;
  /// Called at each session's end, after it was noted.
  std::function<void()> on_end;
  Pop3Session session;

 private:
  bool on_fetched(const Fetched& message) override;
  void on_pop3_end(const Pop3Result& result) override;

  std::size_t begun_ = 0;
};

/// Everything that the n-th connection of a peer has received.
[[nodiscard]] std::string said_to(const test_support::ScriptedPeer& peer, std::size_t connection = 0);

}  // namespace scalemark::mail

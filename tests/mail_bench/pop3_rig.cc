#include "tests/mail_bench/pop3_rig.h"

#include <gtest/gtest.h>

namespace scalemark::mail {

Pop3Rig::Pop3Rig(const test_support::Endpoint& server, const Pop3Settings& with)
    : settings(with),
      session({mail.loop.base(), mail.clock, settings, peer_at(server), nullptr, *this, mail.steps}) {}

void Pop3Rig::begin(Work work, std::uint32_t most) {
  ++begun_;
  session.begin(work, login, most);
}

Pop3Result Pop3Rig::finish() {
  if (!mail.run_until([this] { return results.size() >= begun_; })) {
    return {};
  }
  EXPECT_EQ(results.size(), begun_) << "a session's end was reported twice";
  return results.back();
}

Pop3Result Pop3Rig::run(Work work, std::uint32_t most) {
  begin(work, most);
  return finish();
}

void Pop3Rig::pass(Duration time) {
  mail.clock.advance(time);
  session.sweep(mail.clock.now());
}

bool Pop3Rig::on_fetched(const Fetched& message) {
  fetched.push_back({std::string(message.uid), std::string(message.text), message.seen, message.whole});
  return !on_message || on_message(message);
}

void Pop3Rig::on_pop3_end(const Pop3Result& result) {
  results.push_back(result);
  if (on_end) {
    on_end();
  }
}

std::string said_to(const test_support::ScriptedPeer& peer, std::size_t connection) {
  const auto connections = peer.connections();
  return connection < connections.size() ? connections[connection].received : "";
}

}  // namespace scalemark::mail

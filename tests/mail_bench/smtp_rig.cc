#include "tests/mail_bench/smtp_rig.h"

#include <gtest/gtest.h>

#include <utility>

namespace scalemark::mail {

SmtpRig::SmtpRig(const test_support::Endpoint& server, SmtpSettings with, const std::string& host)
    : settings(std::move(with)) {
  session = std::make_unique<SmtpSession>(
      SmtpSession::Setup{loop.base(), clock, settings, peer_at(server, host), nullptr, *this, steps});
}

void SmtpRig::start(std::string_view text) {
  ++started_;
  within_call_ = true;
  session->send({sender, recipient, text}, {"user1", "secret"});
  within_call_ = false;
  EXPECT_TRUE(session->busy());
}

SmtpResult SmtpRig::finish() {
  const std::size_t number = started_;
  if (!run_until([&] { return results.size() >= number; })) {
    return {};
  }
  EXPECT_EQ(results.size(), number) << "an attempt was reported twice";
  return results[number - 1];
}

SmtpResult SmtpRig::deliver(std::string_view text) {
  start(text);
  return finish();
}

void SmtpRig::quit() {
  const std::size_t before = closes;
  within_call_ = true;
  session->quit();
  within_call_ = false;
  run_until([&] { return closes > before; });
}

void SmtpRig::pass(Duration by) {
  clock.advance(by);
  session->sweep(clock.now());
}

void SmtpRig::on_smtp_end(const SmtpResult& result) {
  EXPECT_FALSE(within_call_) << "an event within a call";
  EXPECT_TRUE(session == nullptr || !session->busy());
  results.push_back(result);
  if (on_end) {
    on_end();
  }
}

std::vector<std::string> lines_at(const test_support::ScriptedPeer& peer, std::size_t number) {
  std::vector<std::string> lines;
  const auto connections = peer.connections();
  std::string_view received;
  if (number < connections.size()) {
    received = connections[number].received;
  }
  for (std::size_t end = received.find("\r\n"); end != std::string_view::npos; end = received.find("\r\n")) {
    lines.emplace_back(received.substr(0, end));
    received.remove_prefix(end + 2);
  }
  return lines;
}

}  // namespace scalemark::mail

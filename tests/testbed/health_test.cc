#include "testbed/health.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "tests/support/scripted_peer.h"
#include "tests/testbed/node_under_test.h"

namespace scalemark::testbed {
namespace {

using test_support::Script;
using test_support::ScriptedPeer;
using ::testing::HasSubstr;

constexpr Duration kPatience = std::chrono::seconds(10);

HealthReport ask(const ScriptedPeer& peer, Duration timeout = kPatience) {
  return get("", peer.endpoint().host(), peer.endpoint().port(), "/file", timeout);
}

HealthReport ask(const std::string& answer) {
  const ScriptedPeer peer(Script().expect("\r\n\r\n").send(answer).close());
  return ask(peer);
}

TEST(Health, AServerThatGivesTheFileIsHealthy) {
  const TempFolder folder;
  folder.write("file", std::string(100'000, 'x'));
  const NodeUnderTest node(folder);
  const std::string address = node.address();
  const std::size_t colon = address.find(':');
  const auto port = static_cast<std::uint16_t>(std::stoi(address.substr(colon + 1)));
  const HealthReport good = get("", address.substr(0, colon), port, "/file", kPatience);
  EXPECT_TRUE(good.healthy()) << good.complaint();
  EXPECT_EQ(good.complaint(), "");
  EXPECT_EQ(good.answer.value().body_bytes, 100'000U);
  const HealthReport absent = get("", address.substr(0, colon), port, "/absent", kPatience);
  EXPECT_FALSE(absent.healthy());
  EXPECT_THAT(absent.complaint(), HasSubstr("404"));
}

TEST(Health, SaysWhichNodeAnswered) {
  const HealthReport report = ask("HTTP/1.1 200 OK\r\nx-node:  n7 \r\nContent-Length: 2\r\n\r\nok");
  ASSERT_TRUE(report.answer);
  EXPECT_EQ(report.answer->node, "n7");
  EXPECT_EQ(report.answer->body_bytes, 2U);
}

TEST(Health, AStatusThatIsNotGoodIsAComplaint) {
  EXPECT_THAT(ask("HTTP/1.1 403 Forbidden\r\n\r\n").complaint(), HasSubstr("readable"));
  EXPECT_EQ(ask("HTTP/1.1 503 Busy\r\n\r\n").complaint(), "status 503");
}

TEST(Health, HalfAnAnswerIsNone) {
  EXPECT_EQ(ask("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nfive!").complaint(),
            "the answer broke off after 5 of 10 bytes");
  EXPECT_EQ(ask("HTTP/1.1 200 OK\r\nContent").complaint(), "the answer broke off");
  EXPECT_EQ(ask("").complaint(), "the connection was closed without an answer");
  EXPECT_EQ(ask("220 mail ready and waiting\r\n\r\n").complaint(), "the answer is no HTTP");
  EXPECT_EQ(ask("HTTP/1.1 abc\r\n\r\n").complaint(), "the answer has no status");
}

TEST(Health, ASilentServerIsNotWaitedForLongerThanSaid) {
  const ScriptedPeer peer(Script().expect("\r\n\r\n").send("HTTP/1.1 200 OK\r\n").stall());
  EXPECT_EQ(ask(peer, std::chrono::milliseconds(50)).complaint(), "no whole answer within 50ms");
  const test_support::FullBacklogPort full;
  EXPECT_EQ(
      get("", full.endpoint().host(), full.endpoint().port(), "/", std::chrono::milliseconds(50)).complaint(),
      "no whole answer within 50ms");
}

TEST(Health, ARefusedConnectionIsSaidSo) {
  const test_support::RefusedPort port;
  EXPECT_EQ(get("", port.endpoint().host(), port.endpoint().port(), "/", kPatience).complaint(),
            "no connection: Connection refused");
}

TEST(Health, ANamespaceThatIsNotThereIsAnError) {
  EXPECT_THROW((void)get("no-such-namespace-here", "127.0.0.1", 80, "/", kPatience), RunError);
  EXPECT_THROW((void)get("", "localhost", 80, "/", kPatience), RunError);
}

}  // namespace
}  // namespace scalemark::testbed

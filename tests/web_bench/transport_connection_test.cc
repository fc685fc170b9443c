// A user's connection over several exchanges, for both engines: what is sent, when a connection is reused,
// who closes it, what the transport says about closes that nobody is to blame for, and the times it reports.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/http_peer.h"
#include "tests/support/scripted_peer.h"
#include "tests/web_bench/transport_rig.h"

namespace scalemark::web {
namespace {

using namespace std::chrono_literals;
using namespace test_support;

const std::string file_body = body_of(150);
const std::string file_answer = http_with_length(file_body);
const std::string timeout_answer = http_with_length("", {{"Connection", "close"}}, 408);

class Connection : public testing::TestWithParam<Engine> {
 protected:
  static bool native() { return GetParam() == Engine::native; }

  /// A rig whose item 0 is file_body.
  static std::unique_ptr<TransportRig> rig_for(const ScriptedPeer& peer, const RigOptions& options = {}) {
    auto rig = std::make_unique<TransportRig>(GetParam(), peer.endpoint(), options);
    rig->add_item(file_body);
    return rig;
  }
  static bool ended(const ScriptedPeer& peer, std::size_t number, ConnectionEnd end) {
    const auto connections = peer.connections();
    return connections.size() > number && connections[number].end == end;
  }
  static void expect_good(const ExchangeResult& result, bool connection_open) {
    EXPECT_EQ(name_of(result.outcome), "good");
    EXPECT_EQ(result.connection_open, connection_open);
    EXPECT_FALSE(result.stale || result.retried);
  }
};

INSTANTIATE_TEST_SUITE_P(Transports, Connection, testing::Values(Engine::native, Engine::curl),
                         [](const auto& instance) { return engine_name(instance.param); });

TEST_P(Connection, CarriesExactlyTheRequestsAndClosesOnlyAfterTheLast) {
  const ScriptedPeer peer(Script().repeat_forever(http_answer(file_answer)));
  const auto rig = rig_for(peer);
  const Item second = rig->add_unknown_item();
  expect_good(rig->run({.item = 0}), true);
  expect_good(rig->run({.item = second}), true);
  expect_good(rig->run({.item = 0, .last_on_connection = true}), false);

  const auto connections = peer.connections();
  ASSERT_EQ(connections.size(), 1U);
  const auto requests = http_requests_in(connections[0].received);
  ASSERT_EQ(requests.size(), 3U);
  const std::string host = "\r\nHost: 127.0.0.1:" + std::to_string(peer.endpoint().port()) + "\r\n";
  using testing::HasSubstr;
  using testing::Not;
  EXPECT_THAT(requests[0], testing::StartsWith("GET /base/items/0 HTTP/1.1" + host));
  EXPECT_THAT(requests[0], Not(HasSubstr("Connection:")));
  EXPECT_THAT(requests[1], testing::StartsWith("GET /base/items/1 HTTP/1.1" + host));
  EXPECT_THAT(requests[1], Not(HasSubstr("Connection:")));
  EXPECT_THAT(requests[2], testing::StartsWith("GET /base/items/0 HTTP/1.1" + host));
  EXPECT_THAT(requests[2], HasSubstr("\r\nConnection: close\r\n"));
  if (native()) {
    const std::string common = "User-Agent: scalemark\r\nAccept: */*\r\n";
    EXPECT_EQ(requests[0], "GET /base/items/0 HTTP/1.1" + host + common + "\r\n");
    EXPECT_EQ(requests[2], "GET /base/items/0 HTTP/1.1" + host + common + "Connection: close\r\n\r\n");
  }
}

TEST_P(Connection, ReachesAnIpv6ServerAndNamesItInBrackets) {
  const ScriptedPeer peer(http_answer(file_answer), Loopback::v6);
  const auto rig = rig_for(peer);
  expect_good(rig->run({.item = 0}), true);
  EXPECT_THAT(peer.connections()[0].received,
              testing::HasSubstr("\r\nHost: [::1]:" + std::to_string(peer.endpoint().port()) + "\r\n"));
}

TEST_P(Connection, ComesFromTheSourceAddressAskedFor) {
  const ScriptedPeer peer(http_answer(file_answer));
  const auto rig = rig_for(peer, {.source_address = "127.0.0.77"});
  expect_good(rig->run({.item = 0}), true);
  EXPECT_EQ(peer.connections()[0].client.host(), "127.0.0.77");
}

TEST_P(Connection, LeavesTheFirstCloseToTheServerAfterTheLastRequest) {
  Gate gate;
  const ScriptedPeer peer(http_answer(file_answer).wait(gate).close());
  const auto rig = rig_for(peer);
  expect_good(rig->run({.item = 0, .last_on_connection = true}), false);
  rig->settle();
  gate.open();
  rig->run_until([&] { return peer.connections()[0].end != ConnectionEnd::none; });
  EXPECT_EQ(peer.connections()[0].end, ConnectionEnd::closed) << "the client closed first";
  EXPECT_EQ(rig->idle_closes(), 0U) << "the close was asked for";
}

TEST_P(Connection, IsGivenUpWhenTheServerDoesNotCloseAfterTheLastRequest) {
  const ScriptedPeer peer(http_answer(file_answer).stall());
  const auto rig = rig_for(peer);
  expect_good(rig->run({.item = 0, .last_on_connection = true}), false);
  expect_good(rig->run({.item = 0}), true);
  rig->run_until([&] { return ended(peer, 0, ConnectionEnd::closed_by_client); });
  EXPECT_EQ(peer.connections().size(), 2U);
}

TEST_P(Connection, IsANewOneWhenAFreshOneIsAskedFor) {
  const ScriptedPeer peer(Script().repeat_forever(http_answer(file_answer)));
  const auto rig = rig_for(peer);
  expect_good(rig->run({.item = 0}), true);
  expect_good(rig->run({.item = 0, .fresh_connection = true}), true);
  expect_good(rig->run({.item = 0}), true);
  rig->run_until([&] { return ended(peer, 0, ConnectionEnd::closed_by_client); });
  const auto connections = peer.connections();
  ASSERT_EQ(connections.size(), 2U);
  EXPECT_EQ(connections[0].expected, 1U);
  EXPECT_EQ(connections[1].expected, 2U);
}

TEST_P(Connection, IsOneForEachUser) {
  const ScriptedPeer peer(Script().repeat_forever(http_answer(file_answer)));
  const auto rig = rig_for(peer, {.users = 3});
  for (int round = 0; round < 2; ++round) {
    for (LocalUser user = 0; user < 3; ++user) {
      rig->start({.item = 0}, user);
    }
    for (LocalUser user = 0; user < 3; ++user) {
      expect_good(rig->finish(user), true);
    }
  }
  const auto connections = peer.connections();
  ASSERT_EQ(connections.size(), 3U);
  for (const ConnectionLog& connection : connections) {
    EXPECT_EQ(connection.expected, 2U);
  }
}

TEST_P(Connection, CarriesAnExchangeStartedFromWithinTheEndOfTheOneBefore) {
  const ScriptedPeer peer(Script().repeat_forever(http_answer(file_answer)));
  const auto rig = rig_for(peer);
  rig->on_end = [&rig](LocalUser user) {
    if (rig->results(user).size() < 5) {
      rig->start({.item = 0}, user);
    }
  };
  rig->start({.item = 0});
  rig->run_until([&] { return rig->results().size() == 5; });
  for (const ExchangeResult& result : rig->results()) {
    expect_good(result, true);
  }
  EXPECT_EQ(peer.connections().size(), 1U);
}

/// A reused connection that the server ends instead of answering.
struct StaleCase {
  Script instead_of_answer;
  Outcome outcome;
};

TEST_P(Connection, IsStaleWhenReusedAndEndedByTheServerWithoutAByteOfResponse) {
  const std::vector<StaleCase> cases = {
      {Script().expect(kHttpRequestEnd).close(), Outcome::closed_early},
      {Script().expect(kHttpRequestEnd).reset(), Outcome::reset},
  };
  for (const StaleCase& stale : cases) {
    const ScriptedPeer peer({Script().repeat(1, http_answer(file_answer)).repeat(1, stale.instead_of_answer),
                             http_answer(file_answer)});
    const auto rig = rig_for(peer);
    expect_good(rig->run({.item = 0}), true);
    const ExchangeResult result = rig->run({.item = 0});
    EXPECT_EQ(name_of(result.outcome), name_of(stale.outcome));
    EXPECT_TRUE(result.stale);
    EXPECT_EQ(result.wire_bytes, 0U);
    EXPECT_FALSE(result.connection_open);
    EXPECT_FALSE(result.connect.has_value());
    EXPECT_EQ(peer.connections().size(), 1U) << "retrying is the user model's business";
    expect_good(rig->run({.item = 0, .fresh_connection = true}), true);
    EXPECT_EQ(peer.connections().size(), 2U);
  }
}

TEST_P(Connection, IsNotStaleOnceAByteOfTheResponseArrived) {
  const ScriptedPeer peer(
      Script().repeat(1, http_answer(file_answer)).expect(kHttpRequestEnd).send("HTTP/1.1 200").close());
  const auto rig = rig_for(peer);
  expect_good(rig->run({.item = 0}), true);
  const ExchangeResult result = rig->run({.item = 0});
  EXPECT_EQ(name_of(result.outcome), "closed_early");
  EXPECT_FALSE(result.stale);
}

TEST_P(Connection, ThatTheServerEndedUnnoticedIsStale) {
  for (const bool by_reset : {false, true}) {
    Gate gate;
    Script first = http_answer(file_answer).wait(gate);
    by_reset ? first.reset() : first.close();
    const ScriptedPeer peer({first, http_answer(file_answer)});
    const auto rig = rig_for(peer);
    expect_good(rig->run({.item = 0}), true);
    gate.open();
    ASSERT_TRUE(
        peer.wait_until([](const auto& connections) { return connections[0].end != ConnectionEnd::none; }));
    // The loop has not turned since, so the transport could not have been told.
    const ExchangeResult result = rig->run({.item = 0});
    EXPECT_TRUE(result.stale);
    EXPECT_THAT(result.outcome, testing::AnyOf(Outcome::closed_early, Outcome::reset));
    EXPECT_EQ(rig->idle_closes(), 0U);
  }
}

TEST_P(Connection, ReportsAnIdleCloseOnceAndThenOpensANewOne) {
  for (const bool by_reset : {false, true}) {
    Gate gate;
    Script first = http_answer(file_answer).wait(gate);
    by_reset ? first.reset() : first.close();
    const ScriptedPeer peer({first, http_answer(file_answer)});
    const auto rig = rig_for(peer);
    expect_good(rig->run({.item = 0}), true);
    EXPECT_EQ(rig->idle_closes(), 0U);
    gate.open();
    rig->run_until([&] { return rig->idle_closes() > 0; });
    rig->settle();
    EXPECT_EQ(rig->idle_closes(), 1U);
    const ExchangeResult next = rig->run({.item = 0});
    expect_good(next, true);
    EXPECT_TRUE(next.connect.has_value());
    EXPECT_EQ(rig->results().size(), 2U) << "an idle close is not the end of an exchange";
  }
}

TEST_P(Connection, ThatIsAnnouncedClosedByAn408IsAnIdleClose) {
  Gate gate;
  const ScriptedPeer peer(
      {http_answer(file_answer).wait(gate).send(timeout_answer).close(), http_answer(file_answer)});
  const auto rig = rig_for(peer);
  expect_good(rig->run({.item = 0}), true);
  gate.open();
  rig->run_until([&] { return rig->idle_closes() > 0; });
  rig->settle();
  EXPECT_EQ(rig->idle_closes(), 1U);
  EXPECT_EQ(rig->results().size(), 1U);
  expect_good(rig->run({.item = 0}), true);
}

TEST_P(Connection, MayBeReopenedFromWithinAnIdleClose) {
  Gate gate;
  const ScriptedPeer peer({http_answer(file_answer).wait(gate).close(), http_answer(file_answer)});
  const auto rig = rig_for(peer);
  rig->on_idle = [&rig](LocalUser user) { rig->start({.item = 0}, user); };
  expect_good(rig->run({.item = 0}), true);
  gate.open();
  rig->run_until([&] { return rig->results().size() == 2; });
  expect_good(rig->results().back(), true);
}

TEST_P(Connection, ShowsWhatWasReceivedInMidTransferAndCanBeDropped) {
  const std::string half = file_answer.substr(0, file_answer.size() - 50);
  const ScriptedPeer peer({http_answer(half).stall(), Script().repeat_forever(http_answer(file_answer))});
  const auto rig = rig_for(peer);
  rig->start({.item = 0});
  rig->run_until([&] { return rig->received() >= half.size(); });
  EXPECT_EQ(rig->received(), half.size());
  rig->drop();
  rig->run_until([&] {
    return ended(peer, 0, ConnectionEnd::closed_by_client) || ended(peer, 0, ConnectionEnd::reset_by_client);
  });
  EXPECT_EQ(rig->received(), 0U);
  rig->skip(1h);
  rig->settle();
  EXPECT_TRUE(rig->results().empty()) << "a dropped exchange is not reported";

  const ExchangeResult next = rig->run({.item = 0});
  expect_good(next, true);
  EXPECT_EQ(next.wire_bytes, file_answer.size());
  EXPECT_TRUE(next.connect.has_value());
}

TEST_P(Connection, CanBeDroppedAtAnyTime) {
  const FullBacklogPort full;
  TransportRig connecting(GetParam(), full.endpoint());
  connecting.start({.item = connecting.add_item(file_body)});
  connecting.settle();
  connecting.drop();
  connecting.skip(1h);
  connecting.settle();
  EXPECT_TRUE(connecting.results().empty());

  const ScriptedPeer peer(Script().repeat_forever(http_answer(file_answer)));
  const auto rig = rig_for(peer);
  rig->drop();  // never used
  expect_good(rig->run({.item = 0}), true);
  rig->drop();  // idle
  rig->run_until([&] { return ended(peer, 0, ConnectionEnd::closed_by_client); });
  EXPECT_EQ(rig->idle_closes(), 0U) << "the close was ours";
  expect_good(rig->run({.item = 0, .last_on_connection = true}), false);
  rig->drop();  // finished
  expect_good(rig->run({.item = 0}), true);
  EXPECT_EQ(peer.connections().size(), 3U);
}

TEST_P(Connection, ReportsTimesInOrderAndAConnectTimeOnlyForANewConnection) {
  Gate gate;
  Script answer;
  answer.expect(kHttpRequestEnd)
      .wait(gate)
      .send(file_answer.substr(0, 30))
      .wait(gate)
      .send(file_answer.substr(30));
  const ScriptedPeer peer(Script().repeat_forever(answer));
  const auto rig = rig_for(peer);
  std::uint64_t waits = 0;
  for (const bool first : {true, false}) {
    const TimePoint start = rig->now();
    rig->start({.item = 0});
    ++waits;
    rig->run_until([&] { return gate.arrivals() == waits; });
    rig->skip(1s);
    gate.open();
    ++waits;
    rig->run_until([&] { return rig->received() > 0 && gate.arrivals() == waits; });
    rig->skip(2s);
    gate.open();
    const ExchangeResult result = rig->finish();
    expect_good(result, true);
    EXPECT_GE(result.first_byte - start, 1s);
    EXPECT_GE(result.end - result.first_byte, 2s);
    EXPECT_LE(result.end, rig->now());
    ASSERT_EQ(result.connect.has_value(), first);
    if (first) {
      EXPECT_GT(*result.connect, Duration::zero());
      EXPECT_LT(*result.connect, 1s) << "the wait for the answer is no part of it";
    }
  }
}

}  // namespace
}  // namespace scalemark::web

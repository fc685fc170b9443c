#include "testbed/mail_map_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "core/error.h"
#include "tests/testbed/mail_map_under_test.h"

namespace scalemark::testbed {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using Outcome = MailMapOutcome;

constexpr const char* kTemporarily = "451 4.3.0 temporary failure";

class MailMapServerTest : public testing::Test {
 protected:
  void SetUp() override {
    const std::string missing = test_support::Postgres::missing();
    if (!missing.empty()) {
      GTEST_SKIP() << missing;
    }
    database_.emplace();
  }
  [[nodiscard]] MailboxDatabase& database() { return *database_; }

 private:
  std::optional<MailboxDatabase> database_;
};

bool has_answer(const Client& client) {
  pollfd socket{client.descriptor(), POLLIN, 0};
  return ::poll(&socket, 1, 0) == 1;
}

TEST_F(MailMapServerTest, FindsTheNodeOfAMailbox) {
  MailMapUnderTest map(plan_for(database()));
  EXPECT_EQ(ask(map, for_recipient("u7@bench.test")), "OK 10.0.0.7:25");
  EXPECT_EQ(ask(map, for_recipient("U8@Bench.TEST")), "OK 10.0.0.8:25");
  EXPECT_EQ(ask(map, for_login("u9@bench.test", "secret9")), "OK 10.0.0.9:110");
  EXPECT_EQ(ask(map, for_recipient("u51@bench.test")), "550 5.1.1 no such mailbox");
  EXPECT_EQ(ask(map, for_login("u51@bench.test", "secret51")), "Invalid login or password");
  EXPECT_EQ(ask(map, for_login("u9@bench.test", "secret8")), "Invalid login or password");
  EXPECT_EQ(ask(map, for_recipient("")), "501 5.1.3 bad recipient address");
  const MailMapCounters done = map.end();
  EXPECT_EQ(done[Outcome::found], 3U);
  EXPECT_EQ(done[Outcome::unknown], 2U);
  EXPECT_EQ(done[Outcome::wrong_password], 1U);
  EXPECT_EQ(done[Outcome::refused], 1U);
  EXPECT_THAT(map.notices(), IsEmpty());
}

TEST_F(MailMapServerTest, TellsThePortsOfThePlan) {
  database().run("update boxes set node = 'fd00::7' where name = 'u7@bench.test'");
  MailMapPlan plan = plan_for(database());
  plan.ports = {2525, 1110};
  MailMapUnderTest map(plan);
  EXPECT_EQ(ask(map, for_recipient("u7@bench.test")), "OK fd00::7:2525");
  EXPECT_EQ(ask(map, for_login("u9@bench.test", "secret9")), "OK 10.0.0.9:1110");
}

TEST_F(MailMapServerTest, WhatTheTableSaysNowHolds) {
  MailMapUnderTest map(plan_for(database()));
  EXPECT_EQ(ask(map, for_recipient("u7@bench.test")), "OK 10.0.0.7:25");
  database().run("update boxes set node = '10.0.0.200' where name = 'u7@bench.test'");
  EXPECT_EQ(ask(map, for_recipient("u7@bench.test")), "OK 10.0.0.200:25");
}

TEST_F(MailMapServerTest, NamesThatTheDatabaseCannotHoldAreUnknown) {
  MailMapUnderTest map(plan_for(database()));
  EXPECT_EQ(ask(map, for_login("u1%ff@bench.test", "secret1")), "Invalid login or password");
  EXPECT_EQ(ask(map, for_login("u1@bench.test%00", "secret1")), "Invalid login or password");
  EXPECT_EQ(ask(map, for_recipient("u1@bench.test' or 'a'='a")), "501 5.1.3 bad recipient address");
  EXPECT_EQ(ask(map, for_recipient("'or'a'='a")), "550 5.1.1 no such mailbox");
  EXPECT_EQ(map.end()[Outcome::unknown], 2U);
  EXPECT_THAT(map.notices(), IsEmpty());
}

TEST_F(MailMapServerTest, ManyAtOnceAreAllAnsweredRightOverFewConnections) {
  constexpr std::size_t kClients = 50;
  constexpr int kRounds = 4;
  MailMapPlan plan = plan_for(database());
  plan.database.connections = 3;
  MailMapUnderTest map(plan);
  std::vector<std::unique_ptr<Client>> clients;
  for (std::size_t i = 0; i < kClients; ++i) {
    clients.push_back(std::make_unique<Client>(map.address()));
  }
  std::atomic<bool> over{false};
  int most = 0;
  std::thread watch([&] {
    while (!over) {
      most = std::max(most, database().connections());
    }
  });
  const auto user = [](std::size_t client, int round) {
    return (client + static_cast<std::size_t>(round) * 13) % kClients + 1;
  };
  for (int round = 0; round < kRounds; ++round) {
    for (std::size_t i = 0; i < kClients; ++i) {
      clients[i]->request("/auth", "GET",
                          for_recipient("u" + std::to_string(user(i, round)) + "@bench.test"));
    }
    for (std::size_t i = 0; i < kClients; ++i) {
      EXPECT_EQ(answer_of(*clients[i]), "OK 10.0.0." + std::to_string(user(i, round)) + ":25");
    }
  }
  over = true;
  watch.join();
  EXPECT_LE(most, 3);
  EXPECT_TRUE(eventually([&] { return database().connections() == 3; }));
  EXPECT_EQ(map.end()[Outcome::found], kClients * kRounds);
}

TEST_F(MailMapServerTest, OthersAreServedWhileOneWaits) {
  MailMapPlan plan = plan_for(database());
  plan.database.connections = 2;
  MailMapUnderTest map(plan);
  auto held = database().hold();
  Client slow(map.address());
  slow.request("/auth", "GET", for_recipient("held@bench.test"));
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(ask(map, for_recipient("u7@bench.test")), "OK 10.0.0.7:25");
  }
  EXPECT_FALSE(has_answer(slow));
  held.reset();
  EXPECT_EQ(answer_of(slow), "OK 10.0.0.99:25");
}

TEST_F(MailMapServerTest, ALockedTableIsATemporaryFailureAndPasses) {
  MailMapPlan plan = plan_for(database());
  plan.database.connections = 2;
  plan.database.time_out = std::chrono::milliseconds(200);
  MailMapUnderTest map(plan);
  ASSERT_TRUE(eventually([&] { return database().ready_connections() == 2; }));
  auto locked = database().lock();
  std::vector<std::unique_ptr<Client>> clients;
  for (int i = 0; i < 6; ++i) {
    clients.push_back(std::make_unique<Client>(map.address()));
    clients.back()->request("/auth", "GET", for_recipient("u7@bench.test"));
  }
  for (const auto& client : clients) {
    EXPECT_EQ(answer_of(*client), kTemporarily);
  }
  EXPECT_LE(database().connections(), 2);
  locked.reset();
  EXPECT_TRUE(eventually([&] { return ask(map, for_recipient("u7@bench.test")) == "OK 10.0.0.7:25"; }));
  EXPECT_LE(database().connections(), 2);
  EXPECT_GE(map.end()[Outcome::timed_out], 6U);
  EXPECT_THAT(map.notices(), IsEmpty());  // slow is not lost
}

TEST_F(MailMapServerTest, ASlowLookUpGivesItsConnectionBack) {
  MailMapPlan plan = plan_for(database());
  plan.database.connections = 1;
  plan.database.time_out = std::chrono::milliseconds(200);
  MailMapUnderTest map(plan);
  const auto held = database().hold();
  EXPECT_EQ(ask(map, for_recipient("held@bench.test")), kTemporarily);
  EXPECT_TRUE(eventually([&] { return ask(map, for_recipient("u7@bench.test")) == "OK 10.0.0.7:25"; }));
  EXPECT_THAT(map.notices(), IsEmpty());
}

TEST_F(MailMapServerTest, TheLineIsBounded) {
  MailMapPlan plan = plan_for(database());
  plan.database.connections = 1;
  plan.database.waiting = 2;
  MailMapUnderTest map(plan);
  ASSERT_TRUE(eventually([&] { return database().ready_connections() == 1; }));
  auto held = database().hold();
  std::vector<std::unique_ptr<Client>> clients;  // one is asked for, two wait, one is too many
  for (int i = 0; i < 4; ++i) {
    clients.push_back(std::make_unique<Client>(map.address()));
    clients.back()->request("/auth", "GET", for_recipient("held@bench.test"));
  }
  const auto refused = [&clients] {
    return std::find_if(clients.begin(), clients.end(),
                        [](const auto& client) { return has_answer(*client); });
  };
  ASSERT_TRUE(eventually([&] { return refused() != clients.end(); }));
  const auto one = refused();
  EXPECT_EQ(answer_of(**one), kTemporarily);
  clients.erase(one);
  EXPECT_EQ(refused(), clients.end());
  held.reset();
  for (const auto& client : clients) {
    EXPECT_EQ(answer_of(*client), "OK 10.0.0.99:25");
  }
  EXPECT_EQ(map.end()[Outcome::line_full], 1U);
}

TEST_F(MailMapServerTest, AClientMayLeaveWhileItsLookUpWaits) {
  MailMapPlan plan = plan_for(database());
  plan.database.connections = 2;
  MailMapUnderTest map(plan);
  auto held = database().hold();
  for (int i = 0; i < 2; ++i) {  // one whose answer comes later, and one that never gets it
    Client leaves(map.address());
    leaves.request("/auth", "GET", for_recipient("held@bench.test"));
    ASSERT_TRUE(eventually([&] {
      return database().run("select count(*) from pg_locks where locktype = 'advisory' and not granted") ==
             std::to_string(i + 1);
    }));
    leaves.reset();
    if (i == 0) {
      EXPECT_EQ(ask(map, for_recipient("u7@bench.test")), "OK 10.0.0.7:25");
    }
  }
  EXPECT_EQ(map.end()[Outcome::stopping], 2U);
}

TEST_F(MailMapServerTest, WhatWaitsAtTheEndIsToldSo) {
  MailMapPlan plan = plan_for(database());
  plan.database.connections = 1;
  MailMapUnderTest map(plan);
  const auto held = database().hold();
  Client asked(map.address());
  asked.request("/auth", "GET", for_recipient("held@bench.test"));
  ASSERT_TRUE(eventually([&] {
    return database().run("select count(*) from pg_locks where locktype = 'advisory' and not granted") == "1";
  }));
  map.stop();
  EXPECT_EQ(answer_of(asked), kTemporarily);
  EXPECT_EQ(map.end()[Outcome::stopping], 1U);
}

TEST(MailMapServerPlanTest, RefusesWhatCanNeverWork) {
  const auto complaint = [](const MailMapPlan& plan) -> std::string {
    try {
      const MailMapServer map(plan);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "none";
  };
  MailMapPlan plan;
  plan.listen = "127.0.0.1:0";
  plan.database.database = "host=/tmp colour=red";
  EXPECT_THAT(complaint(plan), HasSubstr("invalid connection option \"colour\""));
  plan.database.database = "host=/tmp";
  EXPECT_EQ(complaint(plan), "none");
  plan.database.connections = 0;
  EXPECT_THAT(complaint(plan), HasSubstr("at least one connection"));
  plan.database.connections = 1;
  plan.database.time_out = Duration::zero();
  EXPECT_THAT(complaint(plan), HasSubstr("time-out"));
  plan.database.time_out = std::chrono::seconds(1);
  plan.listen = "nowhere";
  EXPECT_THAT(complaint(plan), HasSubstr("no address to listen at"));
}

}  // namespace
}  // namespace scalemark::testbed

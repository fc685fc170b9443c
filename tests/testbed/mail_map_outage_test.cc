// The mail map while its database is away, broken or wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <optional>

#include "testbed/mail_map_server.h"
#include "tests/testbed/mail_map_under_test.h"

namespace scalemark::testbed {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;
using Outcome = MailMapOutcome;

constexpr const char* kTemporary = "451 4.3.0 temporary failure";
constexpr const char* kFound = "OK 10.0.0.7:25";
constexpr const char* kBack = "the database is back";

class MailMapOutageTest : public testing::Test {
 protected:
  void SetUp() override {
    const std::string missing = test_support::Postgres::missing();
    if (!missing.empty()) {
      GTEST_SKIP() << missing;
    }
    database_.emplace();
  }
  [[nodiscard]] MailboxDatabase& database() { return *database_; }
  [[nodiscard]] MailMapPlan impatient() {
    MailMapPlan plan = plan_for(database());
    plan.database.time_out = std::chrono::milliseconds(300);
    return plan;
  }
  static std::string look_up(const MailMapUnderTest& map) { return ask(map, for_recipient("u7@bench.test")); }
  static bool serves_again(const MailMapUnderTest& map) {
    return eventually([&map] { return look_up(map) == kFound; });
  }

 private:
  std::optional<MailboxDatabase> database_;
};

TEST_F(MailMapOutageTest, AStoppedDatabaseIsATemporaryFailureUntilItIsBack) {
  MailMapUnderTest map(impatient());
  ASSERT_TRUE(serves_again(map));
  for (int outage = 1; outage <= 2; ++outage) {
    database().server().stop();
    EXPECT_EQ(look_up(map), kTemporary);
    EXPECT_EQ(ask(map, for_login("u9@bench.test", "secret9")), "[SYS/TEMP] temporary failure");
    database().server().start();
    EXPECT_TRUE(serves_again(map));
  }
  EXPECT_TRUE(eventually([&] { return database().connections() == 4; }));
  const std::string lost =
      "the database is lost: terminating connection due to administrator command; trying again";
  EXPECT_THAT(map.notices(), ElementsAre(lost, kBack, lost, kBack));
  EXPECT_GE(map.end()[Outcome::away], 4U);
}

TEST_F(MailMapOutageTest, LookUpsWaitForADatabaseThatComesBackInTime) {
  MailMapUnderTest map(plan_for(database()));
  ASSERT_TRUE(serves_again(map));
  database().server().stop();
  Client client(map.address());
  client.request("/auth", "GET", for_recipient("u7@bench.test"));
  database().server().start();
  EXPECT_EQ(answer_of(client), kFound);
}

TEST_F(MailMapOutageTest, TheDatabaseMayComeLater) {
  database().server().stop();
  MailMapUnderTest map(impatient());
  EXPECT_EQ(look_up(map), kTemporary);
  ASSERT_EQ(map.notices().size(), 1U);
  EXPECT_THAT(map.notices()[0], StartsWith("the database is lost: connection to server on socket "));
  database().server().start();
  EXPECT_TRUE(serves_again(map));
  EXPECT_EQ(map.notices().size(), 2U);
}

TEST_F(MailMapOutageTest, ALookUpWhoseConnectionBreaksIsAskedOnceMore) {
  MailMapPlan plan = plan_for(database());
  plan.database.connections = 1;
  MailMapUnderTest map(plan);
  auto held = database().hold();
  Client client(map.address());
  client.request("/auth", "GET", for_recipient("held@bench.test"));
  const auto kill_the_one_that_waits = [&] {
    return database().run(
               "select pg_terminate_backend(pid) from pg_locks "
               "where locktype = 'advisory' and not granted") == "t";
  };
  ASSERT_TRUE(eventually(kill_the_one_that_waits));
  ASSERT_TRUE(eventually([&] {
    return database().run("select count(*) from pg_locks where locktype = 'advisory' and not granted") == "1";
  }));
  held.reset();
  EXPECT_EQ(answer_of(client), "OK 10.0.0.99:25");
  held = database().hold();
  client.request("/auth", "GET", for_recipient("held@bench.test"));
  ASSERT_TRUE(eventually(kill_the_one_that_waits));
  ASSERT_TRUE(eventually(kill_the_one_that_waits));
  EXPECT_EQ(answer_of(client), kTemporary);
  EXPECT_EQ(map.end()[Outcome::away], 1U);
}

TEST_F(MailMapOutageTest, OneLostConnectionOfSeveralIsNoNews) {
  MailMapPlan plan = plan_for(database());
  plan.database.connections = 2;
  MailMapUnderTest map(plan);
  ASSERT_TRUE(eventually([&] { return database().ready_connections() == 2; }));
  const std::string killed =
      database().run("select pid from pg_stat_activity where usename = 'mailmap' limit 1");
  EXPECT_EQ(database().run("select pg_terminate_backend(" + killed + ")"), "t");
  const std::string count =
      "select count(*) from pg_stat_activity where usename = 'mailmap' and pid <> " + killed;
  EXPECT_TRUE(eventually([&] { return database().run(count) == "2"; }));
  EXPECT_EQ(look_up(map), kFound);
  EXPECT_THAT(map.notices(), IsEmpty());
}

TEST_F(MailMapOutageTest, AServerProcessThatHangsIsGivenUp) {
  MailMapPlan plan = impatient();
  plan.database.connections = 1;
  MailMapUnderTest map(plan);
  ASSERT_TRUE(serves_again(map));
  const pid_t hangs = std::stoi(database().run("select pid from pg_stat_activity where usename = 'mailmap'"));
  ASSERT_EQ(::kill(hangs, SIGSTOP), 0);
  EXPECT_EQ(look_up(map), kTemporary);
  EXPECT_TRUE(serves_again(map));
  ::kill(hangs, SIGCONT);
  EXPECT_THAT(map.notices(), ElementsAre("the database is lost: it does not answer; trying again", kBack));
}

TEST_F(MailMapOutageTest, ATableThatIsNotThereIsSaidOnce) {
  database().run("alter view mailboxes rename to others");
  MailMapUnderTest map(impatient());
  EXPECT_EQ(look_up(map), kTemporary);
  EXPECT_EQ(look_up(map), kTemporary);
  EXPECT_THAT(map.notices(),
              ElementsAre("the database is lost: relation \"mailboxes\" does not exist; trying again"));
  database().run("alter view others rename to mailboxes");
  EXPECT_TRUE(serves_again(map));
  EXPECT_EQ(map.notices().size(), 2U);
}

TEST_F(MailMapOutageTest, ATableThatIsDroppedFailsLookUpsUntilItIsMadeAgain) {
  MailMapUnderTest map(impatient());
  ASSERT_TRUE(serves_again(map));
  database().run("alter view mailboxes rename to others");
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(look_up(map), kTemporary);
  }
  EXPECT_THAT(map.notices(),
              ElementsAre("the database fails look-ups: relation \"mailboxes\" does not exist"));
  database().run("alter view others rename to mailboxes");
  EXPECT_EQ(look_up(map), kFound);
  EXPECT_TRUE(eventually([&] { return look_up(map) == kFound && map.notices().size() == 2; }));
  EXPECT_EQ(map.notices().back(), kBack);
  EXPECT_EQ(map.end()[Outcome::failed], 10U);
}

TEST_F(MailMapOutageTest, AColumnThatChangesItsTypeIsFoundAgain) {
  MailMapPlan plan = impatient();
  plan.database.connections = 1;
  MailMapUnderTest map(plan);
  ASSERT_TRUE(serves_again(map));
  database().run(
      "drop view mailboxes; create view mailboxes as select name, password::varchar(40), node from boxes;"
      "grant select on mailboxes to mailmap");
  EXPECT_TRUE(serves_again(map));
}

TEST_F(MailMapOutageTest, ARightThatIsTakenFailsLookUps) {
  MailMapUnderTest map(impatient());
  ASSERT_TRUE(serves_again(map));
  database().run("revoke select on mailboxes from mailmap");
  EXPECT_EQ(look_up(map), kTemporary);
  EXPECT_EQ(look_up(map), kTemporary);
  EXPECT_THAT(map.notices(), ElementsAre(HasSubstr("permission denied for view mailboxes")));
  database().run("grant select on mailboxes to mailmap");
  EXPECT_EQ(look_up(map), kFound);
}

TEST_F(MailMapOutageTest, AMailboxWithoutNodeIsATemporaryFailure) {
  database().run("update boxes set node = null where name = 'u8@bench.test'");
  MailMapUnderTest map(impatient());
  EXPECT_EQ(ask(map, for_recipient("u8@bench.test")), kTemporary);
  EXPECT_EQ(look_up(map), kFound);
  EXPECT_EQ(map.end()[Outcome::no_node], 1U);
  EXPECT_THAT(map.notices(), IsEmpty());
}

}  // namespace
}  // namespace scalemark::testbed

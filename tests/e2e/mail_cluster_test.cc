// Clusters of mail servers on this very machine: real Postfix, Dovecot, nginx and PostgreSQL.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "testbed/cluster_state.h"
#include "testbed/cpu_cap.h"
#include "testbed/mail_client.h"
#include "testbed/mail_database.h"
#include "testbed/mail_health.h"
#include "testbed/mail_needs.h"
#include "testbed/mail_paths.h"
#include "testbed/process.h"
#include "testbed/topology.h"
#include "tests/app/program.h"
#include "tests/core/temporary_folder.h"

namespace scalemark::e2e {
namespace {

using app::Program;
using testbed::MailCheck;
using testbed::MailTrouble;
using testing::AllOf;
using testing::AnyOf;
using testing::HasSubstr;
using testing::IsEmpty;

namespace fs = std::filesystem;

constexpr Duration kPatience = std::chrono::seconds(20);
constexpr const char* kMessage = "Subject: a test\r\n\r\nHello.\r\n";

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

class MailClusterTest : public testing::Test {
 protected:
  void SetUp() override {
    plan_.name = name_;
    plan_.nodes = 2;
    for (const auto proxy : {testbed::ProxyKind::nginx, testbed::ProxyKind::dovecot}) {
      plan_.mail.proxy = proxy;
      plan_.mail.delivery = testbed::Delivery::lmtp;
      for (const std::string& sentence : testbed::mail_missing(plan_)) {
        GTEST_SKIP() << sentence;
      }
    }
    for (const char* program : {"ip", "tc", "nft"}) {
      if (testbed::find_program(program).empty()) {
        GTEST_SKIP() << "there is no " << program << " on this machine";
      }
    }
  }
  void TearDown() override {
    if (database_) {
      testbed::stop({{*database_, ""}}, SIGINT, kPatience);
    }
    down();
  }

  void up(const std::vector<std::string>& more) {
    std::vector<std::string> words = {"testbed", "up", "mail",       "--name", name_,
                                      "--nodes", "2",  "--accounts", "6"};
    if (testbed::cpu_cgroups().version == testbed::CgroupVersion::none) {
      words.insert(words.end(), {"--node-cpu", "none", "--proxy-cpu", "none"});
    }
    words.insert(words.end(), more.begin(), more.end());
    Program program(words);
    ASSERT_EQ(program.wait(), 0) << program.err();
  }
  void down() const {
    Program program({"testbed", "down", "--name", name_});
    program.wait();
  }

  [[nodiscard]] testbed::MailDoor front() const { return {topology_.client_ns, topology_.proxy(1).address}; }
  [[nodiscard]] testbed::MailDoor node(unsigned number) const {
    return {topology_.client_ns, topology_.node(number).address};
  }
  /// A check of user `number`'s mailbox through the front; they are on n1 and n2 in turns.
  [[nodiscard]] MailCheck check(unsigned number) const {
    return {front(),
            {fmt::format("user{:04}@bench.test", number), fmt::format("secret{:04}", number), 0},
            fmt::format("n{}.bench.test", (number - 1) % 2 + 1)};
  }

  /// What the server answers to a login; "" when it is good.
  [[nodiscard]] static std::string login(const testbed::MailDoor& door, const std::string& user,
                                         const std::string& password) {
    try {
      testbed::Pop3Client(door, user, password, SteadyClock().now() + kPatience).quit();
      return {};
    } catch (const MailTrouble& trouble) {
      return trouble.what();
    }
  }
  /// What it answers to a message; "" when it takes it.
  [[nodiscard]] static std::string send(const testbed::MailDoor& door, const std::string& to) {
    try {
      testbed::deliver(door, "user0001@bench.test", to, kMessage, SteadyClock().now() + kPatience);
      return {};
    } catch (const MailTrouble& trouble) {
      return trouble.what();
    }
  }

  void stop_database() const {
    const auto state = testbed::read_state(name_);
    ASSERT_TRUE(state);
    const auto* database = state->service("db");
    ASSERT_NE(database, nullptr);
    testbed::stop({{database->process, ""}}, SIGINT, kPatience);  // does not wait for those connected
  }
  void start_database() {
    const auto setup = testbed::setup_mail_database(plan_, testbed::postgres_programs());
    testbed::Launch launch({.argv = setup.argv, .netns = "", .log = setup.log, .cgroup = {}});
    database_ = launch.id();
    launch.go();
  }

  /// Whatever of the cluster is on this machine.
  [[nodiscard]] std::vector<std::string> remains() const {
    std::vector<std::string> found;
    std::error_code ignored;
    for (const char* folder : {"/run/netns", "/sys/fs/cgroup", "/sys/fs/cgroup/cpu"}) {
      for (const auto& entry : fs::directory_iterator(folder, ignored)) {
        if (entry.path().filename().string().starts_with(testbed::namespace_prefix(name_))) {
          found.push_back(entry.path());
        }
      }
    }
    const fs::path home = testbed::cluster_folder(name_);
    if (fs::exists(home)) {
      found.push_back(home);
    }
    for (const testbed::ProcessLine& process : testbed::all_processes()) {
      // Their folder stands in the words of some, and is where the others work.
      const std::string folder = fmt::format("/proc/{}", process.id.pid);
      const std::string place = fs::read_symlink(folder + "/cwd", ignored).string();
      if (text_of(folder + "/cmdline").find(home.string()) != std::string::npos ||
          place.starts_with(home.string() + "/")) {
        found.push_back(fmt::format("process {} in {}", process.id.pid, place));
      }
    }
    return found;
  }

  const std::string name_ = fmt::format("m{}", ::getpid() % 1'000'000);
  testbed::ClusterPlan plan_ = testbed::default_cluster(testbed::ServiceKind::mail);
  testbed::Topology topology_ = testbed::topology_of(name_);
  std::optional<testbed::ProcessId> database_;  // that the test has started
};

TEST_F(MailClusterTest, ThroughNginxEachUsersMailIsOnTheNodeOfTheMap) {
  up({"--proxy", "nginx"});
  for (unsigned user = 1; user <= 6; ++user) {
    EXPECT_EQ(testbed::check_mailbox(check(user), kPatience), "") << user;
  }
  EXPECT_THAT(text_of(testbed::cluster_folder(name_) / "accounts"),
              HasSubstr("user0002@bench.test secret0002 n2.bench.test\n"));
  // The proxy passes the refusals on.
  EXPECT_THAT(login(front(), "user0001@bench.test", "wrong"), HasSubstr("-ERR"));
  EXPECT_THAT(login(front(), "nobody@bench.test", "wrong"), HasSubstr("-ERR"));
  EXPECT_THAT(send(front(), "nobody@bench.test"), HasSubstr("550"));
  EXPECT_THAT(send(node(1), "nobody@bench.test"), HasSubstr("550"));
  EXPECT_THAT(send(node(1), "user0002@bench.test"), HasSubstr("550")) << "its mailbox is on node 2";
  EXPECT_THAT(send(node(1), "somebody@example.test"), HasSubstr("554")) << "there is nowhere to send it";
  EXPECT_THAT(remains(), testing::Not(IsEmpty()));
  down();
  EXPECT_THAT(remains(), IsEmpty());
}

TEST_F(MailClusterTest, AMailboxOnAnotherNodeThanTheMapSaysIsToldByName) {
  up({"--proxy", "nginx"});
  MailCheck wrong = check(1);
  wrong.host = "n2.bench.test";
  EXPECT_EQ(testbed::check_mailbox(wrong, kPatience),
            "the map names n2.bench.test for user0001@bench.test, but n1.bench.test has its mail");
}

TEST_F(MailClusterTest, WithoutItsDatabaseNginxRefusesForTheTimeBeing) {
  up({"--proxy", "nginx"});
  stop_database();
  EXPECT_THAT(send(front(), "user0001@bench.test"), HasSubstr("451"));
  EXPECT_THAT(login(front(), "user0001@bench.test", "secret0001"), HasSubstr("[SYS/TEMP]"));
  start_database();
  std::string trouble = "not asked";
  for (const auto until = SteadyClock().now() + kPatience; !trouble.empty() && SteadyClock().now() < until;) {
    trouble = testbed::check_mailbox(check(2), kPatience);
  }
  EXPECT_EQ(trouble, "");
}

TEST_F(MailClusterTest, ThroughDovecotAndAGatewayEachUsersMailIsOnTheNodeOfTheMap) {
  const TemporaryFolder disk;
  // Mail servers have several users; the folder of a test is its owner's alone.
  fs::permissions(disk.path(), fs::perms::others_exec | fs::perms::others_read, fs::perm_options::add);
  up({"--proxy", "dovecot", "--delivery", "lmtp", "--data", disk.path().string()});
  EXPECT_TRUE(fs::exists(disk.path() / name_ / "n1" / "queue" / "incoming"));
  for (unsigned user = 1; user <= 6; ++user) {
    EXPECT_EQ(testbed::check_mailbox(check(user), kPatience), "") << user;
  }
  EXPECT_THAT(login(front(), "user0001@bench.test", "wrong"), HasSubstr("-ERR [AUTH]"));
  EXPECT_THAT(send(front(), "nobody@bench.test"), HasSubstr("550"));
  EXPECT_THAT(send(front(), "somebody@example.test"), HasSubstr("554"));
  stop_database();
  EXPECT_THAT(send(front(), "user0001@bench.test"), HasSubstr("451"));
  down();
  EXPECT_THAT(remains(), IsEmpty());
  EXPECT_FALSE(fs::exists(disk.path() / name_));
}

TEST_F(MailClusterTest, WithoutAProxyClientsFindTheMailboxesAtTheirNodes) {
  up({"--proxy", "none"});
  for (unsigned user = 1; user <= 6; ++user) {
    MailCheck direct = check(user);
    direct.door = node((user - 1) % 2 + 1);
    EXPECT_EQ(testbed::check_mailbox(direct, kPatience), "") << user;
  }
  EXPECT_FALSE(fs::exists(testbed::mail_database_folder(plan_)));
}

}  // namespace
}  // namespace scalemark::e2e

// `scalemark mail` on a cluster of real mail servers: its ledger against the servers' own logs, undisturbed
// and with parts of the cluster ended in mid-run.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "core/file_text.h"
#include "core/run_record.h"
#include "testbed/cluster_state.h"
#include "testbed/mail_needs.h"
#include "testbed/process.h"
#include "testbed/server.h"
#include "tests/app/program.h"
#include "tests/core/temporary_folder.h"

namespace scalemark::e2e {
namespace {

using testing::HasSubstr;

constexpr int kVoid = 4;
constexpr int kGeneratorLimited = 5;  // a busy machine; the books must be right all the same

/// What the nodes' own logs say of the users' mailboxes.
struct NodeLogs {
  std::uint64_t delivered = 0;  ///< Postfix: status=sent
  std::uint64_t deleted = 0;    ///< Dovecot: committed deletions
};

class MailLoadTest : public testing::Test {
 protected:
  void SetUp() override {
    testbed::ClusterPlan plan = testbed::default_cluster(testbed::ServiceKind::mail);
    plan.name = name_;
    for (const std::string& sentence : testbed::mail_missing(plan)) {
      GTEST_SKIP() << sentence;
    }
    for (const char* program : {"ip", "tc", "nft"}) {
      if (testbed::find_program(program).empty()) {
        GTEST_SKIP() << "there is no " << program << " on this machine";
      }
    }
    // Without caps: what is tested are books, and a cap would only make them longer in coming.
    const app::Ended up = app::run_program({"testbed", "up", "mail", "--name", name_, "--nodes", "2",
                                            "--accounts", "6", "--node-cpu", "none", "--proxy-cpu", "none"});
    ASSERT_EQ(up.code, 0) << up.err;
    before_ = {logs_of("n1"), logs_of("n2")};
  }
  void TearDown() override { app::run_program({"testbed", "down", "--name", name_}); }

  [[nodiscard]] NodeLogs logs_of(const std::string& node) const {
    NodeLogs logs;
    std::istringstream postfix(file_text(testbed::cluster_folder(name_) / node / "postfix.log"));
    for (std::string line; std::getline(postfix, line);) {
      logs.delivered +=
          line.find("to=<user") != std::string::npos && line.find("status=sent") != std::string::npos;
    }
    static const std::regex committed(R"(pop3\(user.*Logged out .*del=(\d+)/)");
    std::istringstream dovecot(file_text(testbed::cluster_folder(name_) / node / "dovecot.log"));
    for (std::string line; std::getline(dovecot, line);) {
      if (std::smatch found; std::regex_search(line, found, committed)) {
        logs.deleted += std::stoull(found[1]);
      }
    }
    return logs;
  }
  [[nodiscard]] std::uint64_t delivered(unsigned node) const {
    return logs_of(fmt::format("n{}", node)).delivered - before_.at(node - 1).delivered;
  }
  [[nodiscard]] std::uint64_t deleted(unsigned node) const {
    return logs_of(fmt::format("n{}", node)).deleted - before_.at(node - 1).deleted;
  }

  /// Runs users on the cluster; `meanwhile` is called when the load begins.
  template <typename Meanwhile>
  void run(const Meanwhile& meanwhile) {
    app::Program program({"mail", "--testbed", name_, "--users", "6", "--ramp-up", "0s", "--warm-up", "0s",
                          "--window", "3s", "--drain", "6s", "--pop3-timeout", "3s", "--smtp-timeout", "4s",
                          "--json", record_path().string()});
    for (std::string line = "-"; !line.empty() && line.find("load begins") == std::string::npos;) {
      line = program.read_error_line();
    }
    meanwhile();
    code_ = program.wait();
    record_ = read_record(record_path());
  }
  [[nodiscard]] std::filesystem::path record_path() const { return folder_.path() / "record.json"; }
  [[nodiscard]] const Json& ledger() const { return record_.iterations.at(0).at("ledger"); }
  [[nodiscard]] std::uint64_t of_class(const char* name) const { return ledger().at("classes").at(name); }
  [[nodiscard]] std::uint64_t all_classes() const {
    std::uint64_t sum = 0;
    for (const auto& entry : ledger().at("classes").items()) {
      sum += entry.value().get<std::uint64_t>();
    }
    return sum;
  }
  /// Messages that a node had taken in, whatever became of them at POP3.
  [[nodiscard]] std::uint64_t accepted() const {
    return of_class("verified") + of_class("reply_lost") + of_class("mailbox_failed") +
           of_class("mailbox_locked") + of_class("uncommitted") + of_class("lost");
  }
  void kill_process(const std::string& service) const {
    const auto state = testbed::read_state(name_);
    ASSERT_TRUE(state);
    const auto* process = state->service(service);
    ASSERT_NE(process, nullptr) << service;
    testbed::stop({{process->process, process->netns}}, SIGKILL, std::chrono::seconds(5));
  }

  const std::string name_ = fmt::format("l{}", ::getpid() % 1'000'000);
  TemporaryFolder folder_;
  std::vector<NodeLogs> before_;
  int code_ = -1;
  RunRecord record_;
};

TEST_F(MailLoadTest, EveryMessageIsInTheLogsOfItsNode) {
  run([] {});
  EXPECT_TRUE(code_ == 0 || code_ == kGeneratorLimited) << code_;
  EXPECT_GT(of_class("verified"), 0U);
  EXPECT_EQ(of_class("verified"), ledger().at("planned").get<std::uint64_t>());
  EXPECT_EQ(all_classes(), ledger().at("planned").get<std::uint64_t>());
  for (const unsigned node : {1U, 2U}) {
    const std::uint64_t ours = ledger().at("by_node").at(fmt::format("n{}.bench.test", node));
    EXPECT_EQ(ours, delivered(node)) << node;
    EXPECT_EQ(ours, deleted(node)) << node;
    EXPECT_EQ(record_.cluster.at("run").at("nodes").at(node - 1).at("requests").get<std::uint64_t>(), ours)
        << node;
  }
}

TEST_F(MailLoadTest, ANodeWithoutItsPop3ServerVoidsTheRunAndTheBooksStillBalance) {
  run([this] { kill_process("n1.dovecot"); });
  EXPECT_EQ(code_, kVoid);
  ASSERT_FALSE(record_.verdict.reasons.empty());
  EXPECT_THAT(record_.verdict.reasons.front(), HasSubstr("dovecot of n1 has ended"));
  EXPECT_EQ(all_classes(), ledger().at("planned").get<std::uint64_t>());
  EXPECT_EQ(accepted(), delivered(1) + delivered(2));
  EXPECT_EQ(ledger().at("by_node").at("n2.bench.test").get<std::uint64_t>(), deleted(2));
}

TEST_F(MailLoadTest, WithoutTheDatabaseTheRunIsVoidAndTheBooksStillBalance) {
  run([this] { kill_process("db"); });
  EXPECT_EQ(code_, kVoid);
  ASSERT_FALSE(record_.verdict.reasons.empty());
  EXPECT_THAT(record_.verdict.reasons.front(), HasSubstr("db has ended"));
  EXPECT_EQ(all_classes(), ledger().at("planned").get<std::uint64_t>());
  EXPECT_EQ(accepted(), delivered(1) + delivered(2));
}

// nginx reads its configuration anew: its old workers end when their connections have.
TEST_F(MailLoadTest, AProxyThatIsRenewedLosesNothing) {
  run([this] {
    const auto state = testbed::read_state(name_);
    ASSERT_TRUE(state);
    const auto* proxy = state->service("x1.nginx");
    ASSERT_NE(proxy, nullptr);
    EXPECT_TRUE(testbed::send_signal(proxy->process, SIGHUP));
  });
  EXPECT_TRUE(code_ == 0 || code_ == kGeneratorLimited) << code_;
  EXPECT_EQ(of_class("verified"), ledger().at("planned").get<std::uint64_t>());
  EXPECT_EQ(of_class("verified"), delivered(1) + delivered(2));
}

}  // namespace
}  // namespace scalemark::e2e

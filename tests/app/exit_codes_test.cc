// The built command's exit codes, one by one, and what it does when it is told to stop.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <optional>

#include "core/run_record.h"
#include "tests/app/program.h"
#include "tests/core/temporary_folder.h"

namespace scalemark::app {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;

class ExitCodesTest : public testing::Test {
 protected:
  [[nodiscard]] std::string path(const std::string& name) const { return (folder_.path() / name).string(); }
  /// Runs to the end and returns the exit code.
  static int code_of(const std::vector<std::string>& words) { return Program(words).wait(); }

  TemporaryFolder folder_;
};

TEST_F(ExitCodesTest, ZeroForAnswersThatNeedNoServer) {
  EXPECT_EQ(code_of({"--version"}), 0);
  EXPECT_EQ(code_of({"web", "--help"}), 0);
  EXPECT_EQ(code_of({"web", "--print-plan", "--url", "http://127.0.0.1:1/"}), 0);
}

TEST_F(ExitCodesTest, OneWhenItCouldNotRun) {
  EXPECT_EQ(code_of({"files", "check", path("nothing")}), 1);
  // Port 1 is reserved and refuses.
  Program web({"web", "--url", "http://127.0.0.1:1/", "--json", path("web.json")});
  EXPECT_EQ(web.wait(), 1);
  EXPECT_THAT(web.err(), HasSubstr("scalemark: "));
  EXPECT_FALSE(std::filesystem::exists(path("web.json")));
}

TEST_F(ExitCodesTest, OneWhenNoMailServerAnswers) {
  const std::vector<std::string> accounts = {"--addresses", "u{1..2}@a.test", "--passwords", "x", "--users",
                                             "2",           "--pop3",         "127.0.0.1:1"};
  std::vector<std::string> words = {"mail", "--smtp", "127.0.0.1:1", "--json", path("mail.json")};
  words.insert(words.end(), accounts.begin(), accounts.end());
  Program mail(words);
  EXPECT_EQ(mail.wait(), 1);
  EXPECT_THAT(mail.err(), HasSubstr("scalemark: "));
  EXPECT_FALSE(std::filesystem::exists(path("mail.json")));
  words = {"mailboxes"};
  words.insert(words.end(), accounts.begin(), accounts.end());
  Program mailboxes(words);
  EXPECT_EQ(mailboxes.wait(), 1);
  EXPECT_THAT(mailboxes.out(), HasSubstr("2 mailboxes: 0 messages, 0 deleted; 2 could not be reached\n"));
}

TEST_F(ExitCodesTest, TwoForBadUsageOrConfiguration) {
  std::ofstream(path("web.toml")) << "conections = 5\n";
  EXPECT_EQ(code_of({}), 2);
  EXPECT_EQ(code_of({"wbe"}), 2);
  EXPECT_EQ(code_of({"web"}), 2);
  EXPECT_EQ(code_of({"web", "--window", "5"}), 2);
  EXPECT_EQ(code_of({"web", "--config", path("web.toml")}), 2);
  EXPECT_EQ(code_of({"web", "--url", "http://127.0.0.1:1/", "--json", "/nonexistent/web.json"}), 2);
}

TEST_F(ExitCodesTest, ThreeForAFileSetWithAFault) {
  ASSERT_EQ(code_of({"files", "web", "--out", path("www"), "--directories", "1"}), 0);
  std::filesystem::resize_file(path("www/file_set/dir00000/class3_0"), 5);
  EXPECT_EQ(code_of({"files", "check", path("www")}), 3);
}

/// A file set of one directory and a node that serves it.
class NodeExitCodesTest : public ExitCodesTest {
 protected:
  void SetUp() override {
    ASSERT_EQ(code_of({"files", "web", "--out", path("www"), "--directories", "1"}), 0);
    // A log that can be waited for: whoever reads it sleeps until there is a line.
    ASSERT_EQ(::mkfifo(path("log").c_str(), 0600), 0);
    log_ = ::open(path("log").c_str(), O_RDWR | O_CLOEXEC);
    ASSERT_GE(log_, 0);
    node_.emplace(std::vector<std::string>{"serve", "--files", path("www"), "--listen", "127.0.0.1:0",
                                           "--access-log", path("log")});
    address_ = node_->read_line();
  }
  void TearDown() override { ::close(log_); }

  /// Returns when the node has logged so many requests.
  void wait_for_requests(std::size_t requests) const {
    std::array<char, 4096> buffer{};
    for (std::size_t seen = 0; seen < requests;) {
      const ssize_t got = ::read(log_, buffer.data(), buffer.size());
      ASSERT_GT(got, 0);
      seen += static_cast<std::size_t>(std::count(buffer.begin(), buffer.begin() + got, '\n'));
    }
  }

  int log_ = -1;
  std::optional<Program> node_;
  std::string address_;
};

TEST_F(NodeExitCodesTest, HundredAndThirtyWhenInterruptedAndThePartialRecordIsThere) {
  Program web({"web", "--url", "http://" + address_ + "/", "--connections", "2", "--directories", "1",
               "--ramp-up", "0s", "--warm-up", "0s", "--window", "1h", "--json", path("web.json")});
  wait_for_requests(7);  // beyond what is asked for before the load
  web.send(SIGINT);
  EXPECT_EQ(web.wait(), 130) << web.out() << web.err();
  EXPECT_EQ(read_record(path("web.json")).verdict.status, Status::interrupted);
}

TEST_F(NodeExitCodesTest, ANodeSaysWhereItListensAndEndsWithZero) {
  EXPECT_THAT(address_, MatchesRegex("127\\.0\\.0\\.1:[0-9]+"));
  node_->send(SIGTERM);
  EXPECT_EQ(node_->wait(), 0) << node_->err();
  EXPECT_THAT(node_->out(), HasSubstr("\nserved 0 requests, 0 B\n"));
}

}  // namespace
}  // namespace scalemark::app

#include "app/mailboxes_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

#include "core/error.h"
#include "tests/app/console_capture.h"
#include "tests/core/usage_error.h"

namespace scalemark::app {
namespace {

using mail::MailboxState;
using testing::HasSubstr;

class MailboxesCommandTest : public testing::Test {
 protected:
  /// Runs the command on three accounts, with what stands in for the visits.
  int run(const MailboxVisitor& visitor, const std::vector<Given>& more = {}) {
    const auto command = make_mailboxes_command(visitor);
    std::vector<Given> given = {{"pop3", {"127.0.0.1:1"}, ""},
                                {"addresses", {"user{1..3}@a.test"}, ""},
                                {"passwords", {"secret"}, ""}};
    given.insert(given.end(), more.begin(), more.end());
    command->apply(given);
    command->check();
    return command->run(capture_.console());
  }

  ConsoleCapture capture_;
};

TEST_F(MailboxesCommandTest, PrintsATableAndTotals) {
  const int code = run([](const auto&, const auto& accounts, bool empty, auto, const auto*, const auto&) {
    EXPECT_FALSE(empty);
    EXPECT_EQ(accounts.size(), 3U);
    return std::vector<MailboxState>{{"user1@a.test", true, 1'200, 0, ""},
                                     {"user2@a.test", true, 0, 0, ""},
                                     {"user3@a.test", true, 34, 0, ""}};
  });
  EXPECT_EQ(code, kExitOk);
  EXPECT_EQ(capture_.out(),
            "address       messages  deleted  fault\n"
            "user1@a.test     1,200        0\n"
            "user2@a.test         0        0\n"
            "user3@a.test        34        0\n"
            "\n"
            "3 mailboxes: 1,234 messages, 0 deleted; 0 could not be reached\n");
}

TEST_F(MailboxesCommandTest, OneThatCouldNotBeReachedEndsItWithOne) {
  const int code = run(
      [](const auto&, const auto&, bool empty, auto, const auto*, const auto&) {
        EXPECT_TRUE(empty);
        return std::vector<MailboxState>{{"user1@a.test", true, 7, 7, ""},
                                         {"user2@a.test", false, 0, 0, "login refused: bad password"},
                                         {"user3@a.test", true, 1, 1, ""}};
      },
      {{"empty", {"true"}, ""}});
  EXPECT_EQ(code, kExitCouldNotRun);
  EXPECT_THAT(capture_.out(), HasSubstr("user2@a.test         -        -  login refused: bad password\n"));
  EXPECT_THAT(capture_.out(), HasSubstr("3 mailboxes: 8 messages, 8 deleted; 1 could not be reached\n"));
}

TEST_F(MailboxesCommandTest, AllAccountsAreVisitedUnlessAFewerNumberIsGiven) {
  const auto count = [](std::size_t& seen) {
    return [&seen](const auto&, const auto& accounts, bool, auto, const auto*, const auto&) {
      seen = accounts.size();
      return std::vector<MailboxState>{};
    };
  };
  std::size_t seen = 0;
  run(count(seen), {{"users", {"2"}, ""}});
  EXPECT_EQ(seen, 2U);
  EXPECT_THAT(usage_error([&] { run(count(seen), {{"users", {"4"}, ""}}); }), HasSubstr("4 users"));
}

TEST_F(MailboxesCommandTest, CtrlCEndsItWithItsOwnCode) {
  const int code = run([](const auto&, const auto&, bool, auto, const std::atomic<bool>* stop,
                          const auto&) -> std::vector<MailboxState> {
    std::raise(SIGINT);
    throw RunError(stop->load() ? "1 of 3 mailboxes was visited" : "not stopped");
  });
  EXPECT_EQ(code, kExitInterrupted);
  EXPECT_THAT(capture_.err(), HasSubstr("interrupted: 1 of 3 mailboxes was visited"));
}

TEST_F(MailboxesCommandTest, ServersAndAccountsAreNeeded) {
  EXPECT_EQ(capture_.run({"mailboxes"}), kExitUsage);
  EXPECT_THAT(capture_.err(), HasSubstr("no POP3 server is named"));
}

}  // namespace
}  // namespace scalemark::app

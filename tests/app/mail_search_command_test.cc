// `scalemark mail --search` with trials that take no time, and what `--testbed` says before there is a run.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/mail_command.h"
#include "app/web_command.h"
#include "tests/app/console_capture.h"
#include "tests/app/run_records.h"
#include "tests/core/temporary_folder.h"
#include "tests/core/usage_error.h"

namespace scalemark::app {
namespace {

using testing::HasSubstr;

class MailSearchCommandTest : public testing::Test {
 protected:
  [[nodiscard]] std::string json() const { return (folder_.path() / "mail.json").string(); }

  int run(const MailRunner& runner, std::vector<Given> more = {}) {
    more.insert(more.end(), {{"smtp", {"127.0.0.1:1"}, ""},
                             {"pop3", {"127.0.0.1:2"}, ""},
                             {"addresses", {"u{001..200}@a.test"}, ""},
                             {"passwords", {"secret"}, ""},
                             {"json", {json()}, ""},
                             {"search", {"true"}, ""}});
    const auto command = make_mail_command(runner);
    command->apply(more);
    command->check();
    return command->run(capture_.console());
  }
  /// A server that serves so many users well.
  static MailRunner server(std::uint32_t capacity) {
    return [capacity](const mail::MailPlan& plan, const RunHooks&) {
      RunRecord record = record_of(plan.users <= capacity ? Status::pass : Status::fail);
      record.kind = "mail";
      record.score = {300.0 * plan.users, "operations per hour", 1};
      return record;
    };
  }

  TemporaryFolder folder_;
  ConsoleCapture capture_;
};

TEST_F(MailSearchCommandTest, FindsTheHighestNumberOfUsersThatPasses) {
  EXPECT_EQ(run(server(77), {{"search-from", {"40"}, ""}}), 0);
  const RunRecord record = read_record(json());
  EXPECT_EQ(record.kind, "mail");
  EXPECT_EQ(record.search.at("answer").at("load"), 77);
  EXPECT_EQ(record.search.at("trials").at(0).at("load"), 40);
  EXPECT_EQ(record.plan.at("search-from"), "40");
}

TEST_F(MailSearchCommandTest, SpeaksOfUsersAndOperations) {
  run(server(77), {{"users", {"24"}, ""}});
  EXPECT_THAT(capture_.err(),
              HasSubstr("searching from 24 users on SMTP 127.0.0.1:1 and POP3 127.0.0.1:2: usually"));
  EXPECT_THAT(capture_.err(), HasSubstr("trial 1: probing with 24 users (the first load)\n"));
  EXPECT_THAT(capture_.err(), HasSubstr("trial 1: pass, 7200 operations per hour\n"));
  EXPECT_THAT(capture_.out(), HasSubstr("\nSearch: "));
}

TEST_F(MailSearchCommandTest, NoTrialHasMoreUsersThanThereAreAccounts) {
  std::uint32_t most = 0;
  EXPECT_EQ(run([&most](const mail::MailPlan& plan, const RunHooks& hooks) {
              most = std::max(most, plan.users);
              return server(100'000)(plan, hooks);
            }),
            0);
  EXPECT_EQ(most, 200U);
}

TEST_F(MailSearchCommandTest, TheExitCodeIsTheSearchs) {
  EXPECT_EQ(run(server(0)), 3);
  EXPECT_EQ(read_record(json()).search.at("status"), "failed");
}

TEST_F(MailSearchCommandTest, BadSettingsAreRefusedBeforeAnyLoad) {
  const auto fault = [this](std::vector<Given> given) {
    return usage_error([&] { run(server(1), std::move(given)); });
  };
  EXPECT_THAT(fault({{"search-precision", {"0%"}, ""}}), HasSubstr("--search-precision"));
  EXPECT_THAT(fault({{"window", {"0s"}, ""}}), HasSubstr("--window is 0"));
  EXPECT_THAT(fault({{"threads", {"0"}, ""}}), HasSubstr("--threads"));
}

TEST_F(MailSearchCommandTest, AClusterThatIsNotThereIsSaidToBe) {
  const auto command = make_mail_command(server(1));
  EXPECT_THAT(usage_error([&] {
                command->apply({{"testbed", {"nosuch"}, ""}});
              }),
              testing::AllOf(HasSubstr("no cluster 'nosuch'"), HasSubstr("testbed up mail")));
  const auto web = make_web_command();
  EXPECT_THAT(usage_error([&] { web->apply({{"testbed", {"nosuch"}, ""}}); }), HasSubstr("testbed up web"));
}

}  // namespace
}  // namespace scalemark::app

#include "app/mail_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>

#include "core/error.h"
#include "tests/app/console_capture.h"
#include "tests/app/run_records.h"
#include "tests/core/temporary_folder.h"
#include "tests/core/usage_error.h"

namespace scalemark::app {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::StartsWith;

RunRecord mail_record_of(Status status) {
  RunRecord record = record_of(status);
  record.kind = "mail";
  record.score = {29'091, "operations per hour"};
  return record;
}

class MailCommandTest : public testing::Test {
 protected:
  [[nodiscard]] std::string json() const { return (folder_.path() / "mail.json").string(); }
  [[nodiscard]] std::vector<Given> given() const {
    return {{"smtp", {"127.0.0.1:1"}, ""},
            {"pop3", {"127.0.0.1:2"}, ""},
            {"addresses", {"u{1..96}@a.test"}, ""},
            {"passwords", {"secret"}, ""},
            {"json", {json()}, ""}};
  }
  /// Runs the command with a runner that stands in for the measurement.
  int run(const MailRunner& runner) {
    const auto command = make_mail_command(runner);
    command->apply(given());
    command->check();
    return command->run(capture_.console());
  }

  TemporaryFolder folder_;
  ConsoleCapture capture_;
};

TEST_F(MailCommandTest, TheExitCodeIsThatOfTheVerdict) {
  const std::vector<std::pair<Status, int>> codes = {{Status::pass, 0},
                                                     {Status::fail, 3},
                                                     {Status::void_run, 4},
                                                     {Status::generator_limited, 5},
                                                     {Status::interrupted, 130}};
  for (const auto& [status, code] : codes) {
    EXPECT_EQ(run([status = status](const auto&, const auto&) { return mail_record_of(status); }), code);
    EXPECT_EQ(read_record(json()).verdict.status, status);
  }
}

TEST_F(MailCommandTest, ThePlanReachesTheRunner) {
  mail::MailPlan seen;
  run([&seen](const mail::MailPlan& plan, const auto&) {
    seen = plan;
    return mail_record_of(Status::pass);
  });
  EXPECT_EQ(seen.smtp, std::vector<std::string>{"127.0.0.1:1"});
  EXPECT_EQ(seen.users, 96U);
  EXPECT_EQ(seen.phases.window, 60s);
}

TEST_F(MailCommandTest, TheRecordIsWrittenAndTheSummaryShown) {
  run([](const auto&, const RunHooks& hooks) {
    hooks.notice("96 mailboxes were emptied");
    return mail_record_of(Status::pass);
  });
  EXPECT_EQ(read_record(json()).kind, "mail");
  EXPECT_THAT(capture_.out(), StartsWith("PASS"));
  EXPECT_THAT(capture_.out(), HasSubstr("\nrecord: " + json() + "\n"));
  EXPECT_THAT(capture_.err(), HasSubstr("96 users on SMTP 127.0.0.1:1 and POP3 127.0.0.1:2"));
  EXPECT_THAT(capture_.err(), HasSubstr("\n96 mailboxes were emptied\n"));
}

TEST_F(MailCommandTest, NothingIsMeasuredWhenTheRecordCouldNotBeWritten) {
  bool measured = false;
  const auto command = make_mail_command([&measured](const auto&, const auto&) {
    measured = true;
    return mail_record_of(Status::pass);
  });
  command->apply({{"json", {"/nonexistent/mail.json"}, ""}});
  EXPECT_THAT(usage_error([&] { command->run(capture_.console()); }), HasSubstr("/nonexistent"));
  EXPECT_FALSE(measured);
}

TEST_F(MailCommandTest, CtrlCReachesTheRunAndThePartialRecordIsKept) {
  const int code = run([](const auto&, const RunHooks& hooks) {
    std::raise(SIGINT);
    return mail_record_of(hooks.stop->load() ? Status::interrupted : Status::pass);
  });
  EXPECT_EQ(code, 130);
  EXPECT_EQ(read_record(json()).verdict.status, Status::interrupted);
}

TEST_F(MailCommandTest, CtrlCBeforeAnyLoadLeavesNoRecord) {
  const int code = run([](const auto&, const auto&) -> RunRecord {
    std::raise(SIGTERM);
    throw RunError("nothing was measured");
  });
  EXPECT_EQ(code, 130);
  EXPECT_FALSE(std::filesystem::exists(json()));
}

TEST_F(MailCommandTest, WhatIsMissingIsSaid) {
  EXPECT_EQ(capture_.run({"mail"}), kExitUsage);
  EXPECT_THAT(capture_.err(), HasSubstr("no SMTP server is named"));
}

}  // namespace
}  // namespace scalemark::app

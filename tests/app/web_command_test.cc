#include "app/web_command.h"

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

class WebCommandTest : public testing::Test {
 protected:
  [[nodiscard]] std::string json() const { return (folder_.path() / "web.json").string(); }
  /// Runs the command with a runner that stands in for the measurement.
  int run(const WebRunner& runner) {
    const auto command = make_web_command(runner);
    command->apply({{"url", {"http://127.0.0.1:1/"}, ""}, {"json", {json()}, ""}});
    command->check();
    return command->run(capture_.console());
  }

  TemporaryFolder folder_;
  ConsoleCapture capture_;
};

TEST_F(WebCommandTest, TheExitCodeIsThatOfTheVerdict) {
  const std::vector<std::pair<Status, int>> codes = {{Status::pass, 0},
                                                     {Status::fail, 3},
                                                     {Status::void_run, 4},
                                                     {Status::generator_limited, 5},
                                                     {Status::interrupted, 130}};
  for (const auto& [status, code] : codes) {
    EXPECT_EQ(run([status = status](const auto&, const auto&) { return record_of(status); }), code);
    EXPECT_EQ(read_record(json()).verdict.status, status);
  }
}

TEST_F(WebCommandTest, ThePlanReachesTheRunner) {
  web::WebPlan seen;
  run([&seen](const web::WebPlan& plan, const auto&) {
    seen = plan;
    return record_of(Status::pass);
  });
  EXPECT_EQ(seen.urls, std::vector<std::string>{"http://127.0.0.1:1/"});
  EXPECT_EQ(seen.phases.window, 20s);
}

TEST_F(WebCommandTest, NothingIsMeasuredWhenTheRecordCouldNotBeWritten) {
  bool measured = false;
  const auto command = make_web_command([&measured](const auto&, const auto&) {
    measured = true;
    return record_of(Status::pass);
  });
  command->apply({{"json", {"/nonexistent/web.json"}, ""}});
  EXPECT_THAT(usage_error([&] { command->run(capture_.console()); }), HasSubstr("/nonexistent"));
  EXPECT_FALSE(measured);
}

TEST_F(WebCommandTest, NoticesAndProgressGoToStandardError) {
  capture_.console().err_is_terminal = true;
  run([](const auto&, const RunHooks& hooks) {
    hooks.notice("ports: few");
    hooks.progress({.phase = "window"});
    return record_of(Status::pass);
  });
  EXPECT_THAT(capture_.err(), HasSubstr("100 connections on http://127.0.0.1:1/"));
  EXPECT_THAT(capture_.err(), HasSubstr("\nports: few\n"));
  EXPECT_THAT(capture_.err(), HasSubstr("\riteration 1/1 window"));
  EXPECT_THAT(capture_.out(), HasSubstr("\nrecord: " + json() + "\n"));
}

TEST_F(WebCommandTest, CtrlCReachesTheRunAndThePartialRecordIsKept) {
  const int code = run([](const auto&, const RunHooks& hooks) {
    EXPECT_FALSE(hooks.stop->load());
    std::raise(SIGINT);
    return record_of(hooks.stop->load() ? Status::interrupted : Status::pass);
  });
  EXPECT_EQ(code, 130);
  EXPECT_EQ(read_record(json()).verdict.status, Status::interrupted);
}

TEST_F(WebCommandTest, CtrlCBeforeAnyLoadLeavesNoRecord) {
  const int code = run([](const auto&, const auto&) -> RunRecord {
    std::raise(SIGTERM);
    throw RunError("nothing was measured");
  });
  EXPECT_EQ(code, 130);
  EXPECT_THAT(capture_.err(), HasSubstr("scalemark: interrupted: nothing was measured\n"));
  EXPECT_FALSE(std::filesystem::exists(json()));
}

TEST_F(WebCommandTest, AFailureOfTheRunIsNotTakenForAnInterruption) {
  EXPECT_THROW(run([](const auto&, const auto&) -> RunRecord { throw RunError("no answer"); }), RunError);
}

TEST_F(WebCommandTest, ADiskThatFilledUpMeanwhileDoesNotCostTheMeasurement) {
  const int code = run([this](const auto&, const auto&) {
    std::filesystem::remove_all(folder_.path());
    return record_of(Status::pass);
  });
  EXPECT_EQ(code, 1);
  EXPECT_EQ(record_from_json(Json::parse(capture_.out())).score.value, 97);
}

}  // namespace
}  // namespace scalemark::app

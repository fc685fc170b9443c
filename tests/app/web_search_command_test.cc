// `scalemark web --search` with trials that take no time.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>

#include "app/web_command.h"
#include "app/web_plan_options.h"
#include "core/error.h"
#include "tests/app/console_capture.h"
#include "tests/app/run_records.h"
#include "tests/core/temporary_folder.h"
#include "tests/core/usage_error.h"

namespace scalemark::app {
namespace {

using testing::HasSubstr;

class WebSearchCommandTest : public testing::Test {
 protected:
  [[nodiscard]] std::string json() const { return (folder_.path() / "web.json").string(); }

  int run(const WebRunner& runner, std::vector<Given> more = {}) {
    more.insert(more.end(),
                {{"url", {"http://127.0.0.1:1/"}, ""}, {"json", {json()}, ""}, {"search", {"true"}, ""}});
    const auto command = make_web_command(runner);
    command->apply(more);
    command->check();
    return command->run(capture_.console());
  }
  /// A server with this capacity; beyond it trials end with `beyond`.
  static WebRunner server(std::uint32_t capacity, Status beyond = Status::fail) {
    return [capacity, beyond](const web::WebPlan& plan, const RunHooks&) {
      RunRecord record = record_of(plan.connections <= capacity ? Status::pass : beyond);
      record.score.value = plan.connections;
      return record;
    };
  }

  TemporaryFolder folder_;
  ConsoleCapture capture_;
};

TEST_F(WebSearchCommandTest, FindsTheHighestNumberOfConnectionsThatPasses) {
  EXPECT_EQ(run(server(321), {{"search-from", {"250"}, ""}}), 0);
  const RunRecord record = read_record(json());
  EXPECT_NEAR(record.search.at("answer").at("load").get<double>(), 321, 3.3);
  EXPECT_EQ(record.search.at("trials").at(0).at("load"), 250);
  EXPECT_THAT(capture_.out(), HasSubstr("\nSearch: "));
}

TEST_F(WebSearchCommandTest, ConnectionsAreWhereItBeginsUnlessTold) {
  run(server(321), {{"connections", {"40"}, ""}});
  EXPECT_EQ(read_record(json()).search.at("trials").at(0).at("load"), 40);
}

TEST_F(WebSearchCommandTest, TheExpectedDurationAndEveryTrialAreTold) {
  run(server(321));
  EXPECT_THAT(capture_.err(),
              HasSubstr("searching from 100 connections on http://127.0.0.1:1/: usually 9 probing"));
  EXPECT_THAT(capture_.err(), HasSubstr("at most\n"));
  EXPECT_THAT(capture_.err(), HasSubstr("trial 1: probing with 100 connections (the first load)\n"));
  EXPECT_THAT(capture_.err(), HasSubstr("trial 1: pass, 100 conforming connections\n"));
  EXPECT_THAT(capture_.err(), HasSubstr(": confirming with "));
}

TEST_F(WebSearchCommandTest, ProgressNamesTheTrialAndNoticesAreSaidOnce) {
  capture_.console().err_is_terminal = true;
  run([](const web::WebPlan& plan, const RunHooks& hooks) {
    hooks.notice("ports: few");
    hooks.progress({.phase = "window"});
    return server(150)(plan, hooks);
  });
  const std::string err = capture_.err();
  EXPECT_THAT(err, HasSubstr("trial 1 iteration 1/1 window"));
  EXPECT_NE(err.find("ports: few"), std::string::npos);
  EXPECT_EQ(err.find("ports: few"), err.rfind("ports: few"));
}

TEST_F(WebSearchCommandTest, TheExitCodeIsTheSearchs) {
  EXPECT_EQ(run(server(0)), 3);
  EXPECT_EQ(run(server(150, Status::generator_limited)), 5);
  EXPECT_EQ(run(server(0, Status::void_run)), 4);
  EXPECT_EQ(read_record(json()).search.at("status"), "void");
}

TEST_F(WebSearchCommandTest, CtrlCKeepsWhatIsKnown) {
  int trials = 0;
  const int code = run([&trials](const web::WebPlan& plan, const RunHooks& hooks) {
    if (++trials == 3) {
      std::raise(SIGINT);
      EXPECT_TRUE(hooks.stop->load());
      return record_of(Status::interrupted);
    }
    return server(1000)(plan, hooks);
  });
  EXPECT_EQ(code, 130);
  EXPECT_EQ(trials, 3);
  const RunRecord record = read_record(json());
  EXPECT_EQ(record.verdict.status, Status::interrupted);
  EXPECT_EQ(record.search.at("status"), "interrupted");
  EXPECT_EQ(record.search.at("trials").size(), 3U);
}

TEST_F(WebSearchCommandTest, AFirstTrialThatCannotBeMadeIsTheCommandsFailure) {
  EXPECT_THROW(run([](const auto&, const auto&) -> RunRecord { throw RunError("no answer"); }), RunError);
  EXPECT_FALSE(std::filesystem::exists(json()));
}

TEST_F(WebSearchCommandTest, BadSettingsAreRefusedBeforeAnyLoad) {
  const auto fault = [this](std::vector<Given> given) {
    return usage_error([&] {
      run([](const auto&, const auto&) -> RunRecord { throw RunError("measured"); }, std::move(given));
    });
  };
  EXPECT_THAT(fault({{"search-precision", {"0%"}, ""}}), HasSubstr("--search-precision"));
  EXPECT_THAT(fault({{"search-trials", {"1"}, ""}}), HasSubstr("--search-trials"));
  EXPECT_THAT(fault({{"search-from", {"x"}, "web.toml:3"}}), HasSubstr("web.toml:3: --search-from"));
  EXPECT_THAT(fault({{"window", {"0s"}, ""}}), HasSubstr("--window is 0"));
  const auto command = make_web_command(server(1));
  command->apply({{"url", {"http://127.0.0.1:1/"}, ""}, {"search-from", {"5"}, ""}});
  EXPECT_THAT(usage_error([&] { command->check(); }), HasSubstr("add --search"));
}

TEST_F(WebSearchCommandTest, MoreUrlsThanConnectionsAreNoMistakeOfASearch) {
  EXPECT_EQ(run(server(50), {{"connections", {"1"}, ""}, {"threads", {"2"}, ""}}), 0);
  EXPECT_EQ(read_record(json()).search.at("trials").at(0).at("load"), 2);
}

}  // namespace
}  // namespace scalemark::app

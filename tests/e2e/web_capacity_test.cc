// The self-test: against a node of known capacity the score must fall where the arithmetic says. And what a
// run does when its server or its user ends it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <filesystem>
#include <memory>

#include "tests/app/program.h"
#include "tests/e2e/web_case.h"

namespace scalemark::e2e {
namespace {

using ::testing::HasSubstr;

/// The exit code wanted, or that of a generator that was late because this machine was busy with other
/// things.
testing::AssertionResult ended_with(int wanted, int code) {
  return code == wanted || code == 5 ? testing::AssertionSuccess()
                                     : testing::AssertionFailure() << "exit code " << code;
}

/// A run with a window long enough for the link to settle.
Finished settled_run(const Node& node, unsigned connections) {
  std::vector<std::string> options = short_run(node.url(), connections);
  options.insert(options.end(), {"--ramp-up", "2s", "--warm-up", "3s", "--window", "6s"});
  return run_web(options);
}

// A link of 10 Mb/s carries 10,000,000 / 400,000 = 25 lines at full speed, and fewer than
// 10,000,000 / 320,000 = 31.25 connections can conform at once.
const std::vector<std::string> kTenMegabit = {"--link-rate", "10mbit"};

TEST(KnownCapacity, BelowTheKneeEveryConnectionConforms) {
  const Node node(kTenMegabit);
  const Finished run = settled_run(node, 20);
  EXPECT_TRUE(ran(run)) << run.out << run.err;
  EXPECT_EQ(run.iteration().at("conforming"), 20);
}

TEST(KnownCapacity, BeyondTheKneeNoMoreConformThanTheLinkCarries) {
  const Node node(kTenMegabit);
  const Finished run = settled_run(node, 45);
  EXPECT_TRUE(ended_with(3, run.code)) << run.out << run.err;
  EXPECT_LT(run.iteration().at("conforming").get<int>(), 32);
  const double mean = run.iteration().at("bits_per_second").at("mean").get<double>();
  // All of the link and no more: 10 Mb/s over 45 connections.
  EXPECT_LE(mean * 45, 10e6 * 1.02);
  EXPECT_GE(mean * 45, 10e6 * 0.90);
}

TEST(WebRun, AGoalThatIsMissedIsExitCode3AndSaysWhich) {
  const Node node;
  std::vector<std::string> options = short_run(node.url(), 5);
  options.insert(options.end(), {"--require", "operations_per_second>=1000000"});
  const Finished run = run_web(options);
  EXPECT_TRUE(ended_with(3, run.code));
  EXPECT_THAT(run.out, HasSubstr("operations_per_second is"));
}

TEST(WebRun, AServerThatDiesInTheWindowVoidsTheRunWhichEndsOnTime) {
  const Node node;
  std::vector<std::string> options = short_run(node.url(), 10);
  options.insert(options.begin(), "web");
  options.insert(options.end(), {"--json", record_path()});
  std::filesystem::remove(record_path());
  app::Program program(options);
  wait_for_load(program);
  const auto begin = std::chrono::steady_clock::now();
  node.send(SIGKILL);
  EXPECT_TRUE(ended_with(4, program.wait())) << program.out();
  // 500 ms ramp-up, 3 s window, 200 ms ramp-down, and at most 2 s more.
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(5'700));
  const RunRecord record = read_record(record_path());
  EXPECT_NE(record.verdict.status, Status::pass);
  const Json& books = record.iterations.at(0).at("accounting").at("run");
  EXPECT_GT(books.at("failed").at("total").get<int>(), 0);
  EXPECT_EQ(books.at("issued").get<int>(), books.at("good").get<int>() +
                                               books.at("failed").at("total").get<int>() +
                                               books.at("unfinished").get<int>());
}

TEST(WebRun, CtrlCWritesAPartialRecord) {
  const Node node;
  std::vector<std::string> options = short_run(node.url(), 10);
  options.insert(options.begin(), "web");
  options.insert(options.end(), {"--window", "60s", "--ramp-up", "0s", "--json", record_path()});
  std::filesystem::remove(record_path());
  app::Program program(options);
  wait_for_load(program);
  program.send(SIGINT);
  EXPECT_EQ(program.wait(), 130) << program.err();
  const RunRecord record = read_record(record_path());
  EXPECT_EQ(record.verdict.status, Status::interrupted);
  EXPECT_TRUE(record.iterations.at(0).at("partial").get<bool>());
  EXPECT_LT(record.iterations.at(0).at("window_seconds").get<double>(), 60);
}

TEST(WebRun, AServerThatNeverAnswersIsSeenBeforeAnyLoad) {
  const Node node({"--latency", "30s"});
  std::vector<std::string> options = short_run(node.url(), 5);
  options.insert(options.end(), {"--read-timeout", "300ms"});
  const Finished run = run_web(options);
  EXPECT_EQ(run.code, 1);
  EXPECT_THAT(run.err, HasSubstr("silent for longer than the read time-out"));
}

TEST(WebRun, AServerThatFallsSilentIsReadTimeoutsAndTheRunEndsOnTime) {
  const Node node;
  std::vector<std::string> options = short_run(node.url(), 10);
  options.insert(options.begin(), "web");
  options.insert(options.end(), {"--read-timeout", "300ms", "--json", record_path()});
  std::filesystem::remove(record_path());
  app::Program program(options);
  wait_for_load(program);
  const auto begin = std::chrono::steady_clock::now();
  node.send(SIGSTOP);
  EXPECT_TRUE(ended_with(4, program.wait())) << program.out();
  node.send(SIGCONT);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(5'700));
  const Json failed = read_record(record_path()).iterations.at(0).at("accounting").at("run").at("failed");
  EXPECT_GT(failed.at("read_timeout").get<int>(), 0);
  EXPECT_EQ(failed.at("total"), failed.at("read_timeout"));
}

}  // namespace
}  // namespace scalemark::e2e

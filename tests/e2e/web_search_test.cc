// A search against a node of known capacity must find it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>

#include "tests/app/program.h"
#include "tests/e2e/web_case.h"

namespace scalemark::e2e {
namespace {

using ::testing::HasSubstr;

// A link of 10 Mb/s carries 10,000,000 / 400,000 = 25 lines at full speed, and fewer than
// 10,000,000 / 320,000 = 31.25 connections can conform at once. 95 % of the connections must: at most 32.
const std::vector<std::string> kNarrowLink = {"--link-rate", "10mbit"};

std::vector<std::string> short_search(const std::string& url) {
  std::vector<std::string> options = short_run(url, 20);
  options.insert(options.end(), {"--search", "--search-precision", "10%", "--ramp-up", "1s", "--warm-up",
                                 "2s", "--window", "4s", "--drain", "0s"});
  return options;
}

TEST(WebSearch, FindsTheKnownCapacityOfALink) {
  const Node node(kNarrowLink);
  const Finished run = run_web(short_search(node.url()));
  ASSERT_TRUE(ran(run)) << run.out << run.err;
  const Json& found = run.record.search;
  if (run.code == 5 && found.at("answer").is_null()) {
    GTEST_SKIP() << "this machine is too busy to carry any load: " << run.out;
  }
  const auto answer = found.at("answer").at("load").get<unsigned>();
  EXPECT_LE(answer, 32U) << run.out;
  if (run.code == 0) {  // else this machine was busy with other things, and said so
    EXPECT_GE(answer, 23U) << run.out;
    EXPECT_EQ(found.at("status"), "confirmed");
  }
  EXPECT_LE(found.at("trials").size(), 12U);
  EXPECT_EQ(found.at("trials").back().at("purpose"), "confirm");
  EXPECT_THAT(run.out, HasSubstr("Search: " + std::to_string(answer) + " connections"));
  EXPECT_THAT(run.err, HasSubstr("searching from 20 connections on " + node.url()));
  EXPECT_THAT(run.err, HasSubstr("trial 1: probing with 20 connections (the first load)"));
  // The record is that of the trial that confirmed the answer.
  EXPECT_EQ(run.record.plan.at("connections"), std::to_string(answer));
  EXPECT_EQ(run.iteration().at("requested"), answer);
}

TEST(WebSearch, CtrlCWritesWhatIsKnown) {
  const Node node(kNarrowLink);
  std::vector<std::string> options = short_search(node.url());
  options.insert(options.begin(), "web");
  options.insert(options.end(), {"--window", "60s", "--json", record_path()});
  std::filesystem::remove(record_path());
  app::Program program(options);
  wait_for_load(program);
  program.send(SIGINT);
  EXPECT_EQ(program.wait(), 130) << program.err();
  const RunRecord record = read_record(record_path());
  EXPECT_EQ(record.verdict.status, Status::interrupted);
  EXPECT_EQ(record.search.at("status"), "interrupted");
  EXPECT_EQ(record.search.at("trials").size(), 1U);
  EXPECT_TRUE(record.search.at("answer").is_null());
}

}  // namespace
}  // namespace scalemark::e2e

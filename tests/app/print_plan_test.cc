#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "tests/app/console_capture.h"
#include "tests/core/temporary_folder.h"

namespace scalemark::app {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class PrintPlanTest : public testing::Test {
 protected:
  /// The plan that `words` lead to, whether or not it can run; the test fails when there is none.
  static std::string plan_of(std::vector<std::string> words) {
    ConsoleCapture capture;
    words.emplace_back("--print-plan");
    const int code = capture.run(words);
    EXPECT_THAT(capture.out(), HasSubstr("[")) << capture.err();
    EXPECT_EQ(code, capture.err().empty() ? kExitOk : kExitUsage) << capture.err();
    return capture.out();
  }
  std::string file(const std::string& text) {
    const auto path = folder_.path() / "plan.toml";
    std::ofstream(path) << text;
    return path.string();
  }

  TemporaryFolder folder_;
};

TEST_F(PrintPlanTest, FedBackItGivesTheSamePlan) {
  const std::vector<std::vector<std::string>> lines = {
      {"web"},
      {"web", "--url", "http://a/", "--url", "http://[::1]:8080/x/", "--profile", "full", "--window",
       "1500ms"},
      {"web", "--url", "https://a/", "--engine", "curl", "--http", "2", "--insecure", "--csv", "a b\"c'.csv"},
      {"web", "--require", "conforming>=95%", "--bind", "10.0.0.2-10.0.0.9", "--persistent-share", "33.3%"},
      {"web", "--seed", "18446744073709551615", "--line-speed", "123456.5", "--class-mix", "1:0:0:7"},
      {"mail", "--smtp", "[::1]:25", "--pop3", "a:110", "--accounts", "accounts.txt"},
      {"mail", "--profile", "full", "--drain", "5s", "--tls", "required", "--pop3-tls", "implicit",
       "--arrivals", "20000.5", "--message-size", "1K:10.2 2K:30.71", "--keep-mailboxes"},
      {"mail", "--message-size", "table", "--tls", "implicit", "--corpus", "", "--max-errors", "2.5%"},
      {"mailboxes", "--pop3", "a:110", "--accounts", "accounts.txt", "--tls", "required", "--empty"},
      {"doctor", "--connections", "7"},
      {"serve", "--files", "/srv/www", "--link-rate", "100mbit", "--latency", "5ms"},
      {"files", "web", "--out", "/srv/www", "--connections", "200"},
      {"files", "check", "/srv/www", "--threads", "2"}};
  for (const auto& words : lines) {
    const std::string plan = plan_of(words);
    std::vector<std::string> again = {words[0]};
    if (words[0] == "files") {
      again.push_back(words[1]);
    }
    again.insert(again.end(), {"--config", file(plan)});
    EXPECT_EQ(plan_of(again), plan) << words.back();
  }
}

TEST_F(PrintPlanTest, TheCommandLineWinsOverTheFileAndTheFileOverTheProfile) {
  const std::string config =
      file("profile = 'full'\nwindow = '60s'\n[web]\nramp-up = '9s'\nconnections = 7\n");
  const std::string plan = plan_of({"web", "--config", config, "--connections", "8"});
  EXPECT_THAT(plan, AllOf(HasSubstr("\nprofile = \"full\"\n"), HasSubstr("\nwindow = \"1m\"\n"),
                          HasSubstr("\nramp-up = \"9s\"\n"), HasSubstr("\nwarm-up = \"20m\"\n"),
                          HasSubstr("\nconnections = 8\n"), HasSubstr("\nthreads = 1\n")));
  EXPECT_THAT(plan_of({"web", "--config", config, "--profile", "quick"}),
              AllOf(HasSubstr("\nprofile = \"quick\"\n"), HasSubstr("\nwindow = \"1m\"\n"),
                    HasSubstr("\nwarm-up = \"5s\"\n")));
}

TEST_F(PrintPlanTest, AListOnTheCommandLineReplacesTheFiles) {
  const std::string config = file("url = ['http://a/', 'http://b/']\n");
  const std::string plan = plan_of({"web", "--config", config, "--url", "http://c/"});
  EXPECT_THAT(plan, AllOf(HasSubstr("\nurl = [\"http://c/\"]\n"), Not(HasSubstr("http://a/"))));
}

TEST_F(PrintPlanTest, AFlagOfTheFileCanBeTakenBack) {
  const std::string config = file("insecure = true\n");
  EXPECT_THAT(plan_of({"web", "--config", config}), HasSubstr("\ninsecure = true\n"));
  EXPECT_THAT(plan_of({"web", "--config", config, "--insecure=false"}), HasSubstr("\ninsecure = false\n"));
}

TEST_F(PrintPlanTest, APlanThatCannotRunIsPrintedAndThenRefused) {
  ConsoleCapture web;
  EXPECT_EQ(web.run({"web", "--print-plan"}), kExitUsage);
  EXPECT_THAT(web.out(), HasSubstr("[web]"));
  EXPECT_THAT(web.err(), HasSubstr("scalemark: this plan cannot run: no server is named"));
  ConsoleCapture study;
  const std::string path = file("[study]\nload = [2]\nnodes = [1]\n[web]\nthreads = 4\n");
  EXPECT_EQ(study.run({"study", path, "--print-plan"}), kExitUsage);
  EXPECT_THAT(study.out(), HasSubstr("\nthreads = 4\n"));
  EXPECT_THAT(study.err(), HasSubstr("this plan cannot run: 4 threads cannot share 2 connections"));
}

TEST_F(PrintPlanTest, APlanThatCanRunEndsWithNothingButThePlan) {
  ConsoleCapture capture;
  EXPECT_EQ(capture.run({"web", "--url", "http://a/", "--print-plan"}), kExitOk);
  EXPECT_EQ(capture.err(), "");
}

TEST_F(PrintPlanTest, DoctorReadsTheTableOfWeb) {
  EXPECT_THAT(plan_of({"doctor", "--config", file("[web]\nconnections = 7\n")}),
              HasSubstr("\nconnections = 7\n"));
}

}  // namespace
}  // namespace scalemark::app

// The loop around the search, with trials that take no time.

#include "study/run_search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "study/mail_workload.h"
#include "study/web_workload.h"
#include "tests/core/usage_error.h"

namespace scalemark::study {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

class RunSearchTest : public testing::Test {
 protected:
  RunSearchTest() {
    plan_.urls = {"http://127.0.0.1/"};
    plan_.phases = {1s, 2s, 10s, 1s};
    search_.search = true;
    hooks_.stop = &stop_;
    hooks_.run = [this](const Workload& trial) {
      runs_.push_back(web_plan(trial));
      return server_(web_plan(trial));
    };
  }

  static RunRecord record_of(const web::WebPlan& trial, Status status) {
    RunRecord record;
    record.kind = "web";
    record.verdict.status = status;
    if (status != Status::pass) {
      record.verdict.reasons = {"as the test wants it"};
    }
    record.score = {static_cast<double>(trial.connections), "conforming connections", 1};
    record.plan = Json{{"connections", std::to_string(trial.connections)}, {"line-speed", "400kbit"}};
    record.iterations.push_back(Json{{"number", 1}, {"conforming", trial.connections}});
    return record;
  }
  static Status knee(const web::WebPlan& trial, std::uint32_t capacity) {
    return trial.connections <= capacity ? Status::pass : Status::fail;
  }
  RunRecord search() { return search_run(WebWorkload(plan_), search_, hooks_); }

  web::WebPlan plan_;
  RunSearchPlan search_;
  RunSearchHooks hooks_;
  std::atomic<bool> stop_{false};
  std::vector<web::WebPlan> runs_;
  std::function<RunRecord(const web::WebPlan&)> server_ = [](const web::WebPlan& trial) {
    return record_of(trial, knee(trial, 243));
  };
};

TEST_F(RunSearchTest, TheRecordIsThatOfTheConfirmingTrialWithTheSearch) {
  const RunRecord record = search();
  EXPECT_EQ(record.verdict.status, Status::pass);
  EXPECT_TRUE(record.verdict.reasons.empty());
  const Json& answer = record.search.at("answer");
  EXPECT_GE(answer.at("load"), 241);
  EXPECT_LE(answer.at("load"), 243);
  EXPECT_EQ(answer.at("lower"), answer.at("load"));
  EXPECT_GT(answer.at("upper"), 243);
  EXPECT_EQ(record.score.value, answer.at("load").get<double>());
  EXPECT_EQ(record.search.at("status"), "confirmed");
  EXPECT_EQ(record.plan.at("search"), true);
  EXPECT_EQ(record.plan.at("search-from"), "100");
  EXPECT_EQ(record.plan.at("connections"), std::to_string(answer.at("load").get<int>()));
}

TEST_F(RunSearchTest, EveryTrialIsListedWithItsReason) {
  const Json search_log = search().search;
  const Json& trials = search_log.at("trials");
  ASSERT_EQ(trials.size(), runs_.size());
  for (std::size_t i = 0; i < trials.size(); ++i) {
    EXPECT_EQ(trials[i].at("number"), i + 1);
    EXPECT_EQ(trials[i].at("load"), runs_[i].connections);
    EXPECT_EQ(trials[i].at("verdict"), runs_[i].connections <= 243 ? "pass" : "fail");
    EXPECT_EQ(trials[i].at("score"), runs_[i].connections);
    EXPECT_EQ(trials[i].at("reasons").size(), runs_[i].connections <= 243 ? 0U : 1U);
    EXPECT_FALSE(trials[i].at("why").get<std::string>().empty());
    EXPECT_EQ(trials[i].at("purpose"), i + 1 == trials.size() ? "confirm" : "probe");
  }
}

TEST_F(RunSearchTest, ProbesMeasureOneWindowAndTheConfirmationAllOfThem) {
  plan_.iterations = 4;
  search();
  for (std::size_t i = 0; i + 1 < runs_.size(); ++i) {
    EXPECT_EQ(runs_[i].iterations, 1U);
    EXPECT_EQ(runs_[i].phases.window, 10s);
  }
  EXPECT_EQ(runs_.back().iterations, 4U);
}

TEST_F(RunSearchTest, NoTrialHasFewerConnectionsThanThreadsOrUrls) {
  plan_.urls.assign(5, "http://127.0.0.1/");
  plan_.threads = 3;
  server_ = [](const auto& trial) { return record_of(trial, Status::fail); };
  const RunRecord record = search();
  EXPECT_EQ(runs_.back().connections, 5U);
  EXPECT_EQ(record.verdict.status, Status::fail);
  EXPECT_TRUE(record.search.at("answer").is_null());
  EXPECT_EQ(record.search.at("status"), "failed");
  EXPECT_THAT(record.verdict.reasons.front(), HasSubstr("the search: not even 5"));
}

TEST_F(RunSearchTest, AGeneratorLimitIsTheVerdictAndTheAnswerStands) {
  server_ = [](const auto& trial) {
    return record_of(trial, trial.connections <= 150 ? Status::pass : Status::generator_limited);
  };
  const RunRecord record = search();
  EXPECT_EQ(record.verdict.status, Status::generator_limited);
  EXPECT_GE(record.search.at("answer").at("load"), 149);
  EXPECT_TRUE(record.search.at("answer").at("upper").is_null());
  EXPECT_EQ(record.score.value, record.search.at("answer").at("load").get<double>());
}

TEST_F(RunSearchTest, NothingButVoidTrialsIsVoid) {
  server_ = [](const auto& trial) { return record_of(trial, Status::void_run); };
  EXPECT_EQ(search().verdict.status, Status::void_run);
}

TEST_F(RunSearchTest, WithoutAConfirmationTheVerdictIsAFail) {
  server_ = [](const auto& trial) {
    return record_of(trial, trial.iterations > 1 ? Status::fail : knee(trial, 243));
  };
  const RunRecord record = search();
  EXPECT_EQ(record.verdict.status, Status::fail);
  EXPECT_EQ(record.search.at("status"), "not_confirmed");
  EXPECT_TRUE(record.search.at("answer").is_null());
}

TEST_F(RunSearchTest, CtrlCEndsWithWhatIsKnown) {
  server_ = [this](const auto& trial) {
    stop_ = runs_.size() == 4;
    return record_of(trial, stop_ ? Status::interrupted : knee(trial, 243));
  };
  const RunRecord record = search();
  EXPECT_EQ(record.verdict.status, Status::interrupted);
  EXPECT_EQ(record.search.at("status"), "interrupted");
  EXPECT_EQ(record.search.at("trials").size(), 4U);
  EXPECT_THAT(record.search.at("why").get<std::string>(), HasSubstr("200 passed, 400 failed"));
  EXPECT_TRUE(record.search.at("answer").is_null());
}

TEST_F(RunSearchTest, CtrlCBetweenTrialsAndInAPreflightIsSeenToo) {
  server_ = [this](const auto& trial) -> RunRecord {
    stop_ = runs_.size() == 3;
    if (stop_) {
      throw RunError("nothing was measured");
    }
    return record_of(trial, knee(trial, 243));
  };
  const RunRecord record = search();
  EXPECT_EQ(record.verdict.status, Status::interrupted);
  EXPECT_EQ(record.search.at("trials").at(2).at("verdict"), "interrupted");
  EXPECT_EQ(record.score.value, 200);
}

TEST_F(RunSearchTest, ATrialThatCannotBeMadeIsVoidUnlessItIsTheFirst) {
  server_ = [](const auto& trial) -> RunRecord {
    if (trial.connections > 300) {
      throw RunError("too few ports");
    }
    return record_of(trial, Status::pass);
  };
  const RunRecord record = search();
  EXPECT_GE(record.search.at("answer").at("load"), 297);
  EXPECT_EQ(record.search.at("status"), "confirmed");
  EXPECT_THAT(record.search.at("trials").at(2).at("reasons").at(0).get<std::string>(),
              HasSubstr("could not be made: too few ports"));
  search_.from = 301;
  EXPECT_THROW(search(), RunError);
}

TEST_F(RunSearchTest, TheCallerHearsOfEveryTrial) {
  std::vector<std::uint32_t> numbers;
  std::size_t ended = 0;
  hooks_.begin = [&numbers](std::uint32_t number, const Try&) { numbers.push_back(number); };
  hooks_.end = [&ended](const RunRecord&) { ++ended; };
  search();
  EXPECT_EQ(numbers.size(), runs_.size());
  EXPECT_EQ(numbers.back(), runs_.size());
  EXPECT_EQ(ended, runs_.size());
}

TEST_F(RunSearchTest, TheSearchSurvivesTheRecordsFile) {
  const RunRecord record = search();
  EXPECT_EQ(record_from_json(to_json(record)).search, record.search);
}

TEST_F(RunSearchTest, ItsTimeIsKnownBefore) {
  const SearchTime time = planned_time(WebWorkload(plan_), search_);
  EXPECT_EQ(time.probe, 14s);         // 2 + 1 + 10 + 1
  EXPECT_EQ(time.confirmation, 38s);  // 2 + 3 x (1 + 10 + 1)
  EXPECT_EQ(time.usual, 9 * 14s + 38s);
  EXPECT_EQ(time.most, 11 * 14s + 4 * 38s);
}

TEST_F(RunSearchTest, SettingsReadBackAndBadOnesAreRefused) {
  Settings settings = search_settings(search_, WebWorkload().words());
  find_setting(settings, "search-from").set({"500"});
  find_setting(settings, "search-precision").set({"2%"});
  find_setting(settings, "search-trials").set({"20"});
  EXPECT_NO_THROW(check(search_));
  const SearchPlan plan = search_plan(WebWorkload(plan_), search_);
  EXPECT_EQ(plan.start, 500U);
  EXPECT_DOUBLE_EQ(plan.precision, 0.02);
  EXPECT_EQ(plan.max_trials, 20U);
  EXPECT_THAT(usage_error([&] { find_setting(settings, "search-trials").set({"1"}); }),
              HasSubstr("--search-trials"));
  search_.precision = 0;
  EXPECT_THAT(usage_error([&] { check(search_); }), HasSubstr("0.1% to 50%"));
  search_.precision = 0.01;
  search_.search = false;
  EXPECT_THAT(usage_error([&] { check(search_); }), HasSubstr("add --search"));
}

/// Mail users up to `capacity` are content; there are `accounts`.
RunRecord search_mail(std::uint32_t capacity, std::uint32_t accounts, std::uint32_t from = 0) {
  MailWorkload workload;
  mail::apply_profile(workload.plan, mail::Profile::quick);
  workload.plan.addresses = "u{1.." + std::to_string(accounts) + "}@a.test";
  workload.plan.passwords = "x";
  workload.plan.users = 12;
  RunSearchPlan search;
  search.search = true;
  search.from = from;
  return search_run(workload, search, {.run = [&](const Workload& trial) {
                      RunRecord record;
                      record.kind = "mail";
                      record.verdict.status = trial.load() <= capacity ? Status::pass : Status::fail;
                      record.score = {1000.0 * trial.load(), "operations per hour", 1};
                      record.plan = Json::object();
                      return record;
                    }});
}

TEST(MailSearch, FindsTheHighestNumberOfUsersThatPasses) {
  const RunRecord record = search_mail(57, 1000);
  EXPECT_EQ(record.verdict.status, Status::pass);
  EXPECT_EQ(record.search.at("answer").at("load"), 57);
  EXPECT_EQ(record.search.at("answer").at("upper"), 58);
  EXPECT_EQ(record.score.value, 57'000);
  EXPECT_EQ(record.search.at("trials").at(0).at("load"), 12) << "the plan's own users";
}

TEST(MailSearch, TriesNoMoreUsersThanThereAreAccounts) {
  const RunRecord record = search_mail(1000, 40);
  EXPECT_EQ(record.search.at("answer").at("load"), 40);
  EXPECT_TRUE(record.search.at("answer").at("upper").is_null());
  EXPECT_EQ(search_mail(1000, 40, 500).search.at("trials").at(0).at("load"), 40);
}

TEST(MailSearch, ItsSettingsSpeakOfUsers) {
  RunSearchPlan search;
  Settings settings = search_settings(search, MailWorkload().words());
  EXPECT_THAT(find_setting(settings, "search-from").help, HasSubstr("--users"));
}

}  // namespace
}  // namespace scalemark::study

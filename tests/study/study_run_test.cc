// The whole loop with a cluster that is made up: what it carries is known, so the study's answers are, too.
#include "study/study_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "study/listed_loads.h"
#include "study/web_workload.h"
#include "tests/core/temporary_folder.h"
#include "tests/study/made_up_cluster.h"

namespace scalemark::study {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class StudyRun : public testing::Test {
 protected:
  StudyRun() {
    plan_.nodes = {"1", "2", "4"};
    plan_.start = 90;
    plan_.out = folder_.path().string();
  }

  RunRecord run() {
    const StudyStore store(folder_.path(), plan_);
    return study::run(plan_, cluster_, store, {.stop = &stop_});
  }

  static PointResult point(const RunRecord& record, std::size_t index) {
    return point_from_json(record.points.at(index));
  }

  TemporaryFolder folder_;
  StudyPlan plan_;
  MadeUpCluster cluster_;
  std::atomic<bool> stop_{false};
};

TEST_F(StudyRun, FindsWhatEveryPointCarries) {
  const RunRecord record = run();
  EXPECT_EQ(record.verdict.status, Status::pass) << testing::PrintToString(record.verdict.reasons);
  ASSERT_EQ(record.points.size(), 4U);
  for (std::size_t index = 0; index < 4; ++index) {
    const PointResult found = point(record, index);
    const double carries = 100.0 * found.setup.nodes;
    ASSERT_TRUE(found.answer) << found.name();
    EXPECT_NEAR(found.answer->load, carries, 0.02 * carries) << found.name();
    EXPECT_EQ(found.measured.size(), plan_.workload->iterations()) << found.name();
    ASSERT_EQ(found.confirmed_by.size(), 1U);
    EXPECT_EQ(found.trials.at(found.confirmed_by[0] - 1).purpose, Purpose::confirm);
  }
  EXPECT_TRUE(point(record, 0).setup.base);
  EXPECT_NEAR(record.score.value, 400, 8) << "what the most nodes carry";
}

TEST_F(StudyRun, WhatSmallPointsCarryIsWhereLargeOnesBegin) {
  plan_.start = 10;  // far off
  const RunRecord record = run();
  EXPECT_GT(point(record, 0).trials.size(), point(record, 3).trials.size());
  EXPECT_NEAR(point(record, 3).trials.front().load, 400, 8);
}

TEST_F(StudyRun, EveryTrialLeavesItsRecord) {
  const RunRecord record = run();
  for (std::size_t index = 0; index < record.points.size(); ++index) {
    for (const TrialReport& trial : point(record, index).trials) {
      EXPECT_EQ(read_record(folder_.path() / trial.record).score.value, trial.score);
    }
  }
  EXPECT_EQ(read_record(folder_.path() / "study.json").points, record.points);
}

TEST_F(StudyRun, APointThatFailsDoesNotKeepTheOthersFromBeingMeasured) {
  cluster_.broken = {2};
  const RunRecord record = run();
  EXPECT_EQ(record.verdict.status, Status::void_run) << "nothing was learnt about the service there";
  EXPECT_THAT(record.verdict.reasons, ElementsAre("dsr, 2 nodes: node n2 does not answer"));
  EXPECT_EQ(point(record, 2).status, PointStatus::failed);
  EXPECT_EQ(point(record, 3).status, PointStatus::confirmed);
  cluster_.broken.clear();
  const int runs = cluster_.runs;
  EXPECT_EQ(run().verdict.status, Status::pass) << "only the failed point is measured when it is run again";
  EXPECT_EQ(cluster_.runs - runs,
            static_cast<int>(point(read_record(folder_.path() / "study.json"), 2).trials.size()));
}

TEST_F(StudyRun, AnInterruptedStudyIsTakenUpWithoutMeasuringAnythingTwice) {
  const RunRecord whole = run();
  const int in_one_go = cluster_.runs;
  const TemporaryFolder other;
  cluster_.runs = 0;
  int until_stop = 0;
  cluster_.before_run = [&] { stop_ = --until_stop == 0; };
  RunRecord record;
  int rounds = 0;
  do {
    stop_ = false;
    until_stop = 3;
    const StudyStore store(other.path(), plan_);
    record = study::run(plan_, cluster_, store, {.stop = &stop_});
    ASSERT_LT(++rounds, 100);
  } while (record.verdict.status == Status::interrupted);
  EXPECT_GT(rounds, 3);
  EXPECT_EQ(cluster_.runs, in_one_go);
  for (std::size_t index = 0; index < whole.points.size(); ++index) {
    EXPECT_EQ(point(record, index).answer->load, point(whole, index).answer->load);
    EXPECT_EQ(point(record, index).measured, point(whole, index).measured);
  }
}

TEST_F(StudyRun, ADisturbedTrialIsRepeatedAndDoesNotCount) {
  cluster_.stolen = {5};  // a quarter of two processors' 10 s, in the first trial
  const PointResult first = point(run(), 0);
  EXPECT_TRUE(first.trials.at(0).disturbed);
  EXPECT_FALSE(first.trials.at(0).counts);
  EXPECT_EQ(first.trials.at(1).load, first.trials.at(0).load);
  EXPECT_FALSE(first.trials.at(1).disturbed);
  EXPECT_TRUE(first.trials.at(1).counts);
}

TEST_F(StudyRun, ATrialThatIsDisturbedEveryTimeCountsAndSaysSo) {
  plan_.nodes = {"1"};
  plan_.base = false;
  cluster_.stolen = std::vector<double>(1000, 5.0);
  const PointResult found = point(run(), 0);
  EXPECT_EQ(found.status, PointStatus::confirmed);
  ASSERT_EQ(found.trials.size() % (plan_.repeats + 1), 0U);
  for (std::size_t index = 0; index < found.trials.size(); ++index) {
    EXPECT_TRUE(found.trials[index].disturbed);
    EXPECT_EQ(found.trials[index].counts, index % (plan_.repeats + 1) == plan_.repeats);
  }
}

TEST_F(StudyRun, AGeneratorAtItsEndIsNotTakenForTheService) {
  cluster_.status = Status::generator_limited;
  const RunRecord record = run();
  EXPECT_EQ(record.verdict.status, Status::generator_limited);
  EXPECT_EQ(point(record, 0).status, PointStatus::generator_limited);
  EXPECT_THAT(point(record, 0).measured, IsEmpty());
}

TEST_F(StudyRun, AListedLoadIsMeasuredOncePerNodeCount) {
  plan_.loads = {"80", "120", "90"};
  const RunRecord record = run();
  const PointResult four = point(record, 3);
  ASSERT_EQ(four.trials.size(), 3U);
  EXPECT_EQ(four.trials[0].load, 320U);
  EXPECT_EQ(four.trials[1].load, 480U);
  EXPECT_EQ(four.answer->load, 360U);
  EXPECT_EQ(four.answer->upper, 480U);
  EXPECT_THAT(four.measured, Each(360));
  EXPECT_EQ(four.status, PointStatus::confirmed);
}

TEST_F(StudyRun, AListedLoadThatWasVoidIsTriedOnceMore) {
  plan_.loads = {"80", "90"};
  plan_.nodes = {"1"};
  plan_.base = false;
  cluster_.void_runs = {1};
  const PointResult found = point(run(), 0);
  ASSERT_EQ(found.trials.size(), 3U);
  EXPECT_EQ(found.trials[0].status, Status::void_run);
  EXPECT_EQ(found.trials[1].load, 80U);
  EXPECT_EQ(found.trials[1].why, "the trial was void, so it is repeated");
  EXPECT_EQ(found.trials[1].status, Status::pass);
  EXPECT_EQ(found.trials[2].load, 90U);
  EXPECT_EQ(found.trials[2].why, "");
  EXPECT_EQ(found.why, "90 is the highest load of the list that passed");
  EXPECT_EQ(to_json(found).at("trials").at(1).at("why"), found.trials[1].why) << "the record says it";
}

TEST_F(StudyRun, AListedLoadThatIsVoidTwiceCountsAsVoid) {
  plan_.loads = {"80", "90"};
  plan_.nodes = {"1"};
  plan_.base = false;
  cluster_.void_runs = {2, 3};
  const PointResult found = point(run(), 0);
  EXPECT_EQ(found.trials.size(), 3U) << "and not three times";
  EXPECT_EQ(found.status, PointStatus::confirmed);
  EXPECT_EQ(found.answer->load, 80U);
  EXPECT_EQ(found.why,
            "80 is the highest load of the list that passed; void, and void again when repeated: 90");
}

TEST_F(StudyRun, AListThatIsVoidAltogetherSaysNothingOfTheService) {
  plan_.loads = {"80"};
  plan_.nodes = {"1"};
  plan_.base = false;
  cluster_.void_runs = {1, 2};
  const RunRecord record = run();
  EXPECT_EQ(record.verdict.status, Status::void_run);
  EXPECT_EQ(point(record, 0).status, PointStatus::failed);
  const PointResult again = point(run(), 0);
  EXPECT_EQ(again.status, PointStatus::confirmed) << "taken up, it is tried again";
  EXPECT_EQ(again.trials.size(), 3U);
}

TEST_F(StudyRun, AListedLoadThatFailedOutweighsOneThatTheGeneratorLimited) {
  const ListOutcome outcome = outcome_of({{200, Status::fail, 0}, {400, Status::generator_limited, 1}});
  EXPECT_EQ(outcome.status, PointStatus::not_confirmed);
  EXPECT_EQ(outcome_of({{400, Status::generator_limited, 1}}).status, PointStatus::generator_limited);
}

TEST_F(StudyRun, WhatCannotBeKeptEndsTheStudyAndLosesNothingOfBefore) {
  plan_.loads = {"80"};
  std::ofstream(folder_.path() / "dsr-2") << "no folder can be made here";
  std::string complaint;
  try {
    (void)run();
  } catch (const StoreError& fault) {
    complaint = fault.what();
  }
  EXPECT_THAT(complaint, AllOf(HasSubstr((folder_.path() / "dsr-2").string()), HasSubstr("the disk at '"),
                               HasSubstr("the same command goes on from there")));
  const RunRecord kept = read_record(folder_.path() / "study.json");
  EXPECT_EQ(point(kept, 1).status, PointStatus::confirmed);
  EXPECT_EQ(point(kept, 2).status, PointStatus::interrupted);
  EXPECT_THAT(point(kept, 2).trials, IsEmpty());
  const int runs = cluster_.runs;
  std::filesystem::remove(folder_.path() / "dsr-2");
  EXPECT_EQ(run().verdict.status, Status::pass);
  EXPECT_EQ(cluster_.runs - runs, 2) << "nothing is measured twice";
}

TEST_F(StudyRun, AListOfWhichNothingPassesHasNoAnswer) {
  plan_.loads = {"200"};
  const PointResult found = point(run(), 1);
  EXPECT_EQ(found.status, PointStatus::not_confirmed);
  EXPECT_FALSE(found.answer);
  EXPECT_THAT(found.measured, IsEmpty());
}

TEST_F(StudyRun, NoLoadIsSentBeforeTheClusterWasCheckedAgain) {
  const RunRecord record = run();
  EXPECT_EQ(cluster_.prepared, cluster_.runs + static_cast<int>(record.points.size()));
}

TEST_F(StudyRun, ATrialThatCannotBeMadeIsMadeAgain) {
  cluster_.cannot_begin = 3;
  const PointResult first = point(run(), 0);
  EXPECT_EQ(first.status, PointStatus::confirmed);
  EXPECT_EQ(first.trials.at(2).status, Status::void_run);
  EXPECT_THAT(first.trials.at(2).reasons, ElementsAre(HasSubstr("no descriptors are left")));
  EXPECT_EQ(first.trials.at(3).load, first.trials.at(2).load);
}

TEST_F(StudyRun, APointWhoseFirstTrialCannotBeMadeFails) {
  cluster_.cannot_begin = 1;
  const PointResult first = point(run(), 0);
  EXPECT_EQ(first.status, PointStatus::failed);
  EXPECT_EQ(first.why, "no descriptors are left");
}

TEST_F(StudyRun, APointThatFailedKeepsTheTrialsThatSaidSomething) {
  plan_.nodes = {"1"};
  plan_.base = false;
  cluster_.before_run = [this] {
    cluster_.broken = cluster_.runs == 3 ? std::vector<std::uint32_t>{1} : cluster_.broken;
  };
  const PointResult failed = point(run(), 0);
  EXPECT_EQ(failed.status, PointStatus::failed);
  ASSERT_EQ(failed.trials.size(), 3U);
  cluster_.broken.clear();
  const PointResult again = point(run(), 0);
  EXPECT_EQ(again.status, PointStatus::confirmed);
  ASSERT_GT(again.trials.size(), 3U);
  for (std::size_t index = 0; index < 3; ++index) {
    EXPECT_EQ(to_json(again.trials[index]), to_json(failed.trials[index]));
  }
  EXPECT_EQ(again.trials[3].number, 4U);
}

TEST_F(StudyRun, NoLoadIsSmallerThanThreadsNeed) {
  plan_.nodes = {"1"};
  plan_.base = false;
  web_plan(*plan_.workload).threads = 4;
  cluster_.per_node = 2;
  const PointResult found = point(run(), 0);
  for (const TrialReport& trial : found.trials) {
    EXPECT_GE(trial.load, 4U);
  }
}

}  // namespace
}  // namespace scalemark::study

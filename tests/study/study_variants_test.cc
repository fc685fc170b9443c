// Studies whose points are measured once for each of several variants, and studies of mail.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "study/mail_workload.h"
#include "study/point_plan.h"
#include "study/study_run.h"
#include "tests/core/temporary_folder.h"
#include "tests/core/usage_error.h"
#include "tests/study/made_up_cluster.h"

namespace scalemark::study {
namespace {

using testbed::ServiceKind;
using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

class MailStudy : public testing::Test {
 protected:
  MailStudy() {
    take_service(plan_, ServiceKind::mail);
    plan_.nodes = {"1", "2"};
    plan_.loads = {"12"};
    plan_.out = folder_.path().string();
    const auto accounts = folder_.path() / "accounts.txt";
    std::ofstream file(accounts);
    for (int i = 1; i <= 96; ++i) {
      file << "u" << i << "@a.test x\n";
    }
    cluster_.accounts = accounts.string();
  }

  RunRecord run() {
    const StudyStore store(folder_.path() / "out", plan_);
    return study::run(plan_, cluster_, store, {.stop = &stop_});
  }
  void vary_size() {
    plan_.variants = {{"2K", {{"message-size", {"2K"}}}, {}}, {"30/60", {{"pop3-timeout", {"30s"}}}, {}}};
  }
  /// "" when the plan is sound.
  std::string complaint() {
    try {
      check(plan_);
      return "";
    } catch (const UsageError& fault) {
      return fault.what();
    }
  }

  TemporaryFolder folder_;
  StudyPlan plan_;
  MadeUpCluster cluster_;
  std::atomic<bool> stop_{false};
};

TEST_F(MailStudy, AVariantsNameHasToBeAFolders) {
  plan_.variants = {{std::string(300, 'x'), {{"message-size", {"2K"}}}, {}}};
  EXPECT_THAT(complaint(), HasSubstr("has a name of 300 bytes, which is too long for its folder"));
}

TEST_F(MailStudy, AListedNumberOfUsersIsAnsweredByWhatTheyGotDone) {
  mail_plan(*plan_.workload).iterations = 3;
  const RunRecord record = run();
  EXPECT_EQ(record.verdict.status, Status::pass) << testing::PrintToString(record.verdict.reasons);
  ASSERT_THAT(record.points, SizeIs(3));
  const PointResult two = point_from_json(record.points.at(2));
  EXPECT_EQ(two.setup, (PointSetup{"nginx", 2, false}));
  EXPECT_EQ(two.answer->load, 24U);
  EXPECT_THAT(two.measured, ElementsAre(2400, 2400, 2400)) << "operations per hour of every iteration";
  EXPECT_EQ(record.score.value, 2400);
  EXPECT_EQ(record.score.unit, "operations per hour");
  EXPECT_EQ(record.plan.at("service"), "mail");
  EXPECT_EQ(record.context.at("load_unit"), "users");
  EXPECT_TRUE(record.plan.contains("mail"));
  EXPECT_FALSE(record.plan.contains("web"));
}

TEST_F(MailStudy, ASearchTriesNoMoreUsersThanTheClusterHasAccounts) {
  plan_.loads = {"search"};
  plan_.nodes = {"1"};
  plan_.base = false;
  cluster_.per_node = 1000;
  const PointResult point = point_from_json(run().points.at(0));
  EXPECT_EQ(point.answer->load, 96U);
  EXPECT_EQ(point.trials.front().load, 12U) << "what is usual on a node";
}

TEST_F(MailStudy, EveryPointIsMeasuredForEveryVariant) {
  vary_size();
  std::vector<std::string> seen;
  cluster_.look = [&seen](const PointSetup& point, const Workload& trial) {
    const mail::MailPlan& plan = mail_plan(trial);
    seen.push_back(point.router + " " + std::to_string(point.nodes) + " " + point.variant + " " +
                   (plan.pop3_settings.timeout == std::chrono::seconds(30) ? "30" : "-"));
  };
  mail_plan(*plan_.workload).pop3_settings.timeout = std::chrono::seconds(15);
  const RunRecord record = run();
  EXPECT_THAT(seen, ElementsAre("none 1 2K -", "none 1 30/60 30", "nginx 1 2K -", "nginx 1 30/60 30",
                                "nginx 2 2K -", "nginx 2 30/60 30"));
  ASSERT_THAT(record.points, SizeIs(6));
  const PointResult point = point_from_json(record.points.at(5));
  EXPECT_EQ(point.setup.variant, "30/60");
  EXPECT_EQ(point.name(), "nginx, 2 nodes, 30/60");
  EXPECT_EQ(point.trials.at(0).record, "nginx-2_30-60/trial-01.json");
  EXPECT_EQ(record.plan.at("variants").at("30/60").at("pop3-timeout"), "30s");
}

TEST_F(MailStudy, AVariantsOwnSmallerPointsLetItsLargerOnesExpect) {
  vary_size();
  plan_.loads = {"search"};
  plan_.base = false;
  cluster_.look = [this](const PointSetup& point, const Workload&) {
    cluster_.per_node = point.variant == "2K" ? 16 : 40;
  };
  const RunRecord record = run();
  EXPECT_EQ(point_from_json(record.points.at(2)).trials.front().load, 32U);
  EXPECT_EQ(point_from_json(record.points.at(3)).trials.front().load, 80U);
}

TEST_F(MailStudy, AnInterruptedOneIsTakenUpVariantByVariant) {
  vary_size();
  const RunRecord whole = run();
  const int in_one_go = cluster_.runs;
  std::filesystem::remove_all(folder_.path() / "out");
  cluster_.runs = 0;
  cluster_.before_run = [this] { stop_ = cluster_.runs == 3; };
  EXPECT_EQ(run().verdict.status, Status::interrupted);
  stop_ = false;
  cluster_.before_run = {};
  const RunRecord resumed = run();
  EXPECT_EQ(cluster_.runs, in_one_go);
  EXPECT_EQ(resumed.verdict.status, Status::pass);
  ASSERT_THAT(resumed.points, SizeIs(6));
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(resumed.points.at(i).at("measured"), whole.points.at(i).at("measured"));
  }
}

TEST_F(MailStudy, VariantsMayBeAddedInTheSameFolderButNotChanged) {
  vary_size();
  run();
  const int runs = cluster_.runs;
  plan_.variants.push_back({"8K", {{"message-size", {"8K"}}}, {}});
  run();
  EXPECT_EQ(cluster_.runs - runs, 3) << "only the new variant is measured";
  plan_.variants.at(0).workload.at(0).texts = {"4K"};
  EXPECT_THAT(usage_error([this] { run(); }), AllOf(HasSubstr("variants/2K"), HasSubstr("--out")));
}

TEST_F(MailStudy, RoutersWordIsTheProxyAndHowManyThereAre) {
  const auto proxies_of = [this](const std::string& word) {
    const testbed::MailPart mail = cluster_of(plan_, {word, 4, false}).mail;
    return std::pair(mail.proxy, mail.proxies);
  };
  using testbed::ProxyKind;
  EXPECT_EQ(proxies_of("none"), std::pair(ProxyKind::none, 1U));
  EXPECT_EQ(proxies_of("nginx"), std::pair(ProxyKind::nginx, 1U));
  EXPECT_EQ(proxies_of("nginx-2"), std::pair(ProxyKind::nginx, 2U));
  EXPECT_EQ(proxies_of("dovecot-3"), std::pair(ProxyKind::dovecot, 3U));
  for (const char* word : {"dsr", "none-2", "nginx-1", "nginx-x", "nginx-99", "nginx-"}) {
    EXPECT_THAT(usage_error([&] { (void)proxies_of(word); }), HasSubstr("routers")) << word;
  }
}

TEST_F(MailStudy, ARouterMayHaveNumbersOfNodesOfItsOwn) {
  plan_.routers = {"nginx", "nginx-2"};
  plan_.nodes_of = {"nginx-2:8"};
  plan_.base = false;
  EXPECT_THAT(plan_.points(), ElementsAre(PointSetup{"nginx", 1, false}, PointSetup{"nginx", 2, false},
                                          PointSetup{"nginx-2", 8, false}));
  plan_.nodes_of = {"nat:8"};
  EXPECT_THAT(complaint(), HasSubstr("'nat' is none of the routers"));
  plan_.nodes_of = {"8"};
  EXPECT_THAT(complaint(), HasSubstr("nodes-of"));
}

TEST_F(MailStudy, VariantsOfTheClusterReachItsPlan) {
  plan_.variants = {{"slow", {}, {{"node-cpu", {"20%"}}}}, {"fast", {}, {{"node-cpu", {"none"}}}}};
  EXPECT_EQ(cluster_of(plan_, {"nginx", 2, false, "slow"}).node_cpu, 0.2);
  EXPECT_EQ(cluster_of(plan_, {"nginx", 2, false, "fast"}).node_cpu, std::nullopt);
  EXPECT_THAT(usage_error([this] {
                (void)cluster_of(plan_, {"nginx", 2, false, "fats"});
              }),
              HasSubstr("no variant 'fats'"));
}

TEST_F(MailStudy, RefusesMoreUsersThanTheClusterHasAccounts) {
  EXPECT_EQ(complaint(), "");
  plan_.loads = {"50"};
  EXPECT_THAT(complaint(), AllOf(HasSubstr("100 users on 2 nodes"), HasSubstr("96 accounts")));
  plan_.variants = {{"more", {}, {{"accounts", {"100"}}}}};
  EXPECT_EQ(complaint(), "");
}

TEST_F(MailStudy, RefusesVariantsThatCannotBeToldApartOrCannotRun) {
  plan_.variants = {{"30/60", {}, {}}, {"30-60", {}, {}}};
  EXPECT_THAT(complaint(), AllOf(HasSubstr("30/60"), HasSubstr("one folder")));
  plan_.variants = {{"slow", {{"threads", {"20"}}}, {}}};
  EXPECT_THAT(complaint(), HasSubstr("variant 'slow': 20 threads cannot share 12 users"));
  plan_.variants = {{"slow", {{"message-sise", {"2K"}}}, {}}};
  EXPECT_THAT(complaint(), HasSubstr("message-size"));
}

TEST_F(MailStudy, AServiceOfTheUsersOwnHasToBeNamed) {
  plan_.provider = Provider::fixed;
  plan_.nodes = {"1"};
  plan_.routers = {"lb"};
  EXPECT_THAT(complaint(), HasSubstr("[mail] smtp = "));
  mail::MailPlan& mail = mail_plan(*plan_.workload);
  mail.smtp = {"127.0.0.1:25"};
  mail.pop3 = {"127.0.0.1:110"};
  mail.accounts_file = "accounts.txt";
  EXPECT_EQ(complaint(), "");
  plan_.variants = {{"slow", {}, {{"node-cpu", {"20%"}}}}};
  EXPECT_THAT(complaint(), HasSubstr("only an emulated cluster"));
}

}  // namespace
}  // namespace scalemark::study

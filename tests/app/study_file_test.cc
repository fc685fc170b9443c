#include "app/study_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "core/units.h"
#include "study/mail_workload.h"
#include "study/point_plan.h"
#include "study/study_store.h"
#include "study/web_workload.h"
#include "tests/core/temporary_folder.h"
#include "tests/core/usage_error.h"

namespace scalemark::app {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* kStudy =
    "[study]\nnodes = [1, 2]\nprobe-window = \"4s\"\n"
    "[study.full]\nnodes = [\"1-8\"]\n"
    "[cluster]\nname = \"mine\"\nnode-link = \"20mbit\"\n"
    "[cluster.full]\nnode-link = \"100mbit\"\n"
    "[web]\ndirectories = 3\n"
    "[web.quick]\nwindow = \"7s\"\n"
    "[web.full]\nwindow = \"1h\"\n";

class StudyFile : public testing::Test {
 protected:
  study::StudyPlan read(const std::string& text, const std::vector<Given>& command_line = {},
                        const std::vector<std::string>& overrides = {}) {
    const auto path = folder_.path() / "study.toml";
    std::ofstream(path) << text;
    study::StudyPlan plan;
    apply_study_file(plan, path.string(), command_line, overrides);
    return plan;
  }
  std::string urls_file_of(const std::string& text) {
    const study::StudyPlan plan = read(text);
    return study::web_plan(*plan.workload).urls_file;
  }
  std::string complaint(const std::string& text, const std::vector<std::string>& overrides = {}) {
    return usage_error([&] { (void)read(text, {}, overrides); });
  }

  TemporaryFolder folder_;
};

TEST_F(StudyFile, TheProfilesAdditionIsLaidOverThePlainTables) {
  const study::StudyPlan quick = read(kStudy);
  EXPECT_THAT(quick.node_counts(), ElementsAre(1, 2));
  EXPECT_EQ(quick.cluster.node_link, BitsPerSecond{20e6});
  EXPECT_EQ(study::web_plan(*quick.workload).phases.window, std::chrono::seconds(7));
  EXPECT_EQ(study::web_plan(*quick.workload).directories, 3U);
  const study::StudyPlan full = read(kStudy, {{"profile", {"full"}, ""}});
  EXPECT_EQ(full.node_counts().size(), 8U);
  EXPECT_EQ(full.cluster.node_link, BitsPerSecond{100e6});
  EXPECT_EQ(study::web_plan(*full.workload).phases.window, std::chrono::hours(1));
  EXPECT_EQ(study::web_plan(*full.workload).phases.warm_up, std::chrono::minutes(20))
      << "of the web's own full profile";
  EXPECT_EQ(full.probe.window, std::chrono::seconds(4));
}

TEST_F(StudyFile, TheCommandLineComesLast) {
  const study::StudyPlan plan = read(
      kStudy, {{"nodes", {"4"}, ""}},
      {"web.window=9s", "cluster.node-link=5mbit", "study.load=100", "study.load=120", "web.require=ops>1"});
  EXPECT_THAT(plan.node_counts(), ElementsAre(4));
  EXPECT_EQ(study::web_plan(*plan.workload).phases.window, std::chrono::seconds(9));
  EXPECT_EQ(plan.cluster.node_link, BitsPerSecond{5e6});
  EXPECT_THAT(plan.listed_loads(), ElementsAre(100, 120));
  EXPECT_THAT(study::web_plan(*plan.workload).require, ElementsAre("ops>1"));
}

TEST_F(StudyFile, WhatIsPrintedReadsBackToTheSamePlan) {
  const study::StudyPlan plan = read(kStudy, {}, {"web.seed=7"});
  const study::StudyPlan again = read(write_study_file(plan));
  EXPECT_EQ(write_study_file(again), write_study_file(plan));
  EXPECT_EQ(study::web_plan(*again.workload).seed, 7U);
}

TEST_F(StudyFile, SlipsAreFoundInBothProfiles) {
  EXPECT_THAT(complaint("[study]\nnodse = [1]\n"), AllOf(HasSubstr("study.toml:2"), HasSubstr("nodes")));
  EXPECT_THAT(complaint("[web.full]\nwindwo = \"1s\"\n"), HasSubstr("window")) << "not the profile at hand";
  EXPECT_THAT(complaint("[webb]\nwindow = \"1s\"\n"), HasSubstr("[webb]"));
  EXPECT_THAT(complaint("[web]\nconnections = 3\n"), HasSubstr("the study chooses the load"));
  EXPECT_THAT(complaint("[cluster]\nrouter = \"nat\"\n"), HasSubstr("write routers in [study]"));
}

TEST_F(StudyFile, SaysWhatFormAnOverrideHas) {
  for (const char* text : {"window=3s", "web.window", "=", "web=3.window"}) {
    EXPECT_THAT(complaint(kStudy, {text}), HasSubstr("TABLE.NAME=VALUE")) << text;
  }
  EXPECT_THAT(complaint(kStudy, {"wbe.window=3s"}), HasSubstr("wbe"));
  EXPECT_THAT(complaint(kStudy, {"web.windwo=3s"}), HasSubstr("window"));
}

TEST_F(StudyFile, AListOfUrlsIsLookedForBesideTheFile) {
  std::ofstream(folder_.path() / "list.txt") << "/a 1 10\n";
  EXPECT_EQ(urls_file_of("[web]\nurls = \"list.txt\"\n"), (folder_.path() / "list.txt").string());
  EXPECT_EQ(urls_file_of("[web]\nurls = \"/elsewhere/list.txt\"\n"), "/elsewhere/list.txt");
}

TEST_F(StudyFile, AFileWithATableOfMailIsAStudyOfMail) {
  const study::StudyPlan plan = read(
      "[study]\nnodes = [1, 2]\nload = [12]\n[mail]\nmessage-size = \"4K\"\n[mail.quick]\nwindow = \"9s\"\n"
      "[cluster]\naccounts = 48\n",
      {}, {"mail.seed=7", "cluster.proxy-cpu=50%"});
  EXPECT_EQ(plan.service, testbed::ServiceKind::mail);
  EXPECT_THAT(plan.routers, ElementsAre("nginx"));
  const mail::MailPlan& mail = study::mail_plan(*plan.workload);
  EXPECT_EQ(mail.sizes.front().bytes, 4096U);
  EXPECT_EQ(mail.phases.window, std::chrono::seconds(9));
  EXPECT_EQ(mail.seed, 7U);
  EXPECT_EQ(plan.cluster.service, testbed::ServiceKind::mail);
  EXPECT_EQ(plan.cluster.mail.accounts, 48U);
  EXPECT_EQ(plan.cluster.mail.proxy_cpu, 0.5);
  EXPECT_EQ(write_study_file(read(write_study_file(plan))), write_study_file(plan));
}

TEST_F(StudyFile, TheServiceIsSaidWhereTheTablesDoNotSayIt) {
  EXPECT_THAT(complaint("[web]\n[mail]\n"), HasSubstr("service = \"web\""));
  EXPECT_EQ(read("[study]\nservice = \"mail\"\n[web]\n[mail]\n").service, testbed::ServiceKind::mail);
  EXPECT_EQ(read("[mail]\n", {{"service", {"web"}, ""}}).service, testbed::ServiceKind::web);
  EXPECT_EQ(read("[study]\n", {}, {"mail.seed=1"}).service, testbed::ServiceKind::mail);
  EXPECT_THAT(complaint("[mail]\nusers = 3\n"), HasSubstr("the study chooses the load"));
  EXPECT_THAT(complaint("[mail]\n[cluster]\nproxies = 2\n"), HasSubstr("write routers in [study]"));
}

constexpr const char* kVariants =
    "[study]\nnodes = [1]\n[mail]\n[variants.\"16K\"]\nmessage-size = \"16k\"\n"
    "[variants.2K]\nmessage-size = \"2K\"\ncluster.node-cpu = \"20%\"\n"
    "[variants.\"1.5/3 s\"]\nsmtp-timeout = \"3s\"\ntls = \"required\"\nsmtp-tls = \"off\"\n";

TEST_F(StudyFile, VariantsStandInTheOrderOfTheFile) {
  const study::StudyPlan plan = read(kVariants);
  ASSERT_EQ(plan.variants.size(), 3U);
  EXPECT_EQ(plan.variants[0].name, "16K");
  EXPECT_EQ(plan.variants[1].name, "2K");
  EXPECT_EQ(plan.variants[2].name, "1.5/3 s");
  EXPECT_THAT(plan.variants[1].cluster, ElementsAre(study::Override{"node-cpu", {"20%"}}));
  const study::AnyWorkload slow = study::workload_of(plan, {"nginx", 1, false, "1.5/3 s"});
  EXPECT_EQ(study::mail_plan(*slow).pop3_settings.tls, mail::TlsUse::required);
  EXPECT_EQ(study::mail_plan(*slow).smtp_settings.tls, mail::TlsUse::off);
}

TEST_F(StudyFile, VariantsThatArePrintedReadBackToTheSame) {
  const study::StudyPlan plan = read(kVariants);
  const study::StudyPlan again = read(write_study_file(plan));
  ASSERT_EQ(again.variants.size(), plan.variants.size());
  for (std::size_t i = 0; i < plan.variants.size(); ++i) {
    EXPECT_EQ(again.variants[i].name, plan.variants[i].name);
    EXPECT_EQ(again.variants[i].cluster, plan.variants[i].cluster);
  }
  EXPECT_EQ(write_study_file(again), write_study_file(plan));
  EXPECT_EQ(study::plan_json(again).at("variants"), study::plan_json(plan).at("variants"));
}

TEST_F(StudyFile, AVariantMayEmptyWhatTheTableSays) {
  const study::StudyPlan plan = read("[mail]\ncorpus = \"/x\"\n[variants.a]\ncorpus = \"\"\n");
  EXPECT_EQ(study::mail_plan(*study::workload_of(plan, {"nginx", 1, false, "a"})).corpus, "");
}

TEST_F(StudyFile, SlipsInVariantsAreFound) {
  EXPECT_THAT(complaint("[variants.a]\nwindwo = \"1s\"\n"),
              AllOf(HasSubstr("study.toml:2"), HasSubstr("window")));
  EXPECT_THAT(complaint("[variants.a]\nwindow = \"1\"\n"),
              AllOf(HasSubstr("study.toml:2"), HasSubstr("unit")));
  EXPECT_THAT(complaint("[variants.a]\nconnections = 5\n"), HasSubstr("the study chooses the load"));
  EXPECT_THAT(complaint("[variants.a.cluster]\nnodes = 5\n"), HasSubstr("write nodes in [study]"));
  EXPECT_THAT(complaint("[variants.a.cluster]\nname = \"x\"\n"), HasSubstr("write its name in [cluster]"));
  EXPECT_THAT(complaint("[variants.a.clutser]\nspread = \"hash\"\n"), HasSubstr("variants.a.cluster"));
  EXPECT_THAT(complaint("[variants]\nwindow = \"1s\"\n"), HasSubstr("study.toml:2"));
}

}  // namespace
}  // namespace scalemark::app

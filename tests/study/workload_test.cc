// What searches and studies do to a run, whichever service it is of.

#include "study/workload.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "study/mail_workload.h"
#include "study/web_workload.h"
#include "tests/core/temporary_folder.h"
#include "tests/core/usage_error.h"

namespace scalemark::study {
namespace {

using namespace std::chrono_literals;
using testbed::ServiceKind;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

/// The workload that a command line of arguments_of() comes to, read as app/ does it: by the settings table.
AnyWorkload read_back(ServiceKind service, const std::vector<std::string>& arguments) {
  AnyWorkload workload = make_workload(service);
  std::vector<Override> given;
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    const std::string word = arguments[i].substr(2);
    const auto equals = word.find('=');
    const std::string name = word.substr(0, equals);
    const std::string value = equals == std::string::npos ? "true" : word.substr(equals + 1);
    const auto known = std::find_if(given.begin(), given.end(),
                                    [&name](const Override& entry) { return entry.name == name; });
    if (known != given.end()) {
      known->texts.push_back(value);
    } else {
      given.push_back({name, {value}});
    }
  }
  apply_overrides(workload->settings(), given);
  return workload;
}

Json plan_of(AnyWorkload workload) {
  Json json = settings_json(workload->settings());
  json.erase("json");
  json.erase("csv");
  return json;
}

TEST(WebArguments, SayEverySettingThatHasAValue) {
  WebWorkload workload;
  workload.plan.urls = {"http://10.0.0.1/", "http://10.0.0.2/"};
  workload.plan.connections = 77;
  workload.plan.require = {"conforming>=99%"};
  workload.plan.csv = "never.csv";
  workload.plan.json = "never.json";
  const auto arguments = arguments_of(workload);
  EXPECT_EQ(arguments.front(), "web");
  EXPECT_THAT(arguments, Contains("--url=http://10.0.0.1/"));
  EXPECT_THAT(arguments, Contains("--url=http://10.0.0.2/"));
  EXPECT_THAT(arguments, Contains("--connections=77"));
  EXPECT_THAT(arguments, Contains("--require=conforming>=99%"));
  EXPECT_THAT(arguments, Contains("--json=-").Times(1));
  EXPECT_THAT(arguments, Each(Not(HasSubstr("never")))) << "a trial's only output is its record";
  EXPECT_THAT(arguments, Each(Not(HasSubstr("insecure"))));
  workload.plan.insecure = true;
  EXPECT_THAT(arguments_of(workload), Contains("--insecure"));
}

TEST(WebArguments, ReadBackToTheSamePlan) {
  AnyWorkload workload = make_workload(ServiceKind::web);
  web::WebPlan& plan = web_plan(*workload);
  plan.urls = {"http://10.0.0.1/"};
  plan.bind = {"10.0.0.2", "10.0.0.4-10.0.0.9"};
  plan.phases = {1s, 250ms, 90s, 0s};
  plan.line_speed = BitsPerSecond{1e6};
  plan.persistent_share = 0.25;
  plan.insecure = true;
  EXPECT_EQ(plan_of(read_back(ServiceKind::web, arguments_of(*workload))), plan_of(workload));
}

TEST(MailArguments, ReadBackToTheSamePlan) {
  AnyWorkload workload = make_workload(ServiceKind::mail);
  mail::MailPlan& plan = mail_plan(*workload);
  plan.smtp = {"10.0.0.1:25", "[::1]:25"};
  plan.pop3 = {"10.0.0.1:110"};
  plan.accounts_file = "/tmp/accounts of all.txt";
  plan.users = 24;
  plan.empty_first = false;
  plan.phases.window = 90s;
  plan.smtp_settings.tls = mail::TlsUse::required;  // and POP3 without
  plan.sizes = {{1024, 10}, {102400, 1}};
  const auto arguments = arguments_of(*workload);
  EXPECT_EQ(arguments.front(), "mail");
  EXPECT_THAT(arguments, Contains("--smtp=10.0.0.1:25"));
  EXPECT_THAT(arguments, Contains("--users=24"));
  EXPECT_THAT(arguments, Contains("--keep-mailboxes"));
  EXPECT_THAT(arguments, Contains("--json=-"));
  EXPECT_THAT(arguments, Each(Not(StartsWith("--tls="))));
  EXPECT_EQ(plan_of(read_back(ServiceKind::mail, arguments)), plan_of(workload));
}

TEST(Workload, AimsAtTheHostsOfACluster) {
  WebWorkload web;
  web.plan.urls = {"http://elsewhere/"};
  web.aim_at({});
  EXPECT_EQ(web.aim(), "http://elsewhere/");
  web.aim_at({{"10.77.0.11", "10.77.0.12"}, ""});
  EXPECT_THAT(web.plan.urls, ElementsAre("http://10.77.0.11/", "http://10.77.0.12/"));
  MailWorkload mail;
  mail.plan.addresses = "u{1..9}@a.test";
  mail.plan.passwords = "x";
  mail.aim_at({{"10.78.0.100"}, "/run/accounts"});
  EXPECT_EQ(mail.aim(), "SMTP 10.78.0.100:25 and POP3 10.78.0.100:110");
  EXPECT_EQ(mail.plan.accounts_file, "/run/accounts");
  EXPECT_EQ(mail.plan.addresses + mail.plan.passwords, "") << "the cluster's accounts take their place";
}

TEST(Workload, WhatIsNamedAlreadyStaysWhenTheAimIsCompleted) {
  WebWorkload web;
  web.plan.urls = {"http://10.77.0.11/"};
  web.complete_aim({{"10.78.0.100"}, ""});
  EXPECT_THAT(web.plan.urls, ElementsAre("http://10.77.0.11/"));
  MailWorkload mail;
  mail.plan.smtp = {"10.77.0.11:25"};
  mail.plan.addresses = "u{1..9}@a.test";
  mail.complete_aim({{"10.78.0.100"}, "/run/accounts"});
  EXPECT_EQ(mail.aim(), "SMTP 10.77.0.11:25 and POP3 10.78.0.100:110");
  EXPECT_EQ(mail.plan.accounts_file, "");
}

TEST(Workload, HasRoomForThreadsFrontsAndAccounts) {
  WebWorkload web;
  web.plan.urls.assign(5, "http://10.0.0.1/");
  web.plan.threads = 3;
  EXPECT_EQ(web.least_load(), 5U);
  MailWorkload mail;
  mail.plan.smtp = {"10.0.0.1:25"};
  mail.plan.pop3 = {"10.0.0.1:110", "10.0.0.2:110"};
  EXPECT_EQ(mail.least_load(), 2U);
  mail.plan.addresses = "u{01..30}@a.test";
  mail.plan.passwords = "x";
  EXPECT_EQ(mail.most_load(), 30U);
  mail.plan.addresses = "";
  mail.plan.accounts_file = "/nonexistent/accounts";
  EXPECT_THAT(usage_error([&mail] { (void)mail.most_load(); }), HasSubstr("/nonexistent/accounts"));
}

TEST(Workload, FilesAreFoundBesideTheStudysFile) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "accounts.txt") << "a@a.test x\n";
  MailWorkload mail;
  mail.plan.accounts_file = "accounts.txt";
  mail.plan.corpus = "/elsewhere";
  mail.find_files(folder.path());
  EXPECT_EQ(mail.plan.accounts_file, (folder.path() / "accounts.txt").string());
  EXPECT_EQ(mail.plan.corpus, "/elsewhere");
}

TEST(Workload, ACopyIsOneOfItsOwn) {
  AnyWorkload one = make_workload(ServiceKind::mail);
  AnyWorkload other = one;
  other->set_load(7);
  other->measure_once();
  EXPECT_EQ(one->load(), 96U);
  one = other;
  EXPECT_EQ(one->load(), 7U);
}

TEST(Overrides, AreAppliedInTheSettingsOrderAndUnknownOnesRefused) {
  MailWorkload mail;
  apply_overrides(mail.settings(), {{"pop3-tls", {"off"}}, {"tls", {"required"}}});
  EXPECT_EQ(mail.plan.smtp_settings.tls, mail::TlsUse::required);
  EXPECT_EQ(mail.plan.pop3_settings.tls, mail::TlsUse::off) << "what is said of one protocol stands";
  EXPECT_THAT(usage_error([&mail] {
                apply_overrides(mail.settings(), {{"windwo", {"1s"}}});
              }),
              HasSubstr("window"));
}

}  // namespace
}  // namespace scalemark::study

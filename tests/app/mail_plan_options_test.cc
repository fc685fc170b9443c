#include "app/mail_plan_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace scalemark::app {
namespace {

using namespace std::chrono_literals;
using mail::TlsUse;

mail::MailPlan plan_from(const std::vector<Given>& given) {
  mail::MailPlan plan = default_mail_plan();
  apply_to_mail_plan(plan, mail::mail_settings(plan), given);
  return plan;
}

TEST(MailPlanOptionsTest, TheDefaultIsTheQuickProfile) {
  const mail::MailPlan plan = default_mail_plan();
  EXPECT_EQ(plan.profile, mail::Profile::quick);
  EXPECT_EQ(plan.phases.window, 60s);
  EXPECT_EQ(plan.drain, 60s);
}

TEST(MailPlanOptionsTest, AGivenTimeStandsWhereverTheProfileWasGiven) {
  for (const std::vector<Given>& given : {
           std::vector<Given>{
               {"window", {"90s"}, "f:1"}, {"drain", {"5s"}, "f:2"}, {"profile", {"full"}, ""}},
           std::vector<Given>{{"profile", {"full"}, "f:1"}, {"window", {"90s"}, ""}, {"drain", {"5s"}, ""}},
       }) {
    const mail::MailPlan plan = plan_from(given);
    EXPECT_EQ(plan.phases.window, 90s);
    EXPECT_EQ(plan.drain, 5s);
    EXPECT_EQ(plan.phases.warm_up, 10min);
    EXPECT_EQ(plan.iterations, 3U);
  }
}

TEST(MailPlanOptionsTest, WhatIsGivenForOneProtocolStandsWhereverTlsWasGiven) {
  // A TOML file's settings come in the order of their names.
  const mail::MailPlan plan = plan_from({{"pop3-tls", {"implicit"}, "f:1"}, {"tls", {"required"}, "f:2"}});
  EXPECT_EQ(plan.smtp_settings.tls, TlsUse::required);
  EXPECT_EQ(plan.pop3_settings.tls, TlsUse::implicit);
}

TEST(MailPlanOptionsTest, TlsOnTheCommandLineOverrulesWhatAFileSaysOfOneProtocol) {
  const mail::MailPlan plan =
      plan_from({{"pop3-tls", {"implicit"}, "f:1"}, {"smtp-tls", {"required"}, "f:2"}, {"tls", {"off"}, ""}});
  EXPECT_EQ(plan.smtp_settings.tls, TlsUse::off);
  EXPECT_EQ(plan.pop3_settings.tls, TlsUse::off);
}

TEST(MailPlanOptionsTest, OneProtocolOnTheCommandLineOverrulesAFilesTls) {
  const mail::MailPlan plan = plan_from({{"tls", {"required"}, "f:1"}, {"smtp-tls", {"off"}, ""}});
  EXPECT_EQ(plan.smtp_settings.tls, TlsUse::off);
  EXPECT_EQ(plan.pop3_settings.tls, TlsUse::required);
}

}  // namespace
}  // namespace scalemark::app

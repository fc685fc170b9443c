#include "mail_bench/mail_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "tests/core/temporary_folder.h"
#include "tests/core/usage_error.h"

namespace scalemark::mail {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

using Texts = std::vector<std::string>;

class MailPlanTest : public testing::Test {
 protected:
  MailPlanTest() {
    apply_profile(plan_, Profile::quick);
    plan_.smtp = {"127.0.0.1:25"};
    plan_.pop3 = {"127.0.0.1:110"};
    plan_.accounts_file = "accounts.txt";
  }
  std::string fault() {
    return usage_error([this] { check(plan_); });
  }
  Texts get(const std::string& name) {
    Settings settings = mail_settings(plan_);
    return find_setting(settings, name).get();
  }
  void set(const std::string& name, const Texts& values) {
    Settings settings = mail_settings(plan_);
    find_setting(settings, name).set(values);
  }

  MailPlan plan_;
};

TEST_F(MailPlanTest, TheDefaultsWithServersAndAccountsAreRight) {
  EXPECT_NO_THROW(check(plan_));
  EXPECT_EQ(plan_.users, 96U);
  EXPECT_EQ(get("message-size"), Texts{"2K"});
  EXPECT_EQ(get("smtp-timeout"), Texts{"1m"});
  EXPECT_EQ(get("pop3-timeout"), Texts{"30s"});
}

TEST_F(MailPlanTest, ProfilesBringTheirTimes) {
  EXPECT_EQ(plan_.phases.ramp_up, 5s);
  EXPECT_EQ(plan_.phases.warm_up, 10s);
  EXPECT_EQ(plan_.phases.window, 60s);
  EXPECT_EQ(plan_.phases.ramp_down, 0s);
  EXPECT_EQ(plan_.drain, 60s);
  EXPECT_EQ(plan_.iterations, 1U);
  apply_profile(plan_, Profile::full);
  EXPECT_EQ(plan_.phases.ramp_up, 5min);
  EXPECT_EQ(plan_.phases.warm_up, 10min);
  EXPECT_EQ(plan_.phases.window, 60min);
  EXPECT_EQ(plan_.phases.ramp_down, 0s);
  EXPECT_EQ(plan_.drain, 2min);
  EXPECT_EQ(plan_.iterations, 3U);
}

TEST_F(MailPlanTest, EverySettingReadsBackWhatItWrites) {
  plan_.sizes = filesets::parse_mail_sizes("1K:10 3000:2.5");
  plan_.arrivals_per_hour = 29'091.5;
  plan_.smtp_settings.tls = TlsUse::required;
  plan_.pop3_settings.tls = TlsUse::implicit;
  plan_.pop3_settings.auth = Pop3Auth::apop;
  plan_.smtp_settings.connect_timeout = plan_.pop3_settings.connect_timeout = 7s;
  plan_.empty_first = false;
  plan_.pairing = Pairing::independent;
  MailPlan other;
  Settings from = mail_settings(plan_);
  Settings to = mail_settings(other);
  ASSERT_EQ(from.size(), to.size());
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (!from[i].get().empty()) {
      to[i].set(from[i].get());
    }
  }
  for (std::size_t i = 0; i < from.size(); ++i) {
    EXPECT_EQ(to[i].get(), from[i].get()) << from[i].name;
  }
  EXPECT_EQ(other.arrivals_per_hour, 29'091.5);
  EXPECT_EQ(other.smtp_settings.tls, TlsUse::required);
  EXPECT_EQ(other.pop3_settings.tls, TlsUse::implicit);
  EXPECT_EQ(other.smtp_settings.connect_timeout, 7s);
  EXPECT_FALSE(other.empty_first);
  EXPECT_EQ(other.pairing, Pairing::independent);
}

TEST_F(MailPlanTest, OneTlsSettingSpeaksForBothProtocolsUntilTheyDiffer) {
  set("tls", {"required"});
  EXPECT_EQ(plan_.smtp_settings.tls, TlsUse::required);
  EXPECT_EQ(plan_.pop3_settings.tls, TlsUse::required);
  EXPECT_EQ(get("tls"), Texts{"required"});
  EXPECT_THAT(get("smtp-tls"), IsEmpty());
  EXPECT_THAT(get("pop3-tls"), IsEmpty());
  set("pop3-tls", {"implicit"});
  EXPECT_THAT(get("tls"), IsEmpty());
  EXPECT_EQ(get("smtp-tls"), Texts{"required"});
  EXPECT_EQ(get("pop3-tls"), Texts{"implicit"});
  EXPECT_THAT(usage_error([this] { set("tls", {"offered"}); }), HasSubstr("'offered' is none of off"));
}

TEST_F(MailPlanTest, MailboxesAreEmptiedUnlessTheyAreToBeKept) {
  EXPECT_TRUE(plan_.empty_first);
  EXPECT_EQ(get("keep-mailboxes"), Texts{"false"});
  set("keep-mailboxes", {});
  EXPECT_FALSE(plan_.empty_first);
  EXPECT_EQ(get("keep-mailboxes"), Texts{"true"});
  set("keep-mailboxes", {"false"});
  EXPECT_TRUE(plan_.empty_first);
  EXPECT_THAT(usage_error([this] { set("keep-mailboxes", {"no"}); }), HasSubstr("--keep-mailboxes: 'no'"));
  EXPECT_TRUE(plan_.empty_first);
}

TEST_F(MailPlanTest, TheTableOfSizesKeepsItsName) {
  set("message-size", {"table"});
  EXPECT_EQ(plan_.sizes.size(), 10U);
  EXPECT_EQ(get("message-size"), Texts{"table"});
  EXPECT_THAT(usage_error([this] { set("message-size", {"two"}); }), HasSubstr("--message-size: "));
}

TEST_F(MailPlanTest, ServersAreNeeded) {
  plan_.smtp.clear();
  EXPECT_THAT(fault(), HasSubstr("no SMTP server is named; give at least one --smtp"));
  plan_.smtp = {"127.0.0.1:25"};
  plan_.pop3.clear();
  EXPECT_THAT(fault(), HasSubstr("no POP3 server is named; give at least one --pop3"));
}

TEST_F(MailPlanTest, AServerIsAHostAndAPort) {
  for (const char* bad : {"mail", "mail:0", "::1:25", "[::1]", ":25"}) {
    plan_.smtp = {"mail:25", bad};
    EXPECT_THAT(fault(), HasSubstr(std::string("--smtp '") + bad + "' is no host and port")) << bad;
  }
  plan_.smtp = {"mail.example:25", "[::1]:2525"};
  EXPECT_NO_THROW(check(plan_));
  plan_.pop3 = {"mail:70000"};
  EXPECT_THROW(check(plan_), UsageError);
}

TEST_F(MailPlanTest, OnlyWhatFailsARunCanBeTolerated) {
  plan_.tolerate = {"lost", "verified"};
  EXPECT_THAT(fault(),
              HasSubstr("--tolerate 'verified' is no class of messages that fails a run; those are lost,"));
  plan_.tolerate = {"lost", "uncommitted"};
  EXPECT_NO_THROW(check(plan_));
}

TEST_F(MailPlanTest, EveryServerNeedsAUser) {
  plan_.smtp = {"a:25", "b:25", "c:25"};
  plan_.users = 2;
  EXPECT_THAT(fault(), HasSubstr("3 SMTP servers cannot share 2 users"));
  plan_.users = 3;
  EXPECT_NO_THROW(check(plan_));
  plan_.pop3 = {"a:1", "b:1", "c:1", "d:1"};
  EXPECT_THAT(fault(), HasSubstr("4 POP3 servers cannot share 3 users"));
}

TEST_F(MailPlanTest, AccountsComeFromAFileOrAPattern) {
  plan_.addresses = "user{1..96}@example.test";
  EXPECT_THAT(fault(), HasSubstr("leave the one or the others out"));
  plan_.accounts_file.clear();
  EXPECT_THAT(fault(), HasSubstr("give --passwords"));
  plan_.passwords = "secret";
  EXPECT_NO_THROW(check(plan_));
  plan_.addresses.clear();
  EXPECT_THAT(fault(), HasSubstr("give --addresses, too"));
  plan_.passwords.clear();
  EXPECT_THAT(fault(), HasSubstr("no accounts are named; give --accounts FILE"));
}

TEST_F(MailPlanTest, CountsOfZeroAreRefused) {
  plan_.users = 0;
  EXPECT_THAT(fault(), HasSubstr("--users is 0"));
  plan_.users = 96;
  plan_.threads = 0;
  EXPECT_THAT(fault(), HasSubstr("--threads is 0"));
  plan_.threads = 97;
  EXPECT_THAT(fault(), HasSubstr("97 threads cannot share 96 users"));
  plan_.threads = 1;
  plan_.iterations = 0;
  EXPECT_THAT(fault(), HasSubstr("--iterations is 0"));
  plan_.iterations = 1;
  plan_.messages_per_connection = 0;
  EXPECT_THAT(fault(), HasSubstr("--messages-per-connection is 0"));
  plan_.messages_per_connection = 1;
  plan_.most_under_way = 0;
  EXPECT_THAT(fault(), HasSubstr("--under-way is 0"));
}

TEST_F(MailPlanTest, AWindowIsNeeded) {
  plan_.phases.window = 0s;
  EXPECT_THAT(fault(), HasSubstr("--window is 0, so nothing would be measured"));
}

TEST_F(MailPlanTest, ArrivalsAndACapExcludeEachOther) {
  plan_.arrivals_per_hour = 1000;
  EXPECT_NO_THROW(check(plan_));
  plan_.most_per_hour = 1000;
  EXPECT_THAT(fault(), HasSubstr("so --rate-cap would do nothing"));
  EXPECT_THAT(usage_error([this] { set("arrivals", {"-1"}); }), HasSubstr("--arrivals: '-1' is no number"));
}

TEST_F(MailPlanTest, MessagesHaveASizeOrComeFromAFolder) {
  plan_.corpus = "/srv/mail";
  EXPECT_NO_THROW(check(plan_));
  plan_.sizes = {{4096, 1}};
  EXPECT_THAT(fault(), HasSubstr("--corpus says what is sent, so --message-size would do nothing"));
  plan_.corpus.clear();
  EXPECT_NO_THROW(check(plan_));
  plan_.sizes = {{4096, 1}, {500, 1}};
  EXPECT_THAT(fault(), HasSubstr("500 bytes are too few"));
  plan_.sizes.clear();
  EXPECT_THAT(fault(), HasSubstr("names no size"));
}

TEST_F(MailPlanTest, CertificateOptionsAreForTls) {
  plan_.insecure = true;
  EXPECT_THAT(fault(), HasSubstr("are for TLS, which is off"));
  plan_.pop3_settings.tls = TlsUse::implicit;
  EXPECT_NO_THROW(check(plan_));
  plan_.ca_file = "ca.pem";
  EXPECT_THAT(fault(), HasSubstr("leave one of them out"));
  plan_.insecure = false;
  EXPECT_NO_THROW(check(plan_));
}

TEST_F(MailPlanTest, LocalAddressesAreOfTheServersFamily) {
  plan_.bind = {"fd00::1-fd00::8"};
  EXPECT_THAT(fault(), HasSubstr("127.0.0.1:25 cannot be reached"));
  plan_.smtp = {"[::1]:25"};
  EXPECT_THAT(fault(), HasSubstr("127.0.0.1:110 cannot be reached"));
  plan_.pop3 = {"pop3.example:110"};  // what a name stands for is known only later
  EXPECT_NO_THROW(check(plan_));
}

TEST_F(MailPlanTest, TheGreetingGivesAHostName) {
  for (const char* bad : {"", "two words", "line\r\nRSET", "m\xc3\xbcller.example"}) {
    plan_.smtp_settings.hello_name = bad;
    EXPECT_THAT(fault(), HasSubstr("is no host name")) << bad;
  }
}

TEST_F(MailPlanTest, RequirementsAreReadBeforeAnyLoad) {
  plan_.require = {"operations_per_hour>=29000", "operation_p99 < 2s", "lost==0", "late<1%"};
  EXPECT_NO_THROW(check(plan_));
  plan_.require = {"operation_p98<2s"};
  EXPECT_THAT(fault(), AllOf(HasSubstr("--require: "), HasSubstr("operation_p9")));
}

TEST_F(MailPlanTest, RecordAndCsvHaveFilesOfTheirOwn) {
  plan_.json = plan_.csv = "same";
  EXPECT_THAT(fault(), HasSubstr("give each a file of its own"));
}

TEST_F(MailPlanTest, LookingIntoMailboxesNeedsNoSmtpServer) {
  plan_.smtp.clear();
  plan_.users = 0;
  EXPECT_NO_THROW(check_access(plan_));
  plan_.insecure = true;
  EXPECT_THAT(usage_error([this] { check_access(plan_); }), HasSubstr("are for TLS"));
  plan_.insecure = false;
  plan_.pop3.clear();
  EXPECT_THAT(usage_error([this] { check_access(plan_); }), HasSubstr("no POP3 server"));
  const Settings settings = mail_access_settings(plan_);
  EXPECT_THAT(settings, Contains(Field(&Setting::name, "accounts")));
  EXPECT_THAT(settings, Contains(Field(&Setting::name, "pop3")));
  EXPECT_THAT(settings, Not(Contains(Field(&Setting::name, "smtp"))));
  EXPECT_THAT(settings, Not(Contains(Field(&Setting::name, "window"))));
}

TEST_F(MailPlanTest, TheFirstAccountsAreUsed) {
  const TemporaryFolder folder;
  plan_.accounts_file = (folder.path() / "accounts").string();
  std::ofstream(plan_.accounts_file) << "a@example.test one\nb@example.test two\nc@example.test three\n";
  plan_.users = 2;
  EXPECT_THAT(accounts_of(plan_), ElementsAre(Field(&Account::address, "a@example.test"),
                                              Field(&Account::address, "b@example.test")));
  EXPECT_EQ(all_accounts(plan_).size(), 3U);
  plan_.users = 4;
  EXPECT_THAT(usage_error([this] { static_cast<void>(accounts_of(plan_)); }),
              AllOf(HasSubstr("4 users need an account each"), HasSubstr("has 3")));
}

TEST_F(MailPlanTest, APatternGivesAccountsToo) {
  plan_.accounts_file.clear();
  plan_.addresses = "user{01..10}@example.test";
  plan_.passwords = "secret{01..10}";
  plan_.users = 10;
  ASSERT_EQ(accounts_of(plan_).size(), 10U);
  EXPECT_EQ(accounts_of(plan_)[9].address, "user10@example.test");
  EXPECT_EQ(accounts_of(plan_)[9].password, "secret10");
  plan_.users = 11;
  EXPECT_THAT(usage_error([this] { static_cast<void>(accounts_of(plan_)); }),
              HasSubstr("--addresses has 10"));
}

}  // namespace
}  // namespace scalemark::mail

#include "testbed/mail_sink_accounts.h"

#include <gtest/gtest.h>

#include <string>

#include "core/error.h"
#include "testbed/mail_address.h"

namespace scalemark::testbed {
namespace {

TEST(MailAccountsTest, WithoutAnyEverybodyIsLetIn) {
  const MailAccounts accounts({});
  EXPECT_TRUE(accounts.has_mailbox("x@y.test"));
  EXPECT_EQ(accounts.mailbox_of("X@y.test", "whatever"), "x@y.test");
}

TEST(MailAccountsTest, WithSomeOnlyThese) {
  const MailAccounts accounts({{"A@x.test", "ann", "one"}, {"b@x.test", "b@x.test", "two"}});
  EXPECT_TRUE(accounts.has_mailbox("a@x.test"));
  EXPECT_FALSE(accounts.has_mailbox("ann"));
  EXPECT_FALSE(accounts.has_mailbox("c@x.test"));
  EXPECT_EQ(accounts.mailbox_of("ann", "one"), "a@x.test");
  EXPECT_EQ(accounts.mailbox_of("b@x.test", "two"), "b@x.test");
  EXPECT_FALSE(accounts.mailbox_of("ann", "two"));
  EXPECT_FALSE(accounts.mailbox_of("a@x.test", "one"));
}

TEST(MailAccountsTest, RefusesOnesThatClash) {
  EXPECT_THROW(MailAccounts({{"a@x", "a", "1"}, {"A@x", "b", "1"}}), UsageError);
  EXPECT_THROW(MailAccounts({{"a@x", "a", "1"}, {"b@x", "a", "1"}}), UsageError);
}

TEST(Base64Test, IsRead) {
  EXPECT_EQ(from_base64(""), "");
  EXPECT_EQ(from_base64("Zg=="), "f");
  EXPECT_EQ(from_base64("Zm8="), "fo");
  EXPECT_EQ(from_base64("Zm9v"), "foo");
  EXPECT_EQ(from_base64("/+7/"), "\xff\xee\xff");
  for (const char* text : {"Zg", "Zg=", "Z===", "====", "Zm 9", "Zm9v\r", "Zg==Zg=="}) {
    EXPECT_FALSE(from_base64(text)) << text;
  }
}

TEST(AuthPlainTest, IsRead) {
  const auto who = from_auth_plain("AHVzZXIAc2VjcmV0");  // NUL user NUL secret
  ASSERT_TRUE(who);
  EXPECT_EQ(who->login, "user");
  EXPECT_EQ(who->password, "secret");
  EXPECT_TRUE(from_auth_plain("dXNlcgB1c2VyAHNlY3JldA=="));   // user NUL user NUL secret
  EXPECT_FALSE(from_auth_plain("cm9vdAB1c2VyAHNlY3JldA=="));  // root NUL user NUL secret
  EXPECT_FALSE(from_auth_plain("dXNlcgBzZWNyZXQ="));          // user NUL secret
  EXPECT_FALSE(from_auth_plain("AABz"));                      // nobody
  EXPECT_FALSE(from_auth_plain("!"));
}

TEST(MailPathTest, StandsInBracketsRightBehindTheKeyword) {
  const auto path = mail_path("from:<a@b.test> SIZE=5 BODY=8BITMIME", "FROM:");
  ASSERT_TRUE(path);
  EXPECT_EQ(path->address, "a@b.test");
  EXPECT_EQ(path->parameters, "SIZE=5 BODY=8BITMIME");
  EXPECT_FALSE(path->needs_utf8);
  EXPECT_EQ(mail_path("FROM:<>", "FROM:")->address, "");
  EXPECT_EQ(mail_path("TO:<\"a>\\\" b\"@c>", "TO:")->address, "\"a>\\\" b\"@c");
  EXPECT_TRUE(mail_path("TO:<j\xc3\xa4@c>", "TO:")->needs_utf8);
}

TEST(MailPathTest, IsRefusedInAnyOtherForm) {
  for (const std::string& text :
       {std::string("FROM: <a@b>"), std::string("FROM:a@b"), std::string("FROM:<a@b"),
        std::string("TO:<a@b>"), std::string("FROM:<a@b>SIZE=5"), std::string("FROM:<a b@c>"),
        std::string("FROM:<a\t@c>"), std::string("FROM:<a\r@c>"), std::string("FROM"),
        "FROM:<" + std::string(255, 'a') + ">"}) {
    EXPECT_FALSE(mail_path(text, "FROM:")) << text;
  }
  EXPECT_TRUE(mail_path("FROM:<" + std::string(254, 'a') + ">", "FROM:"));
}

}  // namespace
}  // namespace scalemark::testbed

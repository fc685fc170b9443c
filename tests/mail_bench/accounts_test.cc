#include "mail_bench/accounts.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "core/error.h"
#include "tests/core/temporary_folder.h"
#include "tests/core/usage_error.h"

namespace scalemark::mail {
namespace {

class AccountsFile : public testing::Test {
 protected:
  std::vector<Account> read(const std::string& text) {
    write(text);
    return read_accounts(path_);
  }
  /// What reading complains of, without the file's path.
  std::string complaint(const std::string& text) {
    write(text);
    std::string sentence = usage_error([this] { static_cast<void>(read_accounts(path_)); });
    const std::size_t at = sentence.find(path_.string());
    return at == std::string::npos ? sentence : sentence.replace(at, path_.string().size(), "accounts");
  }

  TemporaryFolder folder_;
  std::filesystem::path path_ = folder_.path() / "accounts";

 private:
  void write(const std::string& text) { std::ofstream(path_, std::ios::binary) << text; }
};

TEST_F(AccountsFile, HoldsAnAccountALine) {
  const auto accounts = read(
      "user1@example.test secret1\nuser2@example.test\tsecret2 \t node2\n"
      "user3@example.test secret3 node3 three\nuser4@example.test secret4 - four");
  EXPECT_EQ(accounts, (std::vector<Account>{
                          {"user1@example.test", "user1@example.test", "secret1", ""},
                          {"user2@example.test", "user2@example.test", "secret2", "node2"},
                          {"user3@example.test", "three", "secret3", "node3"},
                          {"user4@example.test", "four", "secret4", ""},
                      }));
}

TEST_F(AccountsFile, MayHoldCommentsEmptyLinesAndOtherLineEnds) {
  const auto accounts = read(
      "\xEF\xBB\xBF# the users\r\n\r\n  user1@example.test se#ret1 # a comment\r\n"
      "#user2@example.test secret2\r\n \t\r\nuser3@example.test secret3 #node\r\n");
  ASSERT_EQ(accounts.size(), 2U);
  EXPECT_EQ(accounts[0].password, "se#ret1");
  EXPECT_EQ(accounts[1].address, "user3@example.test");
  EXPECT_EQ(accounts[1].node, "");
}

TEST_F(AccountsFile, IsReadAsItIsWritten) {
  const std::vector<Account> accounts = {{"user1@example.test", "user1@example.test", "secret1", ""},
                                         {"user2@example.test", "user2@example.test", "se#cret", "node2"},
                                         {"user3@example.test", "three", "secret3", "node3"},
                                         {"user4@example.test", "four", "secret4", ""}};
  EXPECT_EQ(read(accounts_text(accounts)), accounts);
  const auto many = accounts_of_pattern("u{1..300}@example.test", "p{001..300}");
  EXPECT_EQ(read(accounts_text(many)), many);
}

TEST_F(AccountsFile, FaultsAreNamedWithFileAndLine) {
  EXPECT_EQ(
      complaint("a@b c\nuser1@example.test\n"),
      "accounts:2: 'user1@example.test' has no password; a line holds address, password, node and login; "
      "the last two may be left out");
  EXPECT_EQ(
      complaint("a@b c d e f\n"),
      "accounts:1: 'f' is too much; a line holds address, password, node and login; the last two may be "
      "left out");
  EXPECT_EQ(complaint("# users\n\nuser1 secret\n"),
            "accounts:3: 'user1' is no address: it has no '@'; write it like user1@example.test");
  EXPECT_EQ(
      complaint("<a@b> c\n"),
      "accounts:1: '<a@b>' is no address: it must not hold blanks, control characters or angle brackets");
  EXPECT_EQ(complaint(std::string("a@b c\1\n")), "accounts:1: it holds a control character; take it out");
  EXPECT_EQ(complaint(std::string("a@b c d\0\n", 9)),
            "accounts:1: it holds a control character; take it out");
}

TEST_F(AccountsFile, AnAddressTwiceIsRefusedHoweverItIsSpelt) {
  EXPECT_EQ(complaint("a@b c\nd@b c\nA@B d\n"),
            "accounts:3: the address A@B stands in line 1 already; every user needs a mailbox of its own");
}

TEST_F(AccountsFile, WithoutAnyAccountIsRefused) {
  for (const char* text : {"", "\n\n", "# a@b c\n"}) {
    EXPECT_EQ(
        complaint(text),
        "the accounts file 'accounts' holds no account; a line holds address, password, node and login; "
        "the last two may be left out");
  }
}

TEST_F(AccountsFile, ThatCannotBeReadIsRefused) {
  EXPECT_NE(usage_error([this] {
              static_cast<void>(read_accounts(folder_.path() / "none"));
            }).find("No such file or directory"),
            std::string::npos);
  EXPECT_NE(usage_error([this] { static_cast<void>(read_accounts(folder_.path())); }).find("it is a folder"),
            std::string::npos);
}

TEST(AccountsPattern, StandsForARange) {
  const auto accounts = accounts_of_pattern("user{0001..0096}@example.test", "secret{0001..0096}");
  ASSERT_EQ(accounts.size(), 96U);
  EXPECT_EQ(accounts[0], (Account{"user0001@example.test", "user0001@example.test", "secret0001", ""}));
  EXPECT_EQ(accounts[95].address, "user0096@example.test");
  EXPECT_EQ(accounts[95].password, "secret0096");
}

TEST(AccountsPattern, APasswordMayBePlain) {
  const auto accounts = accounts_of_pattern("user{1..3}@example.test", "secret");
  ASSERT_EQ(accounts.size(), 3U);
  EXPECT_EQ(accounts[2].password, "secret");
}

TEST(AccountsPattern, RangesCountTogetherEachWithItsOwnWidth) {
  const auto accounts = accounts_of_pattern("u{8..11}@n{08..11}.example.test", "{0008..11}x{8..11}");
  ASSERT_EQ(accounts.size(), 4U);
  EXPECT_EQ(accounts[0].address, "u8@n08.example.test");
  EXPECT_EQ(accounts[0].password, "0008x8");
  EXPECT_EQ(accounts[3].address, "u11@n11.example.test");
  EXPECT_EQ(accounts[3].password, "0011x11");
}

TEST(AccountsPattern, ZeroIsANumberAndEitherEndMayBeFilledUp) {
  EXPECT_EQ(accounts_of_pattern("u{0..0}@b", "c").at(0).address, "u0@b");
  EXPECT_EQ(accounts_of_pattern("u{8..011}@b", "c").at(0).address, "u008@b");
}

std::string complaint(const std::string& address, const std::string& password) {
  return usage_error([&] { static_cast<void>(accounts_of_pattern(address, password)); });
}

TEST(AccountsPattern, RefusesWhatIsNoPattern) {
  EXPECT_EQ(complaint("user1@b", "c"),
            "the pattern 'user1@b' has no range; write it with a range, as in user{0001..0096}@example.test");
  EXPECT_EQ(complaint("user{9..3}@b", "c"),
            "the pattern 'user{9..3}@b' has a range that goes down, from 9 to 3; turn it round");
  for (const char* braces : {"{1-3}", "{1..}", "{..3}", "{1..3", "{}", "{a..c}", "{-1..3}", "{1..2..3}",
                             "{1.. 3}", "{1..9999999999}", "{{1..3}}"}) {
    EXPECT_NE(complaint("user" + std::string(braces) + "@b", "c").find("has a brace that begins no range"),
              std::string::npos)
        << braces;
    EXPECT_NE(complaint("user{1..3}@b", braces).find("has a brace that begins no range"), std::string::npos)
        << braces;
  }
}

TEST(AccountsPattern, RefusesDifferentRanges) {
  EXPECT_EQ(complaint("u{1..3}@b", "{1..4}"),
            "the pattern 'u{1..3}@b' and its passwords have different ranges, 1 to 3 and 1 to 4; all count "
            "together, so give them the same");
  EXPECT_NE(complaint("u{1..3}@n{0..2}", "c").find("different ranges, 1 to 3 and 0 to 2"), std::string::npos);
}

TEST(AccountsPattern, RefusesMoreThanAMillion) {
  EXPECT_EQ(complaint("u{0..1000000}@b", "c"),
            "the pattern 'u{0..1000000}@b' stands for 1000001 accounts; at most 1000000 are possible");
}

TEST(AccountsPattern, RefusesWhatBecomesNoAddressOrPassword) {
  EXPECT_NE(complaint("u{1..3}", "c").find("it has no '@'"), std::string::npos);
  for (const char* password : {"", "two words", "a\tb", "#c"}) {
    EXPECT_NE(complaint("u{1..3}@b", password).find("the passwords must not be empty"), std::string::npos)
        << password;
  }
}

TEST(Address, MayBeAnythingThatFitsIntoMailFrom) {
  for (const char* address :
       {"a@b", "user+tag@example.test", "\"a@b\"@c", "j\xC3\xBCrg@example.test", "a@[192.0.2.1]"}) {
    EXPECT_NO_THROW(check_address(address)) << address;
  }
  EXPECT_NO_THROW(check_address(std::string(252, 'a') + "@b"));
}

TEST(Address, RefusesWhatDoesNotFitIntoMailFrom) {
  for (const std::string address : {"", "a", "@", "a@", "@b", "a b@c", "a@b c", "<a@b>", "a@b>",
                                    "a\r\nDATA@b", "a\t@b", "a\x7f@b", "a@b@c"}) {
    EXPECT_THROW(check_address(address), UsageError) << address;
  }
  EXPECT_THROW(check_address(std::string("a\0@b", 4)), UsageError);
  EXPECT_THROW(check_address(std::string(253, 'a') + "@b"), UsageError);
}

TEST(Address, NeedsSmtpUtf8ForWhatIsNotAscii) {
  EXPECT_FALSE(needs_smtputf8("user1@example.test"));
  EXPECT_TRUE(needs_smtputf8("j\xC3\xBCrg@example.test"));
  EXPECT_TRUE(needs_smtputf8("user@ex\xC3\xA4mple.test"));
}

}  // namespace
}  // namespace scalemark::mail

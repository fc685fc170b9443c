#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "mail_bench/ledger.h"
#include "tests/mail_bench/ledger_rig.h"

namespace scalemark::mail {
namespace {

TEST(LedgerDuplicates, TwoInOneSessionAreADuplicateWhateverTheirUids) {
  for (const char* uid : {"a", "b", ""}) {
    LedgerRig rig;
    rig.send(1);
    EXPECT_TRUE(rig.fetch({.number = 1, .uid = *uid == '\0' ? "" : "a"}).first);
    EXPECT_FALSE(rig.fetch({.number = 1, .uid = uid}).first);
    const auto settled = rig.ledger.session_ended(good_quit(2, second(3)));
    ASSERT_EQ(settled.size(), 1U);
    EXPECT_EQ(settled[0].what, MessageClass::duplicate);
    EXPECT_FALSE(settled[0].corrects);
    EXPECT_EQ(rig.sums().fetched_again, 0U);
    EXPECT_EQ(rig.only_class(), MessageClass::duplicate);
  }
}

TEST(LedgerDuplicates, ASecondCopyAfterTheCommitTakesTheOperationBack) {
  LedgerRig rig;
  rig.send(1, 0);
  ASSERT_EQ(rig.session({{.number = 1, .uid = "a", .by = "node1"}}, 2).size(), 1U);  // ends at 3
  EXPECT_EQ(count(rig.sums(), MessageClass::verified), 1U);
  EXPECT_FALSE(rig.fetch({.number = 1, .uid = "b"}, 8).first);
  const auto settled = rig.ledger.session_ended(good_quit(1, second(9)));
  ASSERT_EQ(settled.size(), 1U);
  EXPECT_EQ(settled[0].number, 1U);
  EXPECT_EQ(settled[0].what, MessageClass::duplicate);
  EXPECT_TRUE(settled[0].corrects);
  EXPECT_EQ(settled[0].was, MessageClass::verified);
  EXPECT_EQ(settled[0].begun, second(0)) << "as in the first report";
  EXPECT_EQ(settled[0].at, second(3)) << "as in the first report";
  EXPECT_EQ(count(rig.sums(), MessageClass::verified), 0U);
  EXPECT_TRUE(rig.sums().by_node.empty());
  EXPECT_EQ(rig.only_class(), MessageClass::duplicate);
}

TEST(LedgerDuplicates, TheOthersOfTheNodeStayVerified) {
  LedgerRig rig;
  rig.send(1);
  rig.send(2);
  rig.session({{.number = 1, .uid = "a", .by = "node1"}, {.number = 2, .uid = "b", .by = "node1"}}, 2);
  rig.session({{.number = 1, .uid = "c", .by = "node1"}}, 4);
  EXPECT_EQ(rig.sums().by_node, (std::map<std::string, std::uint64_t>{{"node1", 1}}));
}

TEST(LedgerDuplicates, ASecondCopyIsOneAlsoWhenItsOwnDeletionFails) {
  LedgerRig rig;
  rig.send(1);
  rig.session({{.number = 1, .uid = "a"}}, 2);
  EXPECT_EQ(rig.broken_session({{.number = 1, .uid = "b"}}, 4).size(), 1U);
  EXPECT_TRUE(rig.session({{.number = 1, .uid = "b"}}, 6).empty());
  EXPECT_EQ(rig.only_class(), MessageClass::duplicate);
}

TEST(LedgerDuplicates, TheSameUidAfterTheCommitIsTheSameMessage) {
  LedgerRig rig;
  rig.send(1);
  rig.session({{.number = 1, .uid = "a"}}, 2);
  EXPECT_TRUE(rig.session({{.number = 1, .uid = "a"}}, 4).empty());
  EXPECT_EQ(rig.sums().fetched_again, 1U);
  EXPECT_EQ(rig.only_class(), MessageClass::verified);
}

TEST(LedgerDuplicates, AnotherUidBeforeAnyCommitIsTheSameMessage) {
  LedgerRig rig;
  rig.send(1);
  rig.broken_session({{.number = 1, .uid = "a"}}, 2);
  rig.session({{.number = 1, .uid = "b"}}, 4);
  EXPECT_EQ(rig.sums().fetched_again, 1U);
  EXPECT_EQ(rig.only_class(), MessageClass::verified);
}

TEST(LedgerDuplicates, WithoutUidsTheCommitDecides) {
  LedgerRig rig;
  rig.send(1);
  rig.broken_session({{.number = 1, .uid = ""}}, 2);
  EXPECT_EQ(rig.session({{.number = 1, .uid = ""}}, 4).at(0).what, MessageClass::verified);
  EXPECT_EQ(rig.sums().fetched_again, 1U);
  EXPECT_EQ(rig.session({{.number = 1, .uid = ""}}, 6).at(0).what, MessageClass::duplicate);
  EXPECT_EQ(rig.only_class(), MessageClass::duplicate);
}

TEST(LedgerDuplicates, ASecondCopyOfOneWhoseReplyWasLostIsADuplicateToo) {
  LedgerRig rig;
  rig.send_unanswered(1);
  rig.session({{.number = 1, .uid = "a"}}, 2);
  const auto settled = rig.session({{.number = 1, .uid = "b"}}, 4);
  ASSERT_EQ(settled.size(), 1U);
  EXPECT_TRUE(settled[0].corrects);
  EXPECT_EQ(settled[0].was, MessageClass::reply_lost);
  EXPECT_EQ(rig.only_class(), MessageClass::duplicate);
}

TEST(LedgerDuplicates, AThirdCopyIsSurplus) {
  LedgerRig rig;
  rig.send(1);
  rig.session({{.number = 1, .uid = "a"}}, 2);
  EXPECT_EQ(rig.session({{.number = 1, .uid = "b"}, {.number = 1, .uid = "c"}}, 4).size(), 1U);
  EXPECT_EQ(rig.sums().surplus, 1U);
  EXPECT_EQ(rig.only_class(), MessageClass::duplicate);
}

TEST(LedgerDuplicates, ASecondCopyOfABadOneIsSurplusAndItStaysWhatItWas) {
  LedgerRig rig;
  rig.send(1);
  rig.session({{.number = 1, .uid = "a", .corrupt = true}}, 2);
  EXPECT_TRUE(rig.session({{.number = 1, .uid = "b"}}, 4).empty());
  EXPECT_EQ(rig.sums().surplus, 1U);
  EXPECT_EQ(rig.only_class(), MessageClass::corrupt);
}

TEST(LedgerDuplicates, ACopyThatIsBadMakesTheMessageBad) {
  LedgerRig rig;
  rig.send(1);
  rig.broken_session({{.number = 1, .uid = "a"}}, 2);
  rig.session({{.number = 1, .uid = "a", .corrupt = true}}, 4);
  EXPECT_EQ(rig.only_class(), MessageClass::corrupt);
}

TEST(LedgerDuplicates, TheFirstFaultOfAMessageStays) {
  LedgerRig rig;
  rig.send(1);
  rig.session({{.number = 1, .uid = "a", .corrupt = true}, {.number = 1, .uid = "b", .truncated = true}}, 2);
  EXPECT_EQ(rig.only_class(), MessageClass::corrupt);
}

TEST(LedgerDuplicates, TheSameUidBetweenCommitAndReplyIsTheSameMessage) {
  LedgerRig rig;
  rig.ledger.plan(1, second(0));
  rig.session({{.number = 1, .uid = "a"}}, 2);
  rig.broken_session({{.number = 1, .uid = "a"}}, 4);
  EXPECT_EQ(rig.sums().fetched_again, 1U);
  const auto settled = rig.ledger.sent(1, accepted(second(6)));
  ASSERT_EQ(settled.size(), 1U) << "the first commit holds";
  EXPECT_EQ(settled[0].what, MessageClass::verified);
}

TEST(LedgerDuplicates, ACopyBetweenCommitAndReplyIsADuplicate) {
  LedgerRig rig;
  rig.ledger.plan(1, second(0));
  rig.session({{.number = 1, .uid = "a"}}, 2);
  rig.session({{.number = 1, .uid = "b"}}, 4);
  const auto settled = rig.ledger.sent(1, accepted(second(6)));
  ASSERT_EQ(settled.size(), 1U);
  EXPECT_EQ(settled[0].what, MessageClass::duplicate);
}

TEST(LedgerDuplicates, TheLast64MessagesAreKeptInMind) {
  LedgerRig rig;
  for (std::uint64_t number = 1; number <= 65; ++number) {
    rig.send(number);
    rig.session({{.number = number, .uid = "a" + std::to_string(number)}}, 2);
  }
  EXPECT_TRUE(rig.session({{.number = 1, .uid = "x"}}, 4).empty()) << "too long ago";
  EXPECT_EQ(rig.sums().surplus, 1U);
  EXPECT_EQ(rig.session({{.number = 2, .uid = "y"}}, 6).size(), 1U);
  EXPECT_EQ(rig.session({{.number = 65, .uid = "z"}}, 8).size(), 1U);
  EXPECT_EQ(count(rig.sums(), MessageClass::duplicate), 2U);
  EXPECT_EQ(count(rig.sums(), MessageClass::verified), 63U);
  EXPECT_TRUE(rig.sums().adds_up());
}

TEST(LedgerDuplicates, ACorrectionIsReportedAtTheEndWhenItsSessionNeverEnded) {
  LedgerRig rig;
  rig.send(1);
  rig.session({{.number = 1, .uid = "a"}}, 2);
  rig.fetch({.number = 1, .uid = "b"}, 4);
  const auto settled = rig.ledger.close(second(9), true);
  ASSERT_EQ(settled.size(), 1U);
  EXPECT_TRUE(settled[0].corrects);
}

}  // namespace
}  // namespace scalemark::mail

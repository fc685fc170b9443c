#include "testbed/mail_accounts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "core/error.h"

namespace scalemark::testbed {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

ClusterPlan plan_of(std::uint32_t nodes, std::uint32_t accounts, double skew = 0) {
  ClusterPlan plan = default_cluster(ServiceKind::mail);
  plan.nodes = nodes;
  plan.mail.accounts = accounts;
  plan.mail.skew = skew;
  return plan;
}

std::vector<unsigned> nodes_of(const std::vector<MailAccount>& accounts) {
  std::vector<unsigned> nodes;
  for (const MailAccount& account : accounts) {
    nodes.push_back(account.node);
  }
  return nodes;
}

std::vector<long> counts(const std::vector<unsigned>& nodes, unsigned of) {
  std::vector<long> found;
  for (unsigned node = 1; node <= of; ++node) {
    found.push_back(std::count(nodes.begin(), nodes.end(), node));
  }
  return found;
}

TEST(MailAccounts, AreNumberedAndTakeNodesInTurns) {
  const auto accounts = user_mailboxes(plan_of(3, 5));
  ASSERT_EQ(accounts.size(), 5U);
  EXPECT_EQ(accounts[0], (MailAccount{"user0001@bench.test", "secret0001", 1}));
  EXPECT_EQ(accounts[4], (MailAccount{"user0005@bench.test", "secret0005", 2}));
  EXPECT_THAT(nodes_of(accounts), ElementsAre(1, 2, 3, 1, 2));
}

TEST(MailAccounts, AreAllOfOneLengthWhenThereAreMany) {
  const auto accounts = user_mailboxes(plan_of(1, 12'345));
  EXPECT_EQ(accounts.front().address, "user00001@bench.test");
  EXPECT_EQ(accounts.back().address, "user12345@bench.test");
}

TEST(MailAccounts, ASkewGivesTheFirstNodesMore) {
  EXPECT_THAT(counts(nodes_of(user_mailboxes(plan_of(3, 110, 1))), 3), ElementsAre(60, 30, 20));
  EXPECT_THAT(counts(nodes_of(user_mailboxes(plan_of(2, 100, 2))), 2), ElementsAre(80, 20));
}

TEST(MailAccounts, UnderASkewEveryStretchOfAccountsHasItsShare) {
  const auto nodes = nodes_of(user_mailboxes(plan_of(3, 110, 1)));
  EXPECT_THAT(counts({nodes.begin(), nodes.begin() + 11}, 3), ElementsAre(6, 3, 2));
  EXPECT_THAT(counts({nodes.end() - 11, nodes.end()}, 3), ElementsAre(6, 3, 2));
}

TEST(MailAccounts, EveryNodeHasOneHoweverSkewed) {
  for (const std::uint32_t accounts : {8U, 9U, 20U}) {
    const auto found = counts(nodes_of(user_mailboxes(plan_of(8, accounts, 6))), 8);
    EXPECT_EQ(*std::min_element(found.begin(), found.end()), 1) << accounts;
    EXPECT_EQ(std::accumulate(found.begin(), found.end(), 0L), accounts);
  }
}

TEST(MailAccounts, FewerThanNodesAreRefused) {
  EXPECT_THROW((void)user_mailboxes(plan_of(3, 2)), UsageError);
  EXPECT_NO_THROW((void)user_mailboxes(plan_of(3, 3)));
}

TEST(MailAccounts, ChecksHaveMailboxesOfTheirOwn) {
  const ClusterPlan plan = plan_of(2, 3);
  EXPECT_EQ(health_mailbox(plan, 2).address, "health-n2@bench.test");
  EXPECT_EQ(health_mailbox(plan, 2).node, 2U);
  std::set<std::string> addresses;
  for (const MailAccount& account : all_mailboxes(plan)) {
    addresses.insert(account.address);
  }
  EXPECT_THAT(addresses, ElementsAre("health-n1@bench.test", "health-n2@bench.test", "user0001@bench.test",
                                     "user0002@bench.test", "user0003@bench.test"));
  EXPECT_THAT(accounts_text(plan), testing::Not(HasSubstr("health")));
}

TEST(MailAccounts, TheFileSaysWhereAMailboxIs) {
  ClusterPlan plan = plan_of(2, 2);
  plan.mail.domain = "example.test";
  EXPECT_EQ(accounts_text(plan),
            "# address password node\n"
            "user0001@example.test secret0001 n1.example.test\n"
            "user0002@example.test secret0002 n2.example.test\n");
  EXPECT_EQ(accounts_file("mail").filename(), "accounts");
}

}  // namespace
}  // namespace scalemark::testbed

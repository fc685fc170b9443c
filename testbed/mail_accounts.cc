#include "testbed/mail_accounts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "core/error.h"
#include "testbed/cluster_state.h"

namespace scalemark::testbed {
namespace {

/// What each node is due, as a part of 1.
std::vector<double> shares(std::uint32_t nodes, double skew) {
  std::vector<double> parts(nodes);
  for (std::uint32_t k = 0; k < nodes; ++k) {
    parts[k] = std::pow(k + 1, -skew);
  }
  const double sum = std::accumulate(parts.begin(), parts.end(), 0.0);
  std::for_each(parts.begin(), parts.end(), [sum](double& part) { part /= sum; });
  return parts;
}

/// How many mailboxes each node gets: whole numbers, at least 1, as near to the shares as that allows.
std::vector<std::uint32_t> counts(std::uint32_t accounts, const std::vector<double>& parts) {
  std::vector<std::uint32_t> given(parts.size(), 1);
  for (auto left = accounts - static_cast<std::uint32_t>(parts.size()); left > 0; --left) {
    std::size_t neediest = 0;
    const auto lacks = [&](std::size_t k) { return parts[k] * accounts - given[k]; };
    for (std::size_t k = 1; k < parts.size(); ++k) {
      neediest = lacks(k) > lacks(neediest) ? k : neediest;
    }
    ++given[neediest];
  }
  return given;
}

/// The node of each account, dealt so that every stretch of accounts has about each node's share.
std::vector<unsigned> dealt(std::uint32_t accounts, const std::vector<std::uint32_t>& given) {
  std::vector<std::uint64_t> taken(given.size(), 0);
  std::vector<unsigned> nodes;
  nodes.reserve(accounts);
  for (std::uint64_t i = 1; i <= accounts; ++i) {
    std::size_t next = given.size();
    // What a node lacks by now, times `accounts`, so that whole numbers do.
    const auto lacks = [&](std::size_t k) {
      return static_cast<std::int64_t>(given[k] * i) - static_cast<std::int64_t>(taken[k] * accounts);
    };
    for (std::size_t k = 0; k < given.size(); ++k) {
      if (taken[k] < given[k] && (next == given.size() || lacks(k) > lacks(next))) {
        next = k;
      }
    }
    ++taken[next];
    nodes.push_back(static_cast<unsigned>(next) + 1);
  }
  return nodes;
}

std::vector<unsigned> node_of_each(const ClusterPlan& plan) {
  const std::uint32_t accounts = plan.mail.accounts;
  if (plan.mail.skew > 0) {
    return dealt(accounts, counts(accounts, shares(plan.nodes, plan.mail.skew)));
  }
  std::vector<unsigned> nodes(accounts);
  for (std::uint32_t i = 0; i < accounts; ++i) {
    nodes[i] = i % plan.nodes + 1;
  }
  return nodes;
}

}  // namespace

std::vector<MailAccount> user_mailboxes(const ClusterPlan& plan) {
  if (plan.mail.accounts < plan.nodes) {
    throw UsageError(fmt::format("{} accounts are too few for {} nodes; every node must have one",
                                 plan.mail.accounts, plan.nodes));
  }
  constexpr std::size_t kLeastDigits = 4;
  const std::size_t width = std::max(kLeastDigits, std::to_string(plan.mail.accounts).size());
  std::vector<MailAccount> mailboxes;
  mailboxes.reserve(plan.mail.accounts);
  for (const unsigned node : node_of_each(plan)) {
    const std::string number = fmt::format("{:0{}}", mailboxes.size() + 1, width);
    mailboxes.push_back({fmt::format("user{}@{}", number, plan.mail.domain), "secret" + number, node});
  }
  return mailboxes;
}

MailAccount health_mailbox(const ClusterPlan& plan, unsigned node) {
  return {fmt::format("health-n{}@{}", node, plan.mail.domain), fmt::format("health{}", node), node};
}

std::vector<MailAccount> all_mailboxes(const ClusterPlan& plan) {
  std::vector<MailAccount> mailboxes = user_mailboxes(plan);
  for (unsigned node = 1; node <= plan.nodes; ++node) {
    mailboxes.push_back(health_mailbox(plan, node));
  }
  return mailboxes;
}

std::string mail_host_name(const ClusterPlan& plan, const std::string& place) {
  return place + "." + plan.mail.domain;
}

std::string accounts_text(const ClusterPlan& plan) {
  std::string text = "# address password node\n";
  for (const MailAccount& mailbox : user_mailboxes(plan)) {
    text += fmt::format("{} {} {}\n", mailbox.address, mailbox.password,
                        mail_host_name(plan, fmt::format("n{}", mailbox.node)));
  }
  return text;
}

std::filesystem::path accounts_file(const std::string& cluster_name) {
  return cluster_folder(cluster_name) / "accounts";
}

}  // namespace scalemark::testbed

#include "testbed/mail_settle.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "core/error.h"

namespace scalemark::testbed {
namespace {

// A front that is down refuses everybody: there is nothing to be learned from the others then.
constexpr std::size_t kEnoughTrouble = 20;

std::string trouble_of(const MailCheck& check, Duration timeout) {
  try {
    return check_mailbox(check, timeout);
  } catch (const RunError& error) {
    return error.what();
  }
}

}  // namespace

void settle_mailboxes(const std::vector<MailCheck>& checks, unsigned at_once, Duration timeout) {
  std::vector<std::string> troubles(checks.size());
  std::atomic<std::size_t> next{0};
  std::atomic<std::size_t> failed{0};
  {
    std::vector<std::jthread> threads;
    for (unsigned i = 0; i < std::min<std::size_t>(at_once, checks.size()); ++i) {
      threads.emplace_back([&] {
        for (std::size_t mine = next++; mine < checks.size() && failed < kEnoughTrouble; mine = next++) {
          troubles[mine] = trouble_of(checks[mine], timeout);
          failed += troubles[mine].empty() ? 0 : 1;
        }
      });
    }
  }
  if (failed == 0) {
    return;
  }
  const auto first = std::find_if(troubles.begin(), troubles.end(),
                                  [](const std::string& trouble) { return !trouble.empty(); });
  const auto& check = checks.at(static_cast<std::size_t>(first - troubles.begin()));
  throw RunError(fmt::format("the mailbox {}, which is on {}, does not work through {}: {}{}",
                             check.mailbox.address, check.host, check.door.address, *first,
                             failed > 1 ? fmt::format("; {} more mailboxes have trouble", failed - 1) : ""));
}

}  // namespace scalemark::testbed

#include "analysis/mail_fields.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "analysis/web_fields.h"

namespace scalemark::analysis {

std::vector<NamedCount> counts_in(const Json& object) {
  std::vector<NamedCount> counts;
  if (object.is_object()) {
    for (const auto& [name, value] : object.items()) {
      if (const auto count = count_of(value, {})) {
        counts.push_back({name, *count});
      }
    }
  }
  return counts;
}

std::optional<bool> ledger_adds_up(const Json& ledger) {
  const auto planned = count_of(ledger, {"planned"});
  const auto classes = counts_in(field(ledger, {"classes"}));
  if (!planned || classes.empty()) {
    return std::nullopt;
  }
  return *planned ==
         std::accumulate(classes.begin(), classes.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const NamedCount& one) { return sum + one.count; });
}

std::string_view class_words(std::string_view name) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 21> kWords = {{
      {"verified", "fetched whole, deletion committed"},
      {"refused_temporarily", "a 4xx reply"},
      {"refused", "a 5xx reply"},
      {"closed", "connection ended before the final dot"},
      {"not_connected", "no connection, or TLS failed"},
      {"timed_out", "SMTP time-out before the final dot"},
      {"protocol_error", "not a legal SMTP reply"},
      {"unknown", "no reply to the final dot, never seen"},
      {"reply_lost", "no reply to the final dot, but it came"},
      {"mailbox_locked", "accepted, its mailbox in use to the end"},
      {"mailbox_failed", "accepted, POP3 failed to the end"},
      {"login_refused", "accepted, its user may not log in"},
      {"uncommitted", "fetched whole, no +OK to QUIT"},
      {"corrupt", "fetched with other contents"},
      {"truncated", "fetched without its end"},
      {"duplicate", "fetched more than once"},
      {"wrong_mailbox", "fetched from another mailbox"},
      {"wrong_node", "fetched from another node"},
      {"lost", "accepted, not seen by the drain's end"},
      {"local", "this machine's fault"},
      {"unsettled", "the run ended before it was known"},
  }};
  const auto* found =
      std::find_if(kWords.begin(), kWords.end(), [name](const auto& entry) { return entry.first == name; });
  return found == kWords.end() ? std::string_view{} : found->second;
}

std::vector<NamedCount> nodes_of(const Json& ledger) {
  std::vector<NamedCount> nodes = counts_in(field(ledger, {"by_node"}));
  std::erase_if(nodes, [](const NamedCount& node) { return node.name.empty(); });
  return nodes;
}

}  // namespace scalemark::analysis

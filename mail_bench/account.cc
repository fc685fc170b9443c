#include "mail_bench/account.h"

#include <algorithm>

namespace scalemark::mail {
namespace {

void add(std::map<std::string, std::uint64_t>& into, const std::map<std::string, std::uint64_t>& from) {
  for (const auto& [name, count] : from) {
    into[name] += count;
  }
}

/// Sorted, so that the outcome does not depend on who is merged first.
template <typename Entry>
void merge_sorted(std::vector<Entry>& into, const std::vector<Entry>& from) {
  into.insert(into.end(), from.begin(), from.end());
  std::sort(into.begin(), into.end());
}

}  // namespace

void SmtpTally::merge(const SmtpTally& other) {
  window.merge(other.window);
  run.merge(other.run);
  connections += other.connections;
  sent_bytes += other.sent_bytes;
  add(replies, other.replies);
}

void Pop3Tally::merge(const Pop3Tally& other) {
  window.merge(other.window);
  run.merge(other.run);
  window_retrieved += other.window_retrieved;
  run_retrieved += other.run_retrieved;
  empty_polls += other.empty_polls;
  locked += other.locked;
  received_bytes += other.received_bytes;
  add(refusals, other.refusals);
}

void Tally::merge(const Tally& other) {
  window.merge(other.window);
  run.merge(other.run);
  smtp.merge(other.smtp);
  pop3.merge(other.pop3);
  ledger.merge(other.ledger);
  for (std::size_t i = 0; i < kSteps; ++i) {
    steps.at(i).merge(other.steps.at(i));
  }
  users_refused += other.users_refused;
  merge_sorted(unfinished, other.unfinished);
  lag.merge(other.lag);
  late_timers += other.late_timers;
  lag_sum += other.lag_sum;
  scalemark::merge(seconds, other.seconds);
  merge_sorted(threads, other.threads);
  window_length = std::min(window_length, other.window_length);
}

}  // namespace scalemark::mail

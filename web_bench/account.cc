#include "web_bench/account.h"

#include <algorithm>

namespace scalemark::web {
namespace {

/// Sorted, so that the outcome does not depend on who is merged first.
template <typename Entry>
void merge_sorted(std::vector<Entry>& into, const std::vector<Entry>& from) {
  into.insert(into.end(), from.begin(), from.end());
  std::sort(into.begin(), into.end());
}

}  // namespace

double LineCredit::whole(const Schedule& schedule, TimePoint start, TimePoint end, std::uint64_t bytes) {
  if (end <= start) {
    return 0;
  }
  const double inside = to_seconds(schedule.inside_window(start, end)) / to_seconds(end - start);
  return static_cast<double>(bytes) * 8 * inside;
}

double LineCredit::in_transfer(const Schedule& schedule, TimePoint start, std::uint64_t bytes,
                               BitsPerSecond line) {
  const double carried = to_seconds(schedule.inside_window(start, schedule.close)) * line.value;
  return std::min(static_cast<double>(bytes) * 8, carried);
}

void ClassTally::merge(const ClassTally& other) {
  window.merge(other.window);
  run.merge(other.run);
  window_bytes += other.window_bytes;
  run_wire_bytes += other.run_wire_bytes;
  run_body_bytes += other.run_body_bytes;
  first_byte.merge(other.first_byte);
  last_byte.merge(other.last_byte);
}

Tally::Tally(std::size_t class_count, std::size_t second_count)
    : classes(class_count), seconds(second_count) {}

void Tally::merge(const Tally& other) {
  for (std::size_t i = 0; i < classes.size(); ++i) {
    classes[i].merge(other.classes.at(i));
  }
  merge_sorted(connections, other.connections);
  for (const auto& [status, count] : other.bad_statuses) {
    bad_statuses[status] += count;
  }
  connections_opened += other.connections_opened;
  reconnects_idle += other.reconnects_idle;
  retries += other.retries;
  connect.merge(other.connect);
  merge_sorted(unfinished, other.unfinished);
  lag.merge(other.lag);
  late_timers += other.late_timers;
  lag_sum += other.lag_sum;
  scalemark::merge(seconds, other.seconds);
  merge_sorted(threads, other.threads);
  window = std::min(window, other.window);
}

}  // namespace scalemark::web

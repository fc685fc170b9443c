#include "core/accounting.h"

#include <algorithm>
#include <tuple>

namespace scalemark {

void Accounting::merge(const Accounting& other) {
  carried_in += other.carried_in;
  issued += other.issued;
  for (std::size_t i = 0; i < kOutcomes; ++i) {
    ended.at(i) += other.ended.at(i);
  }
  unfinished += other.unfinished;
}

double error_rate(std::uint64_t good, std::uint64_t failed) {
  const std::uint64_t ended = good + failed;
  return ended == 0 ? 0 : static_cast<double>(failed) / static_cast<double>(ended);
}

std::vector<UnfinishedOperation> oldest(std::vector<UnfinishedOperation> operations, std::size_t most) {
  std::sort(operations.begin(), operations.end(),
            [](const UnfinishedOperation& a, const UnfinishedOperation& b) {
              return std::tie(b.age_seconds, a.connection) < std::tie(a.age_seconds, b.connection);
            });
  operations.resize(std::min(operations.size(), most));
  return operations;
}

void SecondTally::merge(const SecondTally& other) {
  good += other.good;
  failed += other.failed;
  wire_bytes += other.wire_bytes;
  active += other.active;
}

void merge(std::vector<SecondTally>& into, const std::vector<SecondTally>& from) {
  into.resize(std::max(into.size(), from.size()));
  for (std::size_t i = 0; i < from.size(); ++i) {
    into[i].merge(from[i]);
  }
}

std::vector<SeriesPoint> series_of(const std::vector<SecondTally>& seconds, const Schedule& schedule) {
  std::vector<SeriesPoint> series;
  const auto last_busy = std::find_if(seconds.rbegin(), seconds.rend(), [](const SecondTally& second) {
    return second.good + second.failed > 0;
  });
  const auto busy = static_cast<std::size_t>(seconds.rend() - last_busy);
  for (std::size_t i = 0; i < seconds.size(); ++i) {
    const TimePoint from = schedule.begin + std::chrono::seconds(i);
    const SecondTally& second = seconds[i];
    if (from >= schedule.end && i >= busy) {
      break;
    }
    series.push_back({static_cast<std::uint32_t>(i), std::string(name_of(schedule.at(from))), second.good,
                      second.failed, second.wire_bytes, second.active});
  }
  return series;
}

}  // namespace scalemark

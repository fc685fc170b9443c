#include "testbed/kernel_counters.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

namespace scalemark::testbed {
namespace {

std::string_view next_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

/// The numbers of a text up to the first word that is none.
std::vector<std::uint64_t> numbers(std::string_view text) {
  std::vector<std::uint64_t> found;
  while (true) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc()) {
      return found;
    }
    found.push_back(number);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  }
}

}  // namespace

std::map<std::string, NicCount> parse_net_dev(std::string_view text) {
  // "  eth0: 1234 10 0 0 0 0 0 0 5678 ...": eight figures of what came in, then those of what went out.
  constexpr std::size_t kSent = 8;
  std::map<std::string, NicCount> cards;
  while (!text.empty()) {
    const std::string_view line = next_line(text);
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) {
      continue;  // the two lines of headings
    }
    const std::size_t name = std::min(line.find_first_not_of(' '), colon);
    const auto figures = numbers(line.substr(colon + 1));
    if (figures.size() > kSent) {
      cards[std::string(line.substr(name, colon - name))] = {.sent_bytes = figures[kSent],
                                                             .received_bytes = figures[0]};
    }
  }
  return cards;
}

std::optional<ProcessorTicks> parse_processor_ticks(std::string_view stat) {
  // "cpu  user nice system idle iowait irq softirq steal guest guest_nice"
  constexpr std::string_view kStart = "cpu ";
  if (!stat.starts_with(kStart)) {
    return std::nullopt;
  }
  const auto ticks = numbers(next_line(stat).substr(kStart.size()));
  if (ticks.size() < 8) {
    return std::nullopt;
  }
  return ProcessorTicks{.idle = ticks[3] + ticks[4], .stolen = ticks[7]};
}

GroupStat parse_group_stat(std::string_view text) {
  std::map<std::string_view, std::uint64_t> values;
  while (!text.empty()) {
    const std::string_view line = next_line(text);
    const std::size_t blank = line.find(' ');
    const auto value = numbers(line.substr(std::min(blank, line.size())));
    if (!value.empty()) {
      values[line.substr(0, blank)] = value.front();
    }
  }
  GroupStat stat;
  if (values.contains("nr_periods") && values.contains("nr_throttled")) {
    stat.quota = QuotaCount{.periods = values["nr_periods"], .throttled = values["nr_throttled"]};
  }
  if (values.contains("usage_usec")) {
    stat.cpu = std::chrono::microseconds(values["usage_usec"]);
  }
  return stat;
}

}  // namespace scalemark::testbed

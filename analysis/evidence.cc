#include "analysis/evidence.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analysis/text.h"

namespace scalemark::analysis {
namespace {

constexpr double kFullLink = 0.95;
constexpr double kFullCpu = 0.90;
constexpr double kBitsPerByte = 8;
constexpr double kUsPerMs = 1000;
constexpr double kSecondsPerHour = 3600;

void add(std::optional<double>& sum, const std::optional<double>& value, bool first) {
  // A figure that one iteration lacks is not known for all of them.
  sum = value && (first || sum) ? std::optional(value.value() + (first ? 0 : *sum)) : std::nullopt;
}

void worst(std::optional<double>& most, const std::optional<double>& value) {
  if (value) {
    most = std::max(most.value_or(*value), *value);
  }
}

void add_part(PartFigures& sum, const PartFigures& part, bool first) {
  sum.name = part.name;
  add(sum.requests, part.requests, first);
  add(sum.bytes_served, part.bytes_served, first);
  add(sum.sent_bytes, part.sent_bytes, first);
  add(sum.received_bytes, part.received_bytes, first);
  add(sum.cpu_seconds, part.cpu_seconds, first);
  worst(sum.throttled_share, part.throttled_share);
}

void add_machine(MachineFigures& sum, const MachineFigures& part, bool first) {
  sum.processors = part.processors;
  add(sum.busy_cpu_seconds, part.busy_cpu_seconds, first);
  add(sum.stolen_cpu_seconds, part.stolen_cpu_seconds, first);
  add(sum.foreign_cpu_seconds, part.foreign_cpu_seconds, first);
}

template <typename Part, typename Add>
std::optional<Part> sum_of(const std::vector<Evidence>& evidence, std::optional<Part> Evidence::*member,
                           const Add& add_one) {
  std::optional<Part> sum;
  for (const Evidence& iteration : evidence) {
    if (!(iteration.*member)) {
      return std::nullopt;
    }
    const bool first = !sum;
    if (first) {
      sum.emplace();
    }
    add_one(*sum, *(iteration.*member), first);
  }
  return sum;
}

std::vector<PartFigures> sums_of(const std::vector<Evidence>& evidence,
                                 std::vector<PartFigures> Evidence::*parts) {
  std::vector<PartFigures> nodes;
  for (const Evidence& iteration : evidence) {
    for (const PartFigures& node : iteration.*parts) {
      auto found = std::find_if(nodes.begin(), nodes.end(),
                                [&node](const PartFigures& known) { return known.name == node.name; });
      const bool first = found == nodes.end();
      if (first) {
        found = nodes.insert(nodes.end(), PartFigures{});
      }
      add_part(*found, node, first);
    }
  }
  return nodes;
}

std::vector<std::pair<double, double>> mean_shares(const std::vector<Evidence>& evidence) {
  std::map<double, std::pair<double, double>> sums;
  for (const Evidence& iteration : evidence) {
    for (const auto& [rate, share] : iteration.share_above) {
      auto& [sum, count] = sums[rate];
      sum += share;
      count += 1;
    }
  }
  std::vector<std::pair<double, double>> shares;
  shares.reserve(sums.size());
  for (const auto& [rate, sum] : sums) {
    shares.emplace_back(rate, sum.first / sum.second);
  }
  return shares;
}

Use use_of(const PartFigures& part, double seconds, std::optional<double> link, std::optional<double> cpu) {
  Use use;
  if (part.sent_bytes && link && *link > 0 && seconds > 0) {
    const double bytes = std::max(*part.sent_bytes, part.received_bytes.value_or(0));
    use.link = bytes * kBitsPerByte / seconds / *link;
  }
  if (part.cpu_seconds && cpu && *cpu > 0 && seconds > 0) {
    use.cpu = *part.cpu_seconds / seconds / *cpu;
  }
  return use;
}

std::optional<double> mean_ms(const Histogram& histogram) {
  return histogram.count() == 0 ? std::nullopt : std::optional(histogram.mean() / kUsPerMs);
}

void put_generator(const ScalingPoint& point, PointSummary& summary) {
  for (const Evidence& iteration : point.evidence) {
    worst(summary.lateness_share, iteration.lateness_share);
    worst(summary.busiest_thread, iteration.busiest_thread);
    worst(summary.late_timers, iteration.late_timers);
    if (iteration.lag.count() > 0) {
      worst(summary.lag_p99_ms, iteration.lag.quantile(0.99) / kUsPerMs);
    }
  }
}

void put_times(const ScalingPoint& point, PointSummary& summary) {
  Histogram connect;
  Histogram first_byte;
  Histogram last_byte;
  std::optional<double> rate_sum;
  std::optional<double> connects;
  std::optional<double> timed_out;
  bool first = true;
  for (const Evidence& iteration : point.evidence) {
    connect.merge(iteration.connect);
    first_byte.merge(iteration.first_byte);
    last_byte.merge(iteration.last_byte);
    add(summary.requested, iteration.requested, first);
    add(summary.conforming, iteration.conforming, first);
    add(rate_sum, iteration.operations_per_second, first);
    add(connects, iteration.connects_per_operation, first);
    add(timed_out, iteration.timed_out, first);
    first = false;
  }
  const auto count = static_cast<double>(summary.iterations);
  summary.connect_ms = mean_ms(connect);
  summary.first_byte_ms = mean_ms(first_byte);
  summary.last_byte_ms = mean_ms(last_byte);
  if (timed_out && summary.seconds > 0) {
    summary.timed_out_per_hour = *timed_out / summary.seconds * kSecondsPerHour;
  }
  if (rate_sum && *rate_sum > 0) {
    summary.operations_per_second = *rate_sum / count;
    if (summary.requested) {
      summary.operation_ms = *summary.requested / *rate_sum * 1000;
    }
  }
  if (summary.connect_ms && connects) {
    summary.connect_per_operation_ms = *summary.connect_ms * *connects / count;
  }
}

std::optional<std::size_t> busiest_of(const std::vector<Use>& uses) {
  std::optional<std::size_t> busiest;
  double most = -1;
  for (std::size_t i = 0; i < uses.size(); ++i) {
    const double used = std::max(uses[i].link.value_or(-1), uses[i].cpu.value_or(-1));
    if (uses[i].known() && used > most) {
      busiest = i;
      most = used;
    }
  }
  return busiest;
}

}  // namespace

bool Use::saturated() const {
  return (link && *link >= kFullLink) || (cpu && *cpu >= kFullCpu);
}

std::string Use::words() const {
  if (!known()) {
    return "not measured";
  }
  std::string text;
  if (link) {
    text = fmt::format("link {}", percent_text(link, 0));
  }
  if (cpu) {
    text += fmt::format("{}CPU {}", text.empty() ? "" : ", ", percent_text(cpu, 0));
  }
  return text;
}

PointSummary summary_of(const ScalingPoint& point) {
  PointSummary summary;
  summary.iterations = point.evidence.size();
  for (const Evidence& iteration : point.evidence) {
    summary.seconds += iteration.seconds;
  }
  put_times(point, summary);
  put_generator(point, summary);
  summary.share_above = mean_shares(point.evidence);
  summary.nodes = sums_of(point.evidence, &Evidence::nodes);
  summary.proxies = sums_of(point.evidence, &Evidence::proxies);
  summary.router = sum_of(point.evidence, &Evidence::router, add_part);
  summary.client = sum_of(point.evidence, &Evidence::client, add_part);
  summary.machine = sum_of(point.evidence, &Evidence::machine, add_machine);
  for (const PartFigures& node : summary.nodes) {
    summary.node_use.push_back(use_of(node, summary.seconds, point.node_link, point.node_cpu_share));
  }
  for (const PartFigures& proxy : summary.proxies) {
    summary.proxy_use.push_back(use_of(proxy, summary.seconds, point.router_link, point.proxy_cpu_share));
  }
  if (summary.router) {
    // A router has no share of its own: it is at its limit when it has filled a whole processor.
    summary.router_use = use_of(*summary.router, summary.seconds, point.router_link, 1.0);
  }
  return summary;
}

PointSummary summary_of_limited(const ScalingPoint& point) {
  ScalingPoint limited = point;
  limited.evidence = point.limited->evidence;
  return summary_of(limited);
}

std::vector<double> node_loads(const PointSummary& summary) {
  for (const auto member : {&PartFigures::requests, &PartFigures::bytes_served, &PartFigures::sent_bytes}) {
    std::vector<double> loads;
    for (const PartFigures& node : summary.nodes) {
      if (node.*member) {
        loads.push_back(*(node.*member));
      }
    }
    if (!loads.empty() && loads.size() == summary.nodes.size()) {
      return loads;
    }
  }
  return {};
}

std::optional<std::size_t> busiest_node(const PointSummary& summary) {
  return busiest_of(summary.node_use);
}

std::optional<std::size_t> busiest_proxy(const PointSummary& summary) {
  return busiest_of(summary.proxy_use);
}

}  // namespace scalemark::analysis

#include "mail_bench/metrics.h"

#include <array>
#include <string>

#include "core/metric_figures.h"

namespace scalemark::mail {
namespace {

/// A count that may be asked for as a share, too.
struct Counted {
  const char* name;
  std::uint64_t (*count)(const IterationFigures&);
  std::uint64_t (*whole)(const IterationFigures&);
};

std::uint64_t settled(const IterationFigures& figures) {
  return figures.window.good() + figures.window.failed();
}
std::uint64_t planned(const IterationFigures& figures) {
  return figures.ledger.planned;
}
std::uint64_t sessions(const IterationFigures& figures) {
  return figures.pop3.run.good() + figures.pop3.run.failed();
}

constexpr std::array<Counted, 9> kCounted = {{
    {"errors", [](const IterationFigures& of) { return of.window.failed(); }, settled},
    {"late", [](const IterationFigures& of) { return of.ledger.late; }, planned},
    {"leftovers", [](const IterationFigures& of) { return of.ledger.leftovers; }, planned},
    {"foreign", [](const IterationFigures& of) { return of.ledger.foreign; }, planned},
    {"fetched_again", [](const IterationFigures& of) { return of.ledger.fetched_again; }, planned},
    {"surplus", [](const IterationFigures& of) { return of.ledger.surplus; }, planned},
    {"empty_polls", [](const IterationFigures& of) { return of.pop3.empty_polls; }, sessions},
    {"locked_logins", [](const IterationFigures& of) { return of.pop3.locked; }, sessions},
    {"users_refused", [](const IterationFigures& of) { return of.users_refused; },
     [](const IterationFigures& of) { return std::uint64_t{of.users}; }},
}};

struct Rate {
  const char* name;
  double (*value)(const IterationFigures&);
};
constexpr std::array<Rate, 4> kRates = {{
    {"operations_per_hour", [](const IterationFigures& of) { return of.operations_per_hour; }},
    {"operations_per_second", [](const IterationFigures& of) { return of.operations_per_hour / 3600; }},
    {"smtp_per_hour", [](const IterationFigures& of) { return of.smtp_per_hour; }},
    {"pop3_per_hour", [](const IterationFigures& of) { return of.pop3_per_hour; }},
}};

/// A class of the ledger, as a count or as its share of the messages planned.
std::optional<Metric> class_count(const IterationFigures& figures, std::string_view name, ValueKind wanted) {
  for (std::size_t i = 0; i < kMessageClasses; ++i) {
    if (name == name_of(static_cast<MessageClass>(i))) {
      return count_or_share(static_cast<double>(figures.ledger.classes.at(i)),
                            static_cast<double>(figures.ledger.planned), wanted);
    }
  }
  return std::nullopt;
}

/// "operation_p99": a step and one of time_figures().
std::optional<Metric> step_time(const IterationFigures& figures, std::string_view name) {
  const std::size_t cut = name.rfind('_');
  for (std::size_t i = 0; i < kSteps && cut != std::string_view::npos; ++i) {
    if (name.substr(0, cut) == name_of(static_cast<Step>(i))) {
      return time_of(figures.steps.at(i), name.substr(cut + 1));
    }
  }
  return std::nullopt;
}

}  // namespace

const std::vector<MetricInfo>& mail_metrics() {
  static const std::vector<MetricInfo> metrics = [] {
    std::vector<MetricInfo> list;
    list.reserve(std::size(kRates) + std::size(kCounted) + kMessageClasses + kSteps * time_figures().size());
    for (const Rate& rate : kRates) {
      list.push_back({rate.name, {ValueKind::number}});
    }
    const std::vector<ValueKind> counted = {ValueKind::number, ValueKind::share};
    for (const Counted& count : kCounted) {
      list.push_back({count.name, counted});
    }
    for (std::size_t i = 0; i < kMessageClasses; ++i) {
      list.push_back({std::string(name_of(static_cast<MessageClass>(i))), counted});
    }
    for (std::size_t i = 0; i < kSteps; ++i) {
      for (const std::string& figure : time_figures()) {
        list.push_back({std::string(name_of(static_cast<Step>(i))) + "_" + figure, {ValueKind::duration}});
      }
    }
    return list;
  }();
  return metrics;
}

std::optional<Metric> metric_of(const IterationFigures& figures, std::string_view name, ValueKind wanted) {
  if (figures.window_seconds <= 0) {
    return std::nullopt;
  }
  for (const Rate& rate : kRates) {
    if (name == rate.name) {
      return Metric{rate.value(figures), ValueKind::number};
    }
  }
  for (const Counted& count : kCounted) {
    if (name == count.name) {
      return count_or_share(static_cast<double>(count.count(figures)),
                            static_cast<double>(count.whole(figures)), wanted);
    }
  }
  const auto of_class = class_count(figures, name, wanted);
  return of_class ? of_class : step_time(figures, name);
}

}  // namespace scalemark::mail

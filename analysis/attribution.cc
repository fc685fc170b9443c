#include "analysis/attribution.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "analysis/report_words.h"
#include "analysis/text.h"

namespace scalemark::analysis {
namespace {

/// A difference that is smaller shows in no table.
constexpr double kWorthSaying = 0.01;

/// What an estimate of one cause sees.
struct Scene {
  unsigned nodes;
  double measured;
  double theory;
  CurveBase base;
  std::optional<double> routed_one;  ///< X(1) of the series
  const ScalingPoint& point;
  PointSummary now;
  std::optional<PointSummary> one;  ///< of one node: through the router, else without it
};

/// An estimate before it is limited to what is left.
struct Estimate {
  std::optional<double> amount;
  std::string evidence;
};

Estimate not_measured(const std::string& why) {
  return {std::nullopt, "not measured: " + why};
}

Estimate none(std::string evidence) {
  return {0.0, std::move(evidence)};
}

std::string change_text(double factor) {
  return fmt::format("{:.1f}% {}", std::abs(factor - 1) * 100, factor < 1 ? "less" : "more");
}

Estimate router_path(const Scene& scene) {
  if (scene.base.kind != BaseKind::direct) {
    return not_measured("there is no single node without a router to compare with");
  }
  if (!scene.routed_one) {
    return not_measured("a single node was not measured in this series");
  }
  const double step = scene.base.rate - *scene.routed_one;
  return {step * scene.nodes,
          fmt::format("one node: {} direct, {} in this series; {} x {}", figure_text(scene.base.rate),
                      figure_text(*scene.routed_one), scene.nodes, figure_text(step))};
}

/// Whether a node is as busy as one node alone was at its own capacity, give or take a step of the search:
/// the highest load that passes leaves every node a little below its limit.
bool as_full_as_one_node(const Scene& scene, const Use& use) {
  constexpr double kAStepLess = 0.95;
  if (!scene.one || scene.one->node_use.size() != 1) {
    return false;
  }
  const Use& one = scene.one->node_use.front();
  const auto as_full = [](const std::optional<double>& now, const std::optional<double>& then, double worth) {
    return now && then && *then >= worth && *now >= *then * kAStepLess;
  };
  constexpr double kBusy = 0.8;  // of its link or its processor: below that something else was the limit
  return as_full(use.link, one.link, kBusy) || as_full(use.cpu, one.cpu, kBusy);
}

Estimate uneven_spread(const Scene& scene) {
  if (scene.nodes == 1) {
    return none("one node");
  }
  const auto loads = node_loads(scene.now);
  if (loads.size() != scene.nodes) {
    return not_measured("the records do not say what each node carried");
  }
  const auto [least, most] = std::minmax_element(loads.begin(), loads.end());
  const double mean = std::accumulate(loads.begin(), loads.end(), 0.0) / static_cast<double>(loads.size());
  if (!(mean > 0)) {
    return not_measured("no node carried anything");
  }
  const std::string spread = fmt::format("the fullest node carried {} of the mean, the emptiest {}",
                                         percent_text(*most / mean, 1), percent_text(*least / mean, 1));
  const auto fullest = static_cast<std::size_t>(most - loads.begin());
  if (scene.now.node_use.size() != loads.size() || !scene.now.node_use[fullest].known()) {
    return not_measured(spread + ", but whether it was at its limit is not known");
  }
  if (!scene.now.node_use[fullest].saturated() && !as_full_as_one_node(scene, scene.now.node_use[fullest])) {
    return none(fmt::format("{}; it was not at its limit ({}), so this cost nothing", spread,
                            scene.now.node_use[fullest].words()));
  }
  return {scene.measured * (*most / mean - 1),
          fmt::format("{}; the fullest was at its limit ({})", spread, scene.now.node_use[fullest].words())};
}

/// What an operation costs the nodes, in bytes sent or seconds of CPU; nothing when it is not known.
std::optional<double> cost_per_request(const PointSummary& summary,
                                       std::optional<double> PartFigures::*cost) {
  double requests = 0;
  double spent = 0;
  for (const PartFigures& node : summary.nodes) {
    if (!node.requests || !(node.*cost)) {
      return std::nullopt;
    }
    requests += *node.requests;
    spent += *(node.*cost);
  }
  return requests > 0 ? std::optional(spent / requests) : std::nullopt;
}

Estimate saturated_node(const Scene& scene) {
  const auto busiest = busiest_node(scene.now);
  if (!busiest) {
    return not_measured("how busy the nodes were is not in the records");
  }
  const Use& use = scene.now.node_use[*busiest];
  const std::string who =
      fmt::format("the busiest node ({}) was at {}", scene.now.nodes[*busiest].name, use.words());
  if (!use.saturated()) {
    return none(who + ": not at its limit");
  }
  if (scene.nodes == 1) {
    return none(who + ": this is what one node carries");
  }
  const bool by_link = use.link.value_or(0) >= use.cpu.value_or(0);
  const auto cost = by_link ? &PartFigures::sent_bytes : &PartFigures::cpu_seconds;
  const char* what = by_link ? "traffic" : "CPU time";
  const auto now = cost_per_request(scene.now, cost);
  const auto one = scene.one ? cost_per_request(*scene.one, cost) : std::nullopt;
  if (!now || !one || !(*one > 0)) {
    return not_measured(who + ", but what a request costs one node alone is not in the records");
  }
  return {scene.measured * (*now / *one - 1), fmt::format("{}; a request costs it {} {} than one node alone",
                                                          who, change_text(*now / *one), what)};
}

/// The router or the proxy, whichever was nearer to its limit.
struct Gate {
  std::string name;
  Use use;
  std::optional<double> throttled;  ///< share of the scheduler's periods
};

std::optional<Gate> gate_of(const PointSummary& summary) {
  const auto proxy = busiest_proxy(summary);
  if (proxy && (summary.proxy_use[*proxy].saturated() || !summary.router_use.saturated())) {
    const PartFigures& part = summary.proxies[*proxy];
    return Gate{fmt::format("the busiest proxy ({})", part.name), summary.proxy_use[*proxy],
                part.throttled_share};
  }
  if (summary.router && summary.router_use.known()) {
    return Gate{"the router", summary.router_use, summary.router->throttled_share};
  }
  return std::nullopt;
}

Estimate saturated_gate(const Scene& scene, double left) {
  const auto gate = gate_of(scene.now);
  if (!gate) {
    return not_measured("the records hold no figures of a router or a proxy");
  }
  std::string use = gate->use.words();
  if (gate->throttled) {
    use += fmt::format(", held back in {} of its periods", percent_text(gate->throttled, 0));
  }
  if (!gate->use.saturated()) {
    return none(fmt::format("{} was at {}: not at its limit", gate->name, use));
  }
  return {left, fmt::format("{} was at its limit ({}): it bounds everything, so all that is left is its",
                            gate->name, use)};
}

Estimate slower_connect(const Scene& scene) {
  if (!scene.now.connect_per_operation_ms || !scene.now.operation_ms || !scene.one ||
      !scene.one->connect_per_operation_ms) {
    return not_measured("the records lack the time to set up a connection, here or for one node");
  }
  const double now = *scene.now.connect_per_operation_ms;
  const double one = *scene.one->connect_per_operation_ms;
  const double share = (now - one) / *scene.now.operation_ms;
  return {scene.measured * std::max(0.0, share),
          fmt::format(
              "setting up connections took {:.3f} ms an operation, {:.3f} ms with one node, of {} ms in all",
              now, one, ms_text(scene.now.operation_ms))};
}

Estimate generator(const Scene& scene) {
  if (!scene.now.lateness_share) {
    return not_measured("the records hold no figures of the generator");
  }
  const double one = scene.one ? scene.one->lateness_share.value_or(0) : 0;
  const double more = std::max(0.0, *scene.now.lateness_share - one);
  return {scene.measured * more / std::max(1 - *scene.now.lateness_share, 0.01),
          fmt::format("its lateness took {} of the users' time, {} with one node",
                      percent_text(scene.now.lateness_share, 2), percent_text(one, 2))};
}

Estimate estimate(Cause cause, const Scene& scene, double left) {
  switch (cause) {
    case Cause::router_path:
      return router_path(scene);
    case Cause::uneven_spread:
      return uneven_spread(scene);
    case Cause::saturated_node:
      return saturated_node(scene);
    case Cause::saturated_gate:
      return saturated_gate(scene, left);
    case Cause::slower_connect:
      return slower_connect(scene);
    case Cause::generator:
      return generator(scene);
    case Cause::rest:
      break;
  }
  return {left, ""};
}

std::vector<std::string> hints_of(const Scene& scene, double rest) {
  std::vector<std::string> hints;
  if (scene.point.upper && *scene.point.upper > scene.measured) {
    hints.push_back(fmt::format("The search ended between {} and {}: up to {} may be the search's own step.",
                                figure_text(scene.point.lower), figure_text(scene.point.upper),
                                figure_text(std::min(rest, *scene.point.upper - scene.measured))));
  }
  const auto& machine = scene.now.machine;
  if (machine && machine->busy_cpu_seconds && machine->processors && scene.now.seconds > 0) {
    const double busy = *machine->busy_cpu_seconds / (*machine->processors * scene.now.seconds);
    if (busy >= 0.9) {
      hints.push_back(fmt::format(
          "The machine that all of this ran on was {} busy: nodes, router and generator competed for it.",
          percent_text(busy, 0)));
    }
  }
  return hints;
}

Attribution attribute(const Scene& scene) {
  Attribution result{scene.nodes, scene.theory, scene.measured, scene.theory - scene.measured, {}, {}};
  double left = result.loss;
  for (const Cause cause : {Cause::router_path, Cause::uneven_spread, Cause::saturated_node,
                            Cause::saturated_gate, Cause::slower_connect, Cause::generator}) {
    const Estimate found = estimate(cause, scene, std::max(left, 0.0));
    LossPart part{cause, found.amount, found.evidence};
    if (found.amount) {
      part.amount = std::clamp(*found.amount, 0.0, std::max(left, 0.0));
      if (std::abs(*part.amount - *found.amount) >= kWorthSaying) {
        part.evidence += *found.amount < 0
                             ? fmt::format(" (a gain of {}, so no loss)", figure_text(-*found.amount))
                             : fmt::format(" (an estimate of {}, limited to what was left of the loss)",
                                           figure_text(*found.amount));
      }
      left -= *part.amount;
    }
    result.parts.push_back(std::move(part));
  }
  result.parts.push_back({Cause::rest, left,
                          result.loss < 0 ? "nothing is lost: more than the theory was carried"
                          : left > 0      ? "not explained by what was measured"
                                          : "nothing is left to explain"});
  if (left > 0) {
    result.hints = hints_of(scene, left);
  }
  return result;
}

}  // namespace

std::string name_of(Cause cause) {
  switch (cause) {
    case Cause::router_path:
      return "router path";
    case Cause::uneven_spread:
      return "uneven spread over the nodes";
    case Cause::saturated_node:
      return "saturated node";
    case Cause::saturated_gate:
      return "saturated router or proxy";
    case Cause::slower_connect:
      return "slower connection set-up";
    case Cause::generator:
      return "generator";
    case Cause::rest:
      return "not explained";
  }
  return "?";
}

std::vector<Attribution> attribution_of(const ScalingSeries& series, const Curve& curve) {
  std::optional<double> routed_one;
  std::optional<PointSummary> one;
  if (series.direct && !series.direct->evidence.empty()) {
    one = summary_of(*series.direct);
  }
  for (const ScalingPoint& point : series.points) {
    if (point.nodes == 1 && point.counts()) {
      routed_one = moments_of(point.measured).mean;
      if (!point.evidence.empty()) {
        one = summary_of(point);
      }
    }
  }
  std::vector<Attribution> all;
  for (std::size_t i = 0; i < series.points.size(); ++i) {
    const CurveRow& row = curve.rows.at(i);
    if (row.measured && row.theory) {
      all.push_back(attribute({row.nodes, *row.measured, *row.theory, curve.base, routed_one,
                               series.points[i], summary_of(series.points[i]), one}));
    }
  }
  return all;
}

}  // namespace scalemark::analysis

// Where the difference between n times one node and what n nodes carried goes.
//
// Causes are estimated one after another from what the records hold. Each estimate is independent of the
// others, so it may come to more than is left: a part is then limited to what is left, and its sentence gives
// the estimate. What no estimate explains is the rest. So the parts add up to the loss, always; none is
// hidden, and a cause for which the records hold nothing is named as not measured. docs/report.md gives the
// formulas. Pure and thread-safe.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/curve.h"
#include "analysis/evidence.h"
#include "analysis/scaling_data.h"

namespace scalemark::analysis {

enum class Cause : std::uint8_t {
  router_path,     ///< one node through the router against one node without it
  uneven_spread,   ///< a full node beside others that are not
  saturated_node,  ///< operations cost a full node more of what it is out of
  saturated_gate,  ///< the router or a proxy is full
  slower_connect,  ///< setting up connections takes longer than with one node
  generator,       ///< the generator's own lateness
  rest,            ///< not explained by anything above
};
/// "router path", "uneven spread over the nodes" and so on.
[[nodiscard]] std::string name_of(Cause cause);

struct LossPart {
  Cause cause = Cause::rest;
  std::optional<double> amount;  ///< in the unit of the curve; nothing: not measured
  std::string evidence;          ///< a sentence
};

struct Attribution {
  unsigned nodes = 0;
  double theory = 0;
  double measured = 0;
  double loss = 0;                 ///< theory - measured; negative: nothing is lost
  std::vector<LossPart> parts;     ///< one per cause, in their order
  std::vector<std::string> hints;  ///< what may stand behind the rest: a sentence each
};

/// One per row of the curve that has a figure and a theory.
[[nodiscard]] std::vector<Attribution> attribution_of(const ScalingSeries& series, const Curve& curve);

}  // namespace scalemark::analysis

#include "analysis/capacity.h"

#include <optional>
#include <utility>

namespace scalemark::analysis {
namespace {

struct Rule {
  const char* unit;  // a part of the unit's name
  const char* what;
  const char* assumed;
  double factor;
};

constexpr double kHours = 24;
constexpr double kMinutesAnHour = 60;
constexpr double kUsersALine = 3.2;  // 320 Kb/s carry so many lines of 100 Kb/s

constexpr Rule kRules[] = {
    {"conforming connections", "hits a day",
     "users on 100 Kb/s lines who stay one minute: 24 h x 60 x 320/100 x connections",
     kHours* kMinutesAnHour* kUsersALine},
    {"operations per hour", "users a day",
     "one mail sent and one fetched a day each: 24 h x operations an hour", kHours},
};

}  // namespace

std::vector<CapacityEstimate> capacity_of(const Curve& curve, const std::string& unit) {
  std::vector<CapacityEstimate> estimates;
  for (const Rule& rule : kRules) {
    if (unit.find(rule.unit) == std::string::npos) {
      continue;
    }
    for (const CurveRow& row : curve.rows) {
      if (row.measured && row.theory) {
        estimates.push_back(
            {row.nodes, rule.what, rule.assumed, *row.measured * rule.factor, *row.theory * rule.factor});
      }
    }
    break;
  }
  return estimates;
}

}  // namespace scalemark::analysis

// The search for a model's best parameters.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include <boost/math/tools/minima.hpp>

#include "analysis/models.h"

namespace scalemark::analysis {
namespace {

/// All iterations of one number of nodes: least squares needs no more of them than this.
struct Level {
  double nodes = 0;
  double count = 0;
  double mean = 0;
};

std::vector<Level> levels_of(const std::vector<Observation>& observations) {
  std::map<double, Level> levels;
  for (const Observation& seen : observations) {
    Level& level = levels[seen.nodes];
    level.nodes = seen.nodes;
    level.count += 1;
    level.mean += (seen.rate - level.mean) / level.count;
  }
  std::vector<Level> list;
  list.reserve(levels.size());
  for (const auto& entry : levels) {
    list.push_back(entry.second);
  }
  return list;
}

/// The best gain for this shape of curve.
ModelParameters with_gain(const std::vector<Level>& levels, double contention, double coherence) {
  ModelParameters shape{1, contention, coherence};
  double product = 0;
  double square = 0;
  for (const Level& level : levels) {
    const double value = shape.at(level.nodes);
    product += level.count * value * level.mean;
    square += level.count * value * value;
  }
  shape.gain = square > 0 ? product / square : 0;
  return shape;
}

/// What the fit can change of the squared error; scatter within a level stays whatever it does.
double misfit(const std::vector<Level>& levels, const ModelParameters& parameters) {
  double sum = 0;
  for (const Level& level : levels) {
    const double away = level.mean - parameters.at(level.nodes);
    sum += level.count * away * away;
  }
  return sum;
}

/// Where `cost` is least in [0, 1]: a coarse look over the whole range, then Brent's method around the best.
/// Taken in the cube root, so that values far below 1 are found as exactly as large ones. Bounds win ties.
template <typename Cost>
std::pair<double, double> least(const Cost& cost) {
  constexpr int kLooks = 12;
  constexpr int kBits = 30;
  const auto cubed = [&cost](double u) { return cost(u * u * u); };
  int best = 0;
  double best_cost = std::numeric_limits<double>::infinity();
  for (int i = 0; i <= kLooks; ++i) {
    const double found = cubed(static_cast<double>(i) / kLooks);
    if (found < best_cost) {
      best = i;
      best_cost = found;
    }
  }
  const double low = static_cast<double>(std::max(best - 1, 0)) / kLooks;
  const double high = static_cast<double>(std::min(best + 1, kLooks)) / kLooks;
  const auto [u, inside] = boost::math::tools::brent_find_minima(cubed, low, high, kBits);
  if (inside < best_cost) {
    return {u * u * u, inside};
  }
  const double grid = static_cast<double>(best) / kLooks;
  return {grid * grid * grid, best_cost};
}

ModelParameters best_of(ModelKind kind, const std::vector<Level>& levels) {
  const auto cost = [&levels](double a, double b) { return misfit(levels, with_gain(levels, a, b)); };
  switch (kind) {
    case ModelKind::linear:
      break;
    case ModelKind::amdahl:
      return with_gain(levels, least([&cost](double a) { return cost(a, 0); }).first, 0);
    case ModelKind::usl: {
      const auto coherence_for = [&cost](double a) { return least([&](double b) { return cost(a, b); }); };
      const double a = least([&](double at) { return coherence_for(at).second; }).first;
      return with_gain(levels, a, coherence_for(a).first);
    }
  }
  return with_gain(levels, 0, 0);
}

}  // namespace

ModelParameters best_parameters(ModelKind kind, const std::vector<Observation>& observations) {
  return best_of(kind, levels_of(observations));
}

double squared_error(const ModelParameters& parameters, const std::vector<Observation>& observations) {
  double sum = 0;
  for (const Observation& seen : observations) {
    const double away = seen.rate - parameters.at(seen.nodes);
    sum += away * away;
  }
  return sum;
}

}  // namespace scalemark::analysis

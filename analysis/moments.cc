// Alone in this file because Boost.Accumulators takes long to compile.
#include <algorithm>
#include <cmath>

#include <boost/accumulators/accumulators.hpp>
#include <boost/accumulators/statistics/count.hpp>
#include <boost/accumulators/statistics/max.hpp>
#include <boost/accumulators/statistics/mean.hpp>
#include <boost/accumulators/statistics/min.hpp>
#include <boost/accumulators/statistics/stats.hpp>
#include <boost/accumulators/statistics/variance.hpp>

#include "analysis/statistics.h"

namespace scalemark::analysis {
namespace {

namespace acc = boost::accumulators;
using Accumulator =
    acc::accumulator_set<double,
                         acc::stats<acc::tag::count, acc::tag::mean, acc::tag::variance(acc::immediate),
                                    acc::tag::min, acc::tag::max>>;

}  // namespace

Moments moments_of(const std::vector<double>& values) {
  if (values.empty()) {
    return {};
  }
  Accumulator sample;
  for (const double value : values) {
    sample(value);
  }
  const std::size_t count = acc::count(sample);
  Moments moments{.count = count,
                  .mean = acc::mean(sample),
                  .deviation = 0,
                  .min = (acc::min)(sample),
                  .max = (acc::max)(sample)};
  if (count > 1) {
    // The library's variance divides by n.
    const auto n = static_cast<double>(count);
    moments.deviation = std::sqrt(std::max(0.0, acc::variance(sample)) * n / (n - 1));
  }
  return moments;
}

}  // namespace scalemark::analysis

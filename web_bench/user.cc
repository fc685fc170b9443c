#include "web_bench/user.h"

namespace scalemark::web {

KeepAlivePlan::KeepAlivePlan(double persistent_share, std::uint32_t least, std::uint32_t most)
    : probability_(0), least_(least), most_(most) {
  const double mean = (static_cast<double>(least) + most) / 2;
  probability_ = persistent_share / (mean - persistent_share * mean + persistent_share);
}

std::uint32_t KeepAlivePlan::draw(Random& random) const {
  if (random.unit() >= probability_) {
    return 1;
  }
  return least_ + static_cast<std::uint32_t>(random.below(most_ - least_ + std::uint64_t{1}));
}

double KeepAlivePlan::mean_requests() const {
  const double mean = (static_cast<double>(least_) + most_) / 2;
  return probability_ * mean + 1 - probability_;
}

}  // namespace scalemark::web

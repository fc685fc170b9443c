#include "core/random.h"

#include <cmath>
#include <numeric>
#include <utility>

#include "core/error.h"

namespace scalemark {

std::uint64_t Random::below(std::uint64_t bound) {
  __extension__ using Wide = unsigned __int128;
  Wide product = static_cast<Wide>((*this)()) * bound;
  auto low = static_cast<std::uint64_t>(product);
  if (low < bound) {
    const std::uint64_t threshold = (0 - bound) % bound;
    while (low < threshold) {
      product = static_cast<Wide>((*this)()) * bound;
      low = static_cast<std::uint64_t>(product);
    }
  }
  return static_cast<std::uint64_t>(product >> 64U);
}

std::uint64_t derive_seed(std::uint64_t seed, std::initializer_list<std::uint64_t> path) {
  std::uint64_t value = Random(seed)();
  for (const std::uint64_t step : path) {
    value = Random(value ^ Random(step + 0x632BE59BD9B4E019U)())();
  }
  return value;
}

WeightedDraw::WeightedDraw(const std::vector<double>& weights) {
  double sum = 0;
  for (const double weight : weights) {
    if (!(weight >= 0) || !std::isfinite(weight)) {
      throw UsageError("every weight must be a number of at least 0");
    }
    sum += weight;
  }
  if (!(sum > 0) || !std::isfinite(sum)) {
    throw UsageError("at least one weight must be above 0, and their sum must be finite");
  }
  const auto count = static_cast<double>(weights.size());
  std::vector<double> scaled;
  std::vector<std::uint32_t> small;
  std::vector<std::uint32_t> large;
  for (std::uint32_t i = 0; i < weights.size(); ++i) {
    scaled.push_back(weights[i] / sum * count);
    (scaled.back() < 1 ? small : large).push_back(i);
    cells_.push_back({1.0, i});
  }
  while (!small.empty() && !large.empty()) {
    const std::uint32_t poor = small.back();
    const std::uint32_t rich = large.back();
    small.pop_back();
    cells_[poor] = {scaled[poor], rich};
    scaled[rich] -= 1 - scaled[poor];
    if (scaled[rich] < 1) {
      large.pop_back();
      small.push_back(rich);
    }
  }
}

std::uint32_t WeightedDraw::draw(Random& random) const {
  const auto column = static_cast<std::uint32_t>(random.below(cells_.size()));
  const Cell& cell = cells_[column];
  return random.unit() < cell.keep ? column : cell.alias;
}

Deck::Deck(const std::vector<std::uint32_t>& copies, std::uint64_t seed) : next_(0), random_(seed) {
  const std::uint64_t total = std::accumulate(copies.begin(), copies.end(), std::uint64_t{0});
  if (total == 0 || total > 65536) {
    throw UsageError("a mix needs between 1 and 65,536 parts in all");
  }
  cards_.reserve(total);
  for (std::uint32_t i = 0; i < copies.size(); ++i) {
    cards_.insert(cards_.end(), copies[i], i);
  }
  next_ = cards_.size();
}

std::uint32_t Deck::deal() {
  if (next_ == cards_.size()) {
    for (std::size_t i = cards_.size() - 1; i > 0; --i) {
      std::swap(cards_[i], cards_[random_.below(i + 1)]);
    }
    next_ = 0;
  }
  return cards_[next_++];
}

}  // namespace scalemark

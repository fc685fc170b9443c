// Reproducible random numbers.
//
// Every simulated user, deck and generator owns a `Random` made from the run's seed and its own place in the
// run (`derive_seed`), so what a user does depends neither on how many threads carry it nor on the others.
// The engine is SplitMix64 (Steele, Lea, Flood 2014): eight bytes of state, a handful of instructions. Not
// for secrets. A `Random` belongs to one thread.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <vector>

namespace scalemark {

/// A UniformRandomBitGenerator over all 64-bit values.
class Random {
 public:
  using result_type = std::uint64_t;

  explicit Random(std::uint64_t seed) : state_(seed) {}

  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return ~result_type{0}; }

  result_type operator()() {
    state_ += 0x9E3779B97F4A7C15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31U);
  }

  /// Uniform in [0, 1).
  double unit() { return static_cast<double>((*this)() >> 11U) * 0x1.0p-53; }

  /// Uniform in [0, bound); `bound` > 0. Lemire's multiply-shift with rejection: no bias.
  std::uint64_t below(std::uint64_t bound);

 private:
  std::uint64_t state_;
};

/// A seed for one place in a run: the same (seed, path) always gives the same value, different paths give
/// unrelated streams. Example: derive_seed(plan.seed, {iteration, user}).
[[nodiscard]] std::uint64_t derive_seed(std::uint64_t seed, std::initializer_list<std::uint64_t> path);

/// Draws index i with probability weight[i] / sum in constant time (Walker's alias method, built as in
/// Vose 1991). Immutable after construction, so it may be shared between threads.
class WeightedDraw {
 public:
  /// Throws UsageError when `weights` is empty, holds a negative or non-finite number, or sums to zero.
  explicit WeightedDraw(const std::vector<double>& weights);

  [[nodiscard]] std::uint32_t draw(Random& random) const;
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(cells_.size()); }

 private:
  struct Cell {
    double keep;          // draw the cell itself when the fraction is below this
    std::uint32_t alias;  // else this one
  };
  std::vector<Cell> cells_;
};

/// A shuffled deck that deals each index exactly `copies[i]` times per round, then shuffles anew. It keeps a
/// mix exact where independent draws would wander. Belongs to one thread.
class Deck {
 public:
  /// Throws UsageError when the deck would be empty or hold more than 65,536 cards.
  Deck(const std::vector<std::uint32_t>& copies, std::uint64_t seed);

  [[nodiscard]] std::uint32_t deal();

 private:
  std::vector<std::uint32_t> cards_;
  std::size_t next_;
  Random random_;
};

}  // namespace scalemark

#include "analysis/statistics.h"

#include <algorithm>
#include <cmath>

#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>

namespace scalemark::analysis {
namespace {

/// Up to this many pairs the distribution of U is counted out.
constexpr std::size_t kMostExactPairs = 400;

/// P(U <= u) for samples of these sizes without ties, by counting the arrangements that give each U.
double exact_lower_tail(std::size_t a, std::size_t b, double u) {
  // ways[i][w]: arrangements of i values of a and j of b with U = w; j grows from 0 to b.
  const std::size_t top = a * b;
  std::vector<std::vector<double>> ways(a + 1, std::vector<double>(top + 1, 0));
  for (auto& row : ways) {
    row[0] = 1;  // no value of b: one arrangement
  }
  for (std::size_t j = 1; j <= b; ++j) {
    std::vector<std::vector<double>> next(a + 1, std::vector<double>(top + 1, 0));
    next[0][0] = 1;
    for (std::size_t i = 1; i <= a; ++i) {
      for (std::size_t w = 0; w <= i * j; ++w) {
        // The largest value is either one of a, above all j of b, or one of b.
        next[i][w] = ways[i][w] + (w >= j ? next[i - 1][w - j] : 0);
      }
    }
    ways = std::move(next);
  }
  double below = 0;
  double all = 0;
  for (std::size_t w = 0; w <= top; ++w) {
    all += ways[a][w];
    below += static_cast<double>(w) <= u ? ways[a][w] : 0;
  }
  return below / all;
}

/// Sum of t^3 - t over groups of equal values.
double tie_term(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> all(a);
  all.insert(all.end(), b.begin(), b.end());
  std::sort(all.begin(), all.end());
  double term = 0;
  for (std::size_t begin = 0; begin < all.size();) {
    std::size_t end = begin;
    while (end < all.size() && all[end] == all[begin]) {
      ++end;
    }
    const auto t = static_cast<double>(end - begin);
    term += t * t * t - t;
    begin = end;
  }
  return term;
}

/// Two-sided p of U by the normal approximation with continuity and tie correction.
double normal_p(double u, double n_a, double n_b, double ties) {
  const double n = n_a + n_b;
  const double variance = n_a * n_b / 12 * ((n + 1) - ties / (n * (n - 1)));
  if (variance <= 0) {
    return 1;  // all values are equal
  }
  const double away = std::max(0.0, std::abs(u - n_a * n_b / 2) - 0.5);
  const boost::math::normal standard;
  return 2 * boost::math::cdf(boost::math::complement(standard, away / std::sqrt(variance)));
}

}  // namespace

double median_of(std::vector<double> values) {
  if (values.empty()) {
    return 0;
  }
  std::sort(values.begin(), values.end());
  return quantile_of(values, 0.5);
}

double quantile_of(const std::vector<double>& sorted, double share) {
  const double place = std::clamp(share, 0.0, 1.0) * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  if (sorted[below] == sorted[above]) {
    return sorted[below];  // also two infinities, whose difference is no number
  }
  const double part = place - static_cast<double>(below);
  return part == 0 ? sorted[below] : sorted[below] + (sorted[above] - sorted[below]) * part;
}

std::optional<Interval> mean_interval(const std::vector<double>& values, double level) {
  const Moments moments = moments_of(values);
  if (moments.count < 2) {
    return std::nullopt;
  }
  const auto k = static_cast<double>(moments.count);
  const boost::math::students_t student(k - 1);
  const double t = boost::math::quantile(boost::math::complement(student, (1 - level) / 2));
  const double half = t * moments.deviation / std::sqrt(k);
  return Interval{moments.mean - half, moments.mean + half};
}

std::optional<Interval> share_interval(double hits, double trials, double level) {
  if (!(trials > 0)) {
    return std::nullopt;
  }
  const boost::math::normal standard;
  const double z = boost::math::quantile(boost::math::complement(standard, (1 - level) / 2));
  const double p = std::clamp(hits / trials, 0.0, 1.0);
  const double z2n = z * z / trials;
  const double centre = (p + z2n / 2) / (1 + z2n);
  const double half = z / (1 + z2n) * std::sqrt(p * (1 - p) / trials + z2n / (4 * trials));
  return Interval{std::max(0.0, centre - half), std::min(1.0, centre + half)};
}

std::optional<RankTest> rank_test(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.empty() || b.empty()) {
    return std::nullopt;
  }
  RankTest test;
  for (const double of_a : a) {
    for (const double of_b : b) {
      test.u += of_b > of_a ? 1 : of_b == of_a ? 0.5 : 0;
    }
  }
  const auto pairs = static_cast<double>(a.size() * b.size());
  test.effect = 2 * test.u / pairs - 1;
  const double ties = tie_term(a, b);
  test.exact = ties == 0 && a.size() * b.size() <= kMostExactPairs;
  if (test.exact) {
    test.p = std::min(1.0, 2 * exact_lower_tail(a.size(), b.size(), std::min(test.u, pairs - test.u)));
  } else {
    test.p = normal_p(test.u, static_cast<double>(a.size()), static_cast<double>(b.size()), ties);
  }
  return test;
}

}  // namespace scalemark::analysis

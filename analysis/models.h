// Three models of growth, fitted to all iterations and compared.
//
//   linear   X(n) = g n
//   Amdahl   X(n) = g n / (1 + a (n - 1))                        Amdahl 1967
//   USL      X(n) = g n / (1 + a (n - 1) + b n (n - 1))          Gunther 1993, "universal scalability law"
//
// g > 0 is what one node brings, a in [0, 1] the share that nodes have to do one after another (contention),
// b in [0, 1] what each pair of nodes costs (coherence). Least squares over every iteration, not over means.
// For given a and b the best g follows directly (variable projection, Golub and Pereyra 1973), so what is
// searched is a box: Brent's method within it keeps the bounds by construction and finds answers that lie on
// them. The models are compared by AICc (Hurvich and Tsai 1989). Bands come from a residual bootstrap (Efron
// and Tibshirani 1993) with a fixed seed, so the same data give the same report. There is no R-squared: it is
// near 1 for any growing curve. Pure and thread-safe.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/scaling_data.h"
#include "analysis/statistics.h"

namespace scalemark::analysis {

struct Observation {
  double nodes = 1;
  double rate = 0;
};
/// Every iteration of every point that counts.
[[nodiscard]] std::vector<Observation> observations_of(const ScalingSeries& series);

enum class ModelKind : std::uint8_t { linear, amdahl, usl };
/// "linear", "Amdahl", "USL".
[[nodiscard]] std::string name_of(ModelKind kind);

struct ModelParameters {
  double gain = 0;        ///< g
  double contention = 0;  ///< a
  double coherence = 0;   ///< b

  [[nodiscard]] double at(double nodes) const {
    return gain * nodes / (1 + contention * (nodes - 1) + coherence * nodes * (nodes - 1));
  }
};

/// A model with the best parameters. Throws nothing; `observations` must hold a rate above 0.
[[nodiscard]] ModelParameters best_parameters(ModelKind kind, const std::vector<Observation>& observations);
/// Sum of squared residuals.
[[nodiscard]] double squared_error(const ModelParameters& parameters,
                                   const std::vector<Observation>& observations);

struct BandPoint {
  double nodes = 0;
  double rate = 0;  ///< of the fit
  std::optional<Interval> band;
  bool extrapolated = false;  ///< beyond the largest measured number of nodes
};

struct ModelFit {
  ModelKind kind = ModelKind::linear;
  ModelParameters parameters;
  double squared_error = 0;
  std::optional<double> aicc;  ///< nothing when there are too few iterations for it
  std::optional<Interval> gain, contention,
      coherence;               ///< bootstrap, 95 %; nothing when nothing is left over
  std::optional<double> peak;  ///< n*: nothing unless its interval is finite
  std::optional<Interval> peak_interval;
  std::string remark;           ///< "not distinguishable from linear" and the like, or ""
  std::vector<BandPoint> band;  ///< from the smallest n to half as much again as the largest
};

struct Fits {
  std::vector<ModelFit> fits;         ///< in the order of the models; those the data allow
  std::optional<std::size_t> chosen;  ///< by AICc
  bool clear = false;                 ///< the data tell the chosen model from the others
  std::string why;                    ///< how it was chosen, or why nothing could be: a sentence
  double largest = 0;                 ///< largest measured number of nodes

  std::optional<std::size_t> richer;  ///< a fit beyond the chosen one whose parameters are clearly off 0

  /// The fit to draw: the chosen one, or the richer one where few iterations are all that speaks against it;
  /// when AICc could not choose, Amdahl's. Null when there was nothing to choose from.
  [[nodiscard]] const ModelFit* shown() const;
};

struct FitPlan {
  std::uint64_t seed = 1;
  std::size_t resamples = 1000;
};

/// A model of k parameters is fitted when there are more than k different numbers of nodes.
[[nodiscard]] Fits fit_models(const std::vector<Observation>& observations, const FitPlan& plan = {});

}  // namespace scalemark::analysis

#include "analysis/models.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "analysis/report_words.h"
#include "core/random.h"

namespace scalemark::analysis {
namespace {

constexpr std::array<ModelKind, 3> kModels = {ModelKind::linear, ModelKind::amdahl, ModelKind::usl};
constexpr double kReach = 1.5;  // how far beyond the largest n the band goes
constexpr int kBandSteps = 48;
constexpr double kTellsApart = 2;  // a difference of AICc below this says nothing (Burnham and Anderson 2002)
/// Residuals smaller than this part of the data are rounding: models that fit as well are then told apart by
/// their number of parameters alone.
constexpr double kRounding = 1e-6;

std::size_t parameters_of(ModelKind kind) {
  return static_cast<std::size_t>(kind) + 1;
}

double sum_of_squares(const std::vector<Observation>& observations) {
  double sum = 0;
  for (const Observation& seen : observations) {
    sum += seen.rate * seen.rate;
  }
  return sum;
}

/// AICc with the residuals' variance counted as a parameter.
std::optional<double> aicc_of(const ModelFit& fit, const std::vector<Observation>& observations) {
  const auto n = static_cast<double>(observations.size());
  const auto k = static_cast<double>(parameters_of(fit.kind) + 1);
  if (n - k - 1 <= 0) {
    return std::nullopt;
  }
  const double least = kRounding * kRounding * sum_of_squares(observations);
  return n * std::log(std::max(fit.squared_error, least) / n) + 2 * k + 2 * k * (k + 1) / (n - k - 1);
}

/// Number of nodes where a curve has its peak; infinite when it has none.
double peak_of(const ModelParameters& parameters) {
  if (parameters.coherence <= 0) {
    return std::numeric_limits<double>::infinity();
  }
  return std::max(1.0, std::floor(std::sqrt((1 - parameters.contention) / parameters.coherence)));
}

std::vector<double> band_nodes(double smallest, double largest) {
  std::vector<double> nodes;
  const double end = largest * kReach;
  for (int i = 0; i <= kBandSteps; ++i) {
    nodes.push_back(smallest + (end - smallest) * i / kBandSteps);
  }
  // The last measured point belongs to the curve, however the steps fall.
  nodes.push_back(largest);
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

/// What the resamples of one fit gave, value by value.
struct Resampled {
  std::vector<double> gain, contention, coherence, peak;
  std::vector<std::vector<double>> band;
};

std::vector<double> residuals_of(const ModelFit& fit, const std::vector<Observation>& observations) {
  std::vector<double> residuals;
  double mean = 0;
  for (const Observation& seen : observations) {
    residuals.push_back(seen.rate - fit.parameters.at(seen.nodes));
    mean += residuals.back() / static_cast<double>(observations.size());
  }
  // A fit makes its own residuals smaller than the scatter is: n / (n - k) puts that right.
  const auto n = static_cast<double>(observations.size());
  const double wider = std::sqrt(n / (n - static_cast<double>(parameters_of(fit.kind))));
  for (double& residual : residuals) {
    residual = (residual - mean) * wider;
  }
  return residuals;
}

Resampled resample(const ModelFit& fit, const std::vector<Observation>& observations, const FitPlan& plan) {
  Resampled drawn;
  drawn.band.resize(fit.band.size());
  const std::vector<double> residuals = residuals_of(fit, observations);
  Random random(derive_seed(plan.seed, {static_cast<std::uint64_t>(fit.kind)}));
  std::vector<Observation> again(observations);
  for (std::size_t i = 0; i < plan.resamples; ++i) {
    for (std::size_t j = 0; j < again.size(); ++j) {
      again[j].rate = fit.parameters.at(observations[j].nodes) + residuals[random.below(residuals.size())];
    }
    const ModelParameters found = best_parameters(fit.kind, again);
    drawn.gain.push_back(found.gain);
    drawn.contention.push_back(found.contention);
    drawn.coherence.push_back(found.coherence);
    drawn.peak.push_back(peak_of(found));
    for (std::size_t b = 0; b < fit.band.size(); ++b) {
      drawn.band[b].push_back(found.at(fit.band[b].nodes));
    }
  }
  return drawn;
}

Interval middle_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return {quantile_of(values, 0.025), quantile_of(values, 0.975)};
}

void put_intervals(ModelFit& fit, const std::vector<Observation>& observations, const FitPlan& plan) {
  if (observations.size() <= parameters_of(fit.kind) || plan.resamples == 0) {
    return;  // the curve goes through the points: nothing says how sure it is
  }
  Resampled drawn = resample(fit, observations, plan);
  fit.gain = middle_of(std::move(drawn.gain));
  if (fit.kind != ModelKind::linear) {
    fit.contention = middle_of(std::move(drawn.contention));
  }
  if (fit.kind == ModelKind::usl) {
    fit.coherence = middle_of(std::move(drawn.coherence));
    const Interval peak = middle_of(std::move(drawn.peak));
    if (std::isfinite(peak.high)) {
      fit.peak = peak_of(fit.parameters);
      fit.peak_interval = peak;
    }
  }
  for (std::size_t i = 0; i < fit.band.size(); ++i) {
    fit.band[i].band = middle_of(std::move(drawn.band[i]));
  }
}

std::string remark_of(const ModelFit& fit) {
  const bool no_contention = fit.parameters.contention == 0;
  const bool no_coherence = fit.parameters.coherence == 0;
  const bool all_contention = fit.parameters.contention == 1;
  if (fit.kind == ModelKind::linear) {
    return "";
  }
  if (all_contention) {
    return "a lies on its bound of 1: nodes bring nothing";
  }
  if (no_contention && no_coherence) {
    return "not distinguishable from linear";
  }
  if (fit.kind == ModelKind::amdahl) {
    return fit.contention && fit.contention->low == 0 ? "a's interval reaches 0, where it would be linear"
                                                      : "";
  }
  if (no_coherence) {
    return "b lies on its bound of 0: not distinguishable from Amdahl";
  }
  if (no_contention) {
    return "a lies on its bound of 0: all the loss is in b";
  }
  if (fit.coherence && fit.coherence->low == 0) {
    return "b's interval reaches 0, where it would be Amdahl";
  }
  return "";
}

ModelFit fit_one(ModelKind kind, const std::vector<Observation>& observations, const std::set<double>& nodes,
                 const FitPlan& plan) {
  ModelFit fit;
  fit.kind = kind;
  fit.parameters = best_parameters(kind, observations);
  fit.squared_error = squared_error(fit.parameters, observations);
  fit.aicc = aicc_of(fit, observations);
  for (const double at : band_nodes(*nodes.begin(), *nodes.rbegin())) {
    fit.band.push_back({at, fit.parameters.at(at), std::nullopt, at > *nodes.rbegin()});
  }
  put_intervals(fit, observations, plan);
  fit.remark = remark_of(fit);
  return fit;
}

/// Whether what this model has beyond `less` is off 0 in (nearly) every resample.
bool has_more_to_say(const ModelFit& fit, ModelKind less) {
  const bool contention = less == ModelKind::linear && fit.contention && fit.contention->low > 0;
  return contention || (fit.coherence && fit.coherence->low > 0);
}

/// AICc compares only fits that all have one; a comparison among some of them would favour whoever is left.
void choose(Fits& result) {
  std::size_t best = 0;
  for (std::size_t i = 0; i < result.fits.size(); ++i) {
    if (!result.fits[i].aicc) {
      result.why = fmt::format(
          "There are too few iterations for AICc to judge {} (it needs {} for this model), so no model is "
          "chosen; "
          "measure every number of nodes several times.",
          name_of(result.fits[i].kind), parameters_of(result.fits[i].kind) + 3);
      return;
    }
    if (*result.fits[i].aicc < *result.fits[best].aicc - 1e-9) {
      best = i;
    }
  }
  result.chosen = best;
  if (result.fits.size() == 1) {
    result.why = "Two numbers of nodes allow no other model than linear.";
    return;
  }
  double next = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < result.fits.size(); ++i) {
    if (i != best) {
      next = std::min(next, *result.fits[i].aicc - *result.fits[best].aicc);
    }
    if (i > best && has_more_to_say(result.fits[i], result.fits[best].kind)) {
      result.richer = result.richer.value_or(i);
    }
  }
  result.clear = next >= kTellsApart && !result.richer;
  result.why =
      fmt::format("{} has the least AICc, by {}{}.", name_of(result.fits[best].kind), figure_text(next),
                  next < kTellsApart ? ", which is too little to tell it from the next" : "");
  if (result.richer) {
    result.why += fmt::format(
        " But {}'s parameters lie off 0 throughout their intervals, so {} holds only because there are few "
        "iterations, "
        "for which AICc charges a parameter dearly.",
        name_of(result.fits[*result.richer].kind), name_of(result.fits[best].kind));
  }
}

}  // namespace

std::string name_of(ModelKind kind) {
  switch (kind) {
    case ModelKind::linear:
      return "linear";
    case ModelKind::amdahl:
      return "Amdahl";
    case ModelKind::usl:
      return "USL";
  }
  return "?";
}

std::vector<Observation> observations_of(const ScalingSeries& series) {
  std::vector<Observation> observations;
  for (const ScalingPoint& point : series.points) {
    if (point.counts()) {
      for (const double rate : point.measured) {
        observations.push_back({static_cast<double>(point.nodes), rate});
      }
    }
  }
  return observations;
}

const ModelFit* Fits::shown() const {
  if (fits.size() < 2) {
    return nullptr;
  }
  return &fits[richer ? *richer : chosen.value_or(1)];
}

Fits fit_models(const std::vector<Observation>& observations, const FitPlan& plan) {
  Fits result;
  std::set<double> nodes;
  bool any = false;
  for (const Observation& seen : observations) {
    nodes.insert(seen.nodes);
    any = any || seen.rate > 0;
  }
  if (nodes.size() < 2 || !any) {
    result.why = nodes.size() < 2 ? "A model needs at least two numbers of nodes; there are no fits."
                                  : "Every figure is 0; there are no fits.";
    return result;
  }
  result.largest = *nodes.rbegin();
  for (const ModelKind kind : kModels) {
    if (nodes.size() > parameters_of(kind)) {
      result.fits.push_back(fit_one(kind, observations, nodes, plan));
    }
  }
  choose(result);
  return result;
}

}  // namespace scalemark::analysis

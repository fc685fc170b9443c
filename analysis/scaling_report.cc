#include "analysis/scaling_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <utility>

#include "analysis/report_words.h"
#include "analysis/text.h"
#include "core/judgement.h"

namespace scalemark::analysis {
namespace {

std::string slug_of(const std::string& name, std::set<std::string>& used) {
  std::string slug;
  for (const char letter : name) {
    const bool plain =
        std::isalnum(static_cast<unsigned char>(letter)) != 0 && static_cast<unsigned char>(letter) < 0x80;
    if (plain) {
      slug += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    } else if (!slug.empty() && slug.back() != '-') {
      slug += '-';
    }
  }
  slug.erase(slug.find_last_not_of('-') + 1);
  slug = slug.empty() ? "curve" : slug.substr(0, 40);
  const std::string wanted = slug;
  for (int i = 2; !used.insert(slug).second; ++i) {
    slug = fmt::format("{}-{}", wanted, i);
  }
  return slug;
}

/// "; growth is ..." as the fits have it.
std::string growth_words(const Fits& fits) {
  if (!fits.chosen || fits.fits.size() < 2) {
    return "";  // nothing was compared
  }
  if (!fits.clear) {
    return " There are too few iterations to tell the models of growth apart.";
  }
  const ModelFit& fit = fits.fits[*fits.chosen];
  if (fit.kind == ModelKind::linear) {
    return " Growth is not distinguishable from linear.";
  }
  std::string text =
      fmt::format(" Growth follows {}", fit.kind == ModelKind::usl ? "the USL" : "Amdahl's law");
  text += fmt::format(" (a = {}", parameter_text(fit.parameters.contention));
  text +=
      fit.kind == ModelKind::usl ? fmt::format(", b = {})", parameter_text(fit.parameters.coherence)) : ")";
  if (fit.peak) {
    text += fmt::format(", with its peak near {} nodes", figure_text(fit.peak));
  }
  return text + ".";
}

std::string points_missing(const Curve& curve) {
  std::vector<std::string> missing;
  for (const CurveRow& row : curve.rows) {
    if (!row.measured) {
      missing.push_back(fmt::format("{} ({})", nodes_text(row.nodes), words_of(row.status)));
    }
  }
  return missing.empty() ? "" : fmt::format(" Without a result: {}.", fmt::join(missing, ", "));
}

/// The causes that take the most of the loss at one point, largest first.
std::string causes_words(const std::vector<Attribution>& attribution, unsigned nodes) {
  for (const Attribution& at : attribution) {
    if (at.nodes != nodes || at.loss <= 0) {
      continue;
    }
    std::vector<const LossPart*> parts;
    for (const LossPart& part : at.parts) {
      if (part.amount && *part.amount > at.loss * 0.05) {
        parts.push_back(&part);
      }
    }
    std::sort(parts.begin(), parts.end(),
              [](const LossPart* a, const LossPart* b) { return *a->amount > *b->amount; });
    std::vector<std::string> words;
    words.reserve(parts.size());
    for (const LossPart* part : parts) {
      words.push_back(fmt::format("{} {}", name_of(part->cause), percent_text(*part->amount / at.loss, 0)));
    }
    return words.empty() ? "" : fmt::format(" Of the loss: {}.", fmt::join(words, ", "));
  }
  return "";
}

/// Whether the theory lies within the interval of what was measured, and beside it.
bool within_spread(const CurveRow& row) {
  return row.interval && row.measured != row.theory && row.interval->low <= *row.theory &&
         *row.theory <= row.interval->high;
}

std::string sentence_of(const SeriesReport& report, const std::string& unit) {
  const CurveRow* last = report.curve.last();
  if (last == nullptr) {
    return fmt::format("{}: nothing was measured.{}", report.label, points_missing(report.curve));
  }
  std::string text = fmt::format("{}: {} carry {} {}", report.label, nodes_text(last->nodes),
                                 figure_text(last->measured), unit);
  if (last->nodes == 1) {
    text = fmt::format("{}: 1 node carries {} {}", report.label, figure_text(last->measured), unit);
  }
  if (last->theory && last->efficiency) {
    text += fmt::format(
        ", {} of the {} that {}", percent_text(last->efficiency, 1), figure_text(last->theory),
        report.curve.base.kind == BaseKind::direct
            ? fmt::format("{} times one direct node would be", last->nodes)
            : fmt::format("linear growth from {} would give", nodes_text(report.curve.base.nodes)));
    if (within_spread(*last)) {
      text +=
          ", which is no more than its iterations differ among themselves: not to be told from linear "
          "growth.";
      return text + growth_words(report.fits) + points_missing(report.curve);
    }
    text += last->super_linear ? ": more than linear."
                               : fmt::format(": {} is lost.", percent_text(*last->drop / 100, 1));
  } else {
    text += ".";
  }
  return text + growth_words(report.fits) + causes_words(report.attribution, last->nodes) +
         points_missing(report.curve);
}

SeriesReport series_report(ScalingSeries series, const std::string& unit, const FitPlan& plan,
                           std::set<std::string>& slugs) {
  SeriesReport report;
  report.label = series.name.empty() ? "Measured" : series.name;
  report.slug = slug_of(series.name, slugs);
  report.curve = curve_of(series);
  report.fits = fit_models(observations_of(series), plan);
  report.capacity = capacity_of(report.curve, unit);
  report.attribution = attribution_of(series, report.curve);
  // Where nothing is lost there is nothing to explain.
  std::erase_if(report.attribution, [](const Attribution& at) { return at.loss <= 0; });
  for (const ScalingPoint& point : series.points) {
    report.summaries.push_back(summary_of(point));
  }
  report.series = std::move(series);
  report.sentence = sentence_of(report, unit);
  return report;
}

std::string generator_words(const std::vector<SeriesReport>& all) {
  std::optional<double> lateness;
  std::optional<double> thread;
  std::vector<std::string> limited;
  for (const SeriesReport& series : all) {
    for (std::size_t i = 0; i < series.summaries.size(); ++i) {
      const PointSummary& summary = series.summaries[i];
      const ScalingPoint& point = series.series.points[i];
      if (summary.lateness_share) {
        lateness = std::max(lateness.value_or(0), *summary.lateness_share);
      }
      if (summary.busiest_thread) {
        thread = std::max(thread.value_or(0), *summary.busiest_thread);
      }
      if (point.status == PointStatus::generator_limited) {
        limited.push_back(fmt::format("{} at {}", series.label, nodes_text(point.nodes)));
      }
    }
  }
  if (!limited.empty()) {
    return fmt::format("The generator was the limit in {}: these points say nothing about the service.",
                       fmt::join(limited, ", "));
  }
  if (!lateness && !thread) {
    return "";
  }
  const bool sound = lateness.value_or(0) <= kMostLateness && thread.value_or(0) <= kMostCpuShare;
  return fmt::format(
      "{}: over all results its lateness took at most {} of the users' time (limit {}), and its "
      "busiest thread was at most {} busy (limit {}).",
      sound ? "The generator was never the limit" : "The generator may have been the limit",
      percent_text(lateness, 2), percent_text(kMostLateness, 1), percent_text(thread, 0),
      percent_text(kMostCpuShare, 0));
}

/// Which points rest on trials that others disturbed; "" none.
std::string disturbance_words(const std::vector<SeriesReport>& all) {
  std::vector<std::string> points;
  for (const SeriesReport& series : all) {
    for (const ScalingPoint& point : series.series.points) {
      const bool disturbed =
          std::any_of(point.trials.begin(), point.trials.end(),
                      [](const TrialLine& trial) { return trial.disturbed && trial.counts; });
      if (disturbed) {
        points.push_back(fmt::format("{} at {}", series.label, nodes_text(point.nodes)));
      }
    }
  }
  return points.empty() ? ""
                        : fmt::format(
                              "Disturbed: other programs, or the host of this machine, took more of the "
                              "processors than allowed in trials that count: {}. Do not trust these figures "
                              "before they were measured on a quiet machine.",
                              fmt::join(points, ", "));
}

}  // namespace

ScalingReport report_of(ScalingData data, const FitPlan& plan) {
  ScalingReport report;
  std::set<std::string> slugs;
  // The estimate of hits a day is for lines that conform at 320 Kb/s.
  const bool usual_rate = std::none_of(data.plan.begin(), data.plan.end(), [](const auto& setting) {
    return setting.first == "web.conforming-rate" && setting.second != "320kbit";
  });
  for (ScalingSeries& series : data.series) {
    report.series.push_back(series_report(std::move(series), data.unit, plan, slugs));
    if (!usual_rate) {
      report.series.back().capacity.clear();
    }
  }
  data.series.clear();
  if (const std::string note = disturbance_words(report.series); !note.empty()) {
    data.notes.push_back(note);
  }
  report.data = std::move(data);
  report.generator = generator_words(report.series);
  return report;
}

}  // namespace scalemark::analysis

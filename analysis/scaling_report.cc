#include "analysis/scaling_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <utility>

#include "analysis/report_words.h"
#include "analysis/text.h"
#include "core/judgement.h"
#include "core/text.h"

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
    text += fmt::format(", with its peak near {} {}", figure_text(fit.peak),
                        word_for(static_cast<std::uint64_t>(*fit.peak), "node"));
  }
  return text + ".";
}

std::string points_missing(const SeriesReport& report) {
  std::vector<std::string> missing;
  if (report.series.direct && !report.series.direct->counts() && !report.series.lists_direct()) {
    missing.push_back(fmt::format("the direct node ({})", words_of(report.series.direct->status)));
  }
  for (const CurveRow& row : report.curve.rows) {
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

/// "4 times one direct node would be": what the theory is, behind its figure.
std::string theory_words(const CurveBase& base, unsigned nodes) {
  if (base.kind != BaseKind::direct) {
    return fmt::format("linear growth from {} would give", nodes_text(base.nodes));
  }
  return nodes == 1 ? "one direct node carries" : fmt::format("{} times one direct node would be", nodes);
}

std::string sentence_of(const SeriesReport& report, const std::string& unit) {
  const CurveRow* last = report.curve.last();
  if (last == nullptr) {
    return fmt::format("{}: nothing was measured.{}", report.label, points_missing(report));
  }
  std::string text = fmt::format("{}: {} carry {} {}", report.label, nodes_text(last->nodes),
                                 figure_text(last->measured), unit);
  if (last->nodes == 1) {
    text = fmt::format("{}: 1 node carries {} {}", report.label, figure_text(last->measured), unit);
  }
  if (last->theory && last->efficiency) {
    text += fmt::format(", {} of the {} that {}", percent_text(last->efficiency, 1),
                        figure_text(last->theory), theory_words(report.curve.base, last->nodes));
    if (within_spread(*last)) {
      text +=
          ", which is no more than its iterations differ among themselves: not to be told from linear "
          "growth.";
      return text + growth_words(report.fits) + points_missing(report);
    }
    text += last->super_linear ? ": more than linear."
                               : fmt::format(": {} is lost.", percent_text(*last->drop / 100, 1));
  } else {
    text += ".";
  }
  return text + growth_words(report.fits) + causes_words(report.attribution, last->nodes) +
         points_missing(report);
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

/// A study's series share their direct node; it is listed with the first of them.
void put_base(const std::vector<SeriesReport>& before, SeriesReport& report) {
  const auto& direct = report.series.direct;
  if (!direct || report.series.lists_direct()) {
    return;
  }
  for (const SeriesReport& other : before) {
    if (other.series.direct && !direct->trials.empty() && other.series.direct->trials == direct->trials) {
      report.same_base = other.label;
      return;
    }
  }
  report.base = summary_of(*direct);
}

/// "dsr at 4 nodes", "one node, direct".
std::string place_words(const SeriesReport& series, const ListedPoint& listed) {
  if (!listed.base) {
    return fmt::format("{} at {}", series.label, listed.name());
  }
  const std::string& variant = series.series.variant;
  return variant.empty() ? "one node, direct" : fmt::format("one node, direct, {}", variant);
}

/// " (trial 7 at 1,880: a thread was busy)".
std::string limited_words(const ScalingPoint& point) {
  if (!point.limited) {
    return "";
  }
  const LimitedTrial& limited = *point.limited;
  return fmt::format(" (trial {} at {}{})", limited.number, figure_text(limited.load),
                     limited.reason.empty() ? "" : ": " + limited.reason);
}

std::string generator_words(const std::vector<SeriesReport>& all) {
  std::optional<double> lateness;
  std::optional<double> thread;
  std::vector<std::string> limited;
  for (const SeriesReport& series : all) {
    for (const ListedPoint& listed : listed_points(series)) {
      const PointSummary& summary = listed.summary;
      if (summary.lateness_share) {
        lateness = std::max(lateness.value_or(0), *summary.lateness_share);
      }
      if (summary.busiest_thread) {
        thread = std::max(thread.value_or(0), *summary.busiest_thread);
      }
      if (listed.point.status == PointStatus::generator_limited) {
        limited.push_back(place_words(series, listed) + limited_words(listed.point));
      }
    }
  }
  if (!limited.empty()) {
    return fmt::format("The generator was the limit in {}: {} nothing about the service.",
                       fmt::join(limited, ", "),
                       limited.size() == 1 ? "this point says" : "these points say");
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
    for (const ListedPoint& listed : listed_points(series)) {
      const auto& trials = listed.point.trials;
      if (std::any_of(trials.begin(), trials.end(),
                      [](const TrialLine& trial) { return trial.disturbed && trial.counts; })) {
        points.push_back(place_words(series, listed));
      }
    }
  }
  return points.empty() ? ""
                        : fmt::format(
                              "Disturbed: other programs, or the host of this machine, took more of the "
                              "processors than allowed in trials that count: {}. Do not trust these figures "
                              "before they were measured on a quiet machine.",
                              fmt::join(points, "; "));
}

}  // namespace

std::string ListedPoint::name() const {
  return nodes_text(point.nodes) + (base ? ", direct" : "");
}

std::string ListedPoint::in_column() const {
  return fmt::format("{}{}", point.nodes, base ? ", direct" : "");
}

std::vector<ListedPoint> listed_points(const SeriesReport& series) {
  std::vector<ListedPoint> all;
  if (series.base) {
    all.push_back({*series.series.direct, *series.base, true});
  }
  for (std::size_t i = 0; i < series.summaries.size(); ++i) {
    all.push_back({series.series.points[i], series.summaries[i], false});
  }
  return all;
}

ScalingReport report_of(ScalingData data, const FitPlan& plan) {
  ScalingReport report;
  std::set<std::string> slugs;
  // The estimate of hits a day is for lines that conform at 320 Kb/s.
  const bool usual_rate = std::none_of(data.plan.begin(), data.plan.end(), [](const auto& setting) {
    return setting.first == "web.conforming-rate" && setting.second != "320kbit";
  });
  for (ScalingSeries& series : data.series) {
    SeriesReport one = series_report(std::move(series), data.unit, plan, slugs);
    put_base(report.series, one);
    if (!usual_rate) {
      one.capacity.clear();
    }
    report.series.push_back(std::move(one));
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

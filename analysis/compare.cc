#include "analysis/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "analysis/report_words.h"
#include "analysis/study_reader.h"
#include "analysis/table.h"
#include "analysis/web_fields.h"
#include "core/error.h"
#include "core/run_record.h"

namespace scalemark::analysis {
namespace {

constexpr double kSignificant = 0.05;

/// Iterations by the name of their point, in order.
struct Results {
  std::string unit;
  std::vector<std::pair<std::string, std::vector<double>>> points;
};

std::string point_name(const std::string& series, unsigned nodes) {
  return fmt::format("{}, {}", series.empty() ? "table" : series, nodes_text(nodes));
}

/// A web record that names no cluster is a point by itself.
std::optional<Results> plain_record(const std::filesystem::path& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    return std::nullopt;
  }
  const RunRecord record = read_record(path);
  if (record.kind != "web" || record.cluster.is_object()) {
    return std::nullopt;
  }
  if (record.verdict.status == Status::void_run || record.verdict.status == Status::generator_limited) {
    throw UsageError(fmt::format("'{}' is {}: its figures are no result, so there is nothing to compare",
                                 path.string(), name_of(record.verdict.status)));
  }
  Results results{record.score.unit, {{"run", {}}}};
  for (const std::size_t i : scorable_iterations(record)) {
    results.points[0].second.push_back(real_of(record.iterations[i], {"conforming"}).value_or(0));
  }
  return results;
}

Results results_of(const std::filesystem::path& path) {
  if (auto plain = plain_record(path)) {
    return *std::move(plain);
  }
  const ScalingData data = read_measurements({path});
  Results results{data.unit, {}};
  for (const ScalingSeries& series : data.series) {
    for (const ScalingPoint& point : series.points) {
      if (point.counts()) {
        results.points.emplace_back(point_name(series.name, point.nodes), point.measured);
      }
    }
  }
  return results;
}

std::string size_word(double effect) {
  // Romano and others 2006.
  const double size = std::abs(effect);
  return size < 0.147 ? "negligible" : size < 0.33 ? "small" : size < 0.474 ? "medium" : "large";
}

double change_of(const PointComparison& point) {
  const double before = median_of(point.a);
  return before == 0 ? std::numeric_limits<double>::quiet_NaN() : (median_of(point.b) / before - 1) * 100;
}

std::string change_words(const PointComparison& point) {
  const double change = change_of(point);
  return std::isnan(change) ? "-" : fmt::format("{:+.2f}%", change);
}

}  // namespace

std::string PointComparison::sentence() const {
  if (!test) {
    return what + ": one side has no figure.";
  }
  std::string text;
  if (test->p < kSignificant) {
    text = fmt::format("{}: B is {} by {} (medians), more than chance gives (p = {:.3g}); the effect is {}.",
                       what, test->effect >= 0 ? "higher" : "lower", change_words(*this), test->p,
                       size_word(test->effect));
  } else {
    text = fmt::format("{}: no difference can be told from chance (p = {:.3g}); the medians differ by {}.",
                       what, test->p, change_words(*this));
  }
  if (!reliable()) {
    text += fmt::format(" Unreliable: {} and {} repetitions, and the test needs at least {} a side.",
                        a.size(), b.size(), kEnoughRepetitions);
  }
  return text;
}

Comparison compare_results(const std::filesystem::path& a, const std::filesystem::path& b) {
  const Results of_a = results_of(a);
  const Results of_b = results_of(b);
  if (of_a.unit != of_b.unit) {
    throw UsageError(fmt::format("'{}' counts {} and '{}' counts {}; they cannot be compared", a.string(),
                                 of_a.unit, b.string(), of_b.unit));
  }
  Comparison result{of_a.unit, a.string(), b.string(), {}, {}};
  std::map<std::string, std::vector<double>> by_name(of_b.points.begin(), of_b.points.end());
  for (const auto& [name, values] : of_a.points) {
    const auto found = by_name.find(name);
    if (found == by_name.end()) {
      result.notes.push_back(fmt::format("Only A has {}.", name));
      continue;
    }
    result.points.push_back({name, values, found->second, rank_test(values, found->second)});
    by_name.erase(found);
  }
  for (const auto& entry : by_name) {
    result.notes.push_back(fmt::format("Only B has {}.", entry.first));
  }
  if (result.points.empty()) {
    throw UsageError(
        fmt::format("'{}' and '{}' have no point in common: the same router and number of nodes, "
                    "measured in both",
                    a.string(), b.string()));
  }
  return result;
}

std::string comparison_text(const Comparison& comparison, const TextStyle& style) {
  std::string text = fmt::format("Comparing {}\n", comparison.unit);
  text += wrapped("  A: ", comparison.a, style.width) + wrapped("  B: ", comparison.b, style.width) + "\n";
  Table table({{.name = "point", .left = true},
               {.name = "A median"},
               {.name = "B median"},
               {.name = "change"},
               {.name = "n A"},
               {.name = "n B"},
               {.name = "U", .drop = 1},
               {.name = "p"},
               {.name = "delta"},
               {.name = "effect", .left = true}});
  for (const PointComparison& point : comparison.points) {
    const bool any = point.test.has_value();
    table.add({point.what, figure_text(median_of(point.a)), figure_text(median_of(point.b)),
               change_words(point), fmt::format("{}", point.a.size()), fmt::format("{}", point.b.size()),
               any ? figure_text(point.test->u) : "-", any ? fmt::format("{:.3g}", point.test->p) : "-",
               any ? fmt::format("{:+.2f}", point.test->effect) : "-",
               any ? size_word(point.test->effect) : "-"});
  }
  text += table.text(style.width, 2) + "\n";
  for (const PointComparison& point : comparison.points) {
    text += wrapped("  ", point.sentence(), style.width);
  }
  for (const std::string& note : comparison.notes) {
    text += wrapped("  Note: ", note, style.width);
  }
  return text;
}

}  // namespace scalemark::analysis

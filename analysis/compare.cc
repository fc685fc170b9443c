#include "analysis/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "analysis/report_words.h"
#include "analysis/study_reader.h"
#include "analysis/table.h"
#include "analysis/web_fields.h"
#include "core/error.h"
#include "core/run_record.h"
#include "core/text.h"

namespace scalemark::analysis {
namespace {

constexpr double kSignificant = 0.05;

constexpr const char* kRun = "run";  // the one point of a record without a cluster

/// What one side has of a point.
struct Figures {
  std::string point;
  std::vector<double> iterations;  ///< empty: there is no result
  std::string why_none;            ///< then: "generator-limited (a thread was busy)"
};

struct Results {
  std::string unit;
  std::vector<Figures> points;
  std::vector<std::string> notes;  ///< to stand behind the side's name
};

std::string point_name(const std::string& series, unsigned nodes) {
  return fmt::format("{}, {}", series.empty() ? "table" : series, nodes_text(nodes));
}

std::string with_reason(const std::string& what, const std::string& reason) {
  return reason.empty() ? what : fmt::format("{} ({})", what, reason);
}

/// Which iterations were cut short; "" none.
std::string partial_words(const RunRecord& record) {
  std::vector<std::string> numbers;
  for (const Json& iteration : record.iterations) {
    if (field(iteration, {"partial"}) == Json(true)) {
      numbers.push_back(fmt::format("{}", count_of(iteration, {"number"}).value_or(numbers.size() + 1)));
    }
  }
  return numbers.empty()
             ? ""
             : fmt::format(
                   "{} {} cut short, so {} left out",
                   word_for(numbers.size(), "iteration") + " " + fmt::format("{}", fmt::join(numbers, ", ")),
                   word_for(numbers.size(), "was", "were"), word_for(numbers.size(), "it is", "they are"));
}

Figures figures_of(const RunRecord& record) {
  Figures figures{kRun, {}, ""};
  const Status status = record.verdict.status;
  if (status == Status::void_run || status == Status::generator_limited) {
    const auto& reasons = record.verdict.reasons;
    figures.why_none = with_reason(words_of(status), reasons.empty() ? "" : reasons.front());
    return figures;
  }
  for (const std::size_t i : complete_iterations(record)) {
    figures.iterations.push_back(real_of(record.iterations[i], {score_figure(record)}).value_or(0));
  }
  figures.why_none = with_reason(words_of(status), "no iteration is complete");
  return figures;
}

/// A web or mail record that names no cluster is a point by itself.
std::optional<Results> plain_record(const std::filesystem::path& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    return std::nullopt;
  }
  const RunRecord record = read_record(path);
  if ((record.kind != "web" && record.kind != "mail") || record.cluster.is_object()) {
    return std::nullopt;
  }
  Results results{record.score.unit, {figures_of(record)}, {}};
  if (const std::string partial = partial_words(record); !partial.empty()) {
    results.notes.push_back(partial);
  }
  return results;
}

Figures figures_of(const ScalingSeries& series, const ScalingPoint& point) {
  Figures figures{point_name(series.name, point.nodes), {}, ""};
  if (point.counts()) {
    figures.iterations = point.measured;
  } else {
    figures.why_none = with_reason(words_of(point.status), point.why);
  }
  return figures;
}

Results results_of(const std::filesystem::path& path) {
  if (auto plain = plain_record(path)) {
    return *std::move(plain);
  }
  const ScalingData data = read_measurements({path});
  Results results{data.unit, {}, {}};
  for (const ScalingSeries& series : data.series) {
    for (const ScalingPoint& point : series.points) {
      results.points.push_back(figures_of(series, point));
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

const Figures* find_point(const Results& results, const std::string& name) {
  const auto found = std::find_if(results.points.begin(), results.points.end(),
                                  [&name](const Figures& figures) { return figures.point == name; });
  return found == results.points.end() ? nullptr : &*found;
}

/// A sentence on a side that has no result for a point; none when it has one.
void add_without_result(const char* side, const std::filesystem::path& path, const Figures& figures,
                        std::vector<std::string>& sentences) {
  if (figures.iterations.empty()) {
    sentences.push_back(fmt::format("{} ('{}') has no result{}: {}.", side, path.string(),
                                    figures.point == kRun ? "" : " for " + figures.point, figures.why_none));
  }
}

[[noreturn]] void refuse(const std::filesystem::path& a, const std::filesystem::path& b,
                         const std::vector<std::string>& without) {
  if (without.empty()) {
    throw UsageError(
        fmt::format("'{}' and '{}' have no point in common: the same router and number of nodes, "
                    "measured in both",
                    a.string(), b.string()));
  }
  throw UsageError(fmt::format("there is nothing to compare. {}", fmt::join(without, " ")));
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
    text += fmt::format(" Unreliable: {} and {}, and the test needs at least {} a side.", a.size(),
                        counted(b.size(), "repetition"), kEnoughRepetitions);
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
  std::vector<std::string> without;  // why points that both name cannot be compared
  for (const Figures& figures : of_a.points) {
    const Figures* other = find_point(of_b, figures.point);
    if (other == nullptr) {
      result.notes.push_back(fmt::format("Only A has {}.", figures.point));
    } else if (!figures.iterations.empty() && !other->iterations.empty()) {
      result.points.push_back({figures.point, figures.iterations, other->iterations,
                               rank_test(figures.iterations, other->iterations)});
    } else {
      add_without_result("A", a, figures, without);
      add_without_result("B", b, *other, without);
    }
  }
  for (const Figures& figures : of_b.points) {
    if (find_point(of_a, figures.point) == nullptr) {
      result.notes.push_back(fmt::format("Only B has {}.", figures.point));
    }
  }
  if (result.points.empty()) {
    refuse(a, b, without);
  }
  result.notes.insert(result.notes.end(), without.begin(), without.end());
  for (const auto& [side, results] : {std::pair{"A", &of_a}, {"B", &of_b}}) {
    for (const std::string& note : results->notes) {
      result.notes.push_back(fmt::format("{}: {}.", side, note));
    }
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

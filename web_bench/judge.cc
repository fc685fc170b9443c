#include "web_bench/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "core/requirement.h"
#include "web_bench/metrics.h"

namespace scalemark::web {
namespace {

/// Two-sided 99.9 % of the normal distribution.
constexpr double kNormal999 = 3.2905;

void find_broken(const IterationFigures& figures, Findings& findings) {
  for (const ClassFigures& cls : figures.classes) {
    if (!cls.window.adds_up() || !cls.run.adds_up()) {
      findings.broken.push_back(
          fmt::format("the operations of class {} do not add up: this is a fault of scalemark", cls.name));
    }
  }
  const std::uint64_t local = figures.run_total().ended[index_of(Outcome::local)];
  if (local > 0) {
    findings.broken.push_back(fmt::format(
        "{} operations failed for lack of descriptors, ports or memory on this machine; see scalemark doctor",
        local));
  }
}

/// Not one operation was good: why decides what that says.
void find_nothing_done(const IterationFigures& figures, const Accounting& total, Findings& findings) {
  if (total.failed() > 0) {
    findings.odd.emplace_back("no operation succeeded in the window");
  } else if (figures.conforming > 0) {
    findings.odd.emplace_back(
        "no operation ended in the window, which is shorter than one operation at the line's pace; give it a "
        "longer --window");
  } else {
    findings.poor.emplace_back("no operation ended in the window: the server served none of them in time");
  }
}

/// What a person would want to know of a goal that was missed: whether users were left hanging.
void find_hanging(const IterationFigures& figures, Findings& findings) {
  constexpr double kLong = 1;  // seconds
  if (!findings.poor.empty() && !figures.unfinished.empty() &&
      figures.unfinished.front().age_seconds >= kLong) {
    findings.poor.push_back(
        fmt::format("{} operations were still in transfer when the window closed, the oldest for {:.1f} s",
                    figures.window_total().unfinished, figures.unfinished.front().age_seconds));
  }
}

void find_oddities(const IterationFigures& figures, Findings& findings) {
  const Accounting total = figures.window_total();
  const std::uint64_t issued = total.issued;
  if (total.good() == 0) {
    find_nothing_done(figures, total, findings);
    return;
  }
  for (const ClassFigures& cls : figures.classes) {
    if (std::abs(cls.share - cls.target_share) > share_tolerance(cls.target_share, issued)) {
      findings.odd.push_back(fmt::format("class {} made up {:.2f} % of the requests where {:.2f} % belong",
                                         cls.name, cls.share * 100, cls.target_share * 100));
    }
    const double errors = error_rate(cls.window.good(), cls.window.failed());
    if (errors > kMostErrors) {
      findings.odd.push_back(fmt::format("{:.1f} % of the operations of class {} failed (at most 1 % may)",
                                         errors * 100, cls.name));
    }
  }
  if (figures.erroneous > 0) {
    findings.odd.push_back(fmt::format("{} connections are invalid: more than 1 % of their operations failed",
                                       figures.erroneous));
  }
}

/// The plan's requirements, and the usual one unless the plan speaks of conforming connections itself.
std::vector<Requirement> requirements_of(const WebPlan& plan) {
  std::vector<Requirement> requirements;
  for (const std::string& text : plan.require) {
    requirements.push_back(parse_requirement(text));
  }
  if (std::none_of(requirements.begin(), requirements.end(),
                   [](const Requirement& requirement) { return requirement.metric == "conforming"; })) {
    requirements.push_back(parse_requirement("conforming>=95%"));
  }
  return requirements;
}

}  // namespace

double share_tolerance(double target, std::uint64_t issued) {
  if (issued == 0) {
    return 1;
  }
  const double drawn = kNormal999 * std::sqrt(target * (1 - target) / static_cast<double>(issued));
  return std::max(target / 10, drawn);
}

Findings findings_of(const IterationFigures& figures, const WebPlan& plan) {
  Findings findings;
  find_broken(figures, findings);
  if (figures.window_seconds > 0) {
    find_limits(figures.generator, findings);
    find_oddities(figures, findings);
    if (figures.starved > 0) {
      findings.poor.push_back(
          fmt::format("{} connections are invalid: below {} and without a single operation of some class",
                      figures.starved, human_rate(plan.conforming_rate)));
    }
  }
  return findings;
}

std::optional<std::size_t> median_iteration(const std::vector<IterationFigures>& iterations) {
  std::vector<Standing> standings;
  standings.reserve(iterations.size());
  for (const IterationFigures& iteration : iterations) {
    standings.push_back({static_cast<double>(iteration.conforming), iteration.operations_per_second,
                         iteration.partial, iteration.window_seconds > 0});
  }
  return median_of(standings);
}

Score score_of(const std::vector<IterationFigures>& iterations) {
  Score score{std::numeric_limits<double>::quiet_NaN(), "conforming connections"};
  if (const auto scored = median_iteration(iterations)) {
    score.value = iterations[*scored].conforming;
    score.iteration = iterations[*scored].number;
  }
  return score;
}

Verdict judge_run(const std::vector<IterationFigures>& iterations, const WebPlan& plan, bool interrupted) {
  Findings findings;
  for (const IterationFigures& iteration : iterations) {
    findings.add(iteration.findings,
                 iterations.size() == 1 ? "" : fmt::format("iteration {}: ", iteration.number));
  }
  if (const auto scored = median_iteration(iterations)) {
    const IterationFigures& figures = iterations[*scored];
    find_unmet(
        requirements_of(plan),
        [&figures](std::string_view name, ValueKind wanted) { return metric_of(figures, name, wanted); },
        findings);
    find_hanging(figures, findings);
  }
  return verdict_of(findings, interrupted);
}

}  // namespace scalemark::web

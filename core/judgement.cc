#include "core/judgement.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

namespace scalemark {
namespace {

void append(std::vector<std::string>& to, const std::vector<std::string>& from, const std::string& lead) {
  for (const std::string& sentence : from) {
    to.push_back(lead + sentence);
  }
}

}  // namespace

void Findings::add(const Findings& other, const std::string& lead) {
  append(broken, other.broken, lead);
  append(limited, other.limited, lead);
  append(odd, other.odd, lead);
  append(poor, other.poor, lead);
}

Verdict verdict_of(const Findings& findings, bool interrupted) {
  Verdict verdict;
  const std::array<std::pair<bool, Status>, 5> order = {
      {{interrupted, Status::interrupted},
       {!findings.broken.empty(), Status::void_run},
       {!findings.limited.empty(), Status::generator_limited},
       {!findings.odd.empty(), Status::void_run},
       {!findings.poor.empty(), Status::fail}}};
  const auto* first = std::find_if(order.begin(), order.end(), [](const auto& entry) { return entry.first; });
  verdict.status = first == order.end() ? Status::pass : first->second;
  if (interrupted) {
    verdict.reasons.emplace_back("ended by the user; the record is partial");
  }
  for (const auto* sentences : {&findings.broken, &findings.limited, &findings.odd, &findings.poor}) {
    append(verdict.reasons, *sentences, "");
  }
  return verdict;
}

void find_limits(const GeneratorFigures& generator, Findings& findings) {
  constexpr double kBusy = 0.7;
  double busiest = 0;
  for (const ThreadHealth& thread : generator.threads) {
    busiest = std::max(busiest, thread.window_cpu_share);
  }
  if (generator.lateness_share > kMostLateness) {
    findings.limited.push_back(
        fmt::format("the generator's own lateness took {:.2f} % of the users' time (at most {:.2f} % is "
                    "allowed); {}",
                    generator.lateness_share * 100, kMostLateness * 100,
                    busiest > kBusy ? "give it more --threads"
                                    : "its threads had to wait for this machine's processors: give it an "
                                      "idle machine, or a smaller load"));
  }
  for (const ThreadHealth& thread : generator.threads) {
    if (thread.window_cpu_share > kMostCpuShare) {
      findings.limited.push_back(
          fmt::format("generator thread {} was busy for {:.0f} % of the window; give it more --threads",
                      thread.worker + 1, thread.window_cpu_share * 100));
    }
  }
}

void find_unmet(const std::vector<Requirement>& requirements, const MetricLookup& lookup,
                Findings& findings) {
  for (const Requirement& requirement : requirements) {
    if (const auto fault = unmet(requirement, lookup)) {
      findings.poor.push_back(*fault);
    }
  }
}

std::optional<std::size_t> median_of(const std::vector<Standing>& iterations) {
  const bool any_complete = std::any_of(iterations.begin(), iterations.end(), [](const Standing& iteration) {
    return iteration.has_window && !iteration.partial;
  });
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < iterations.size(); ++i) {
    if (iterations[i].has_window && !(any_complete && iterations[i].partial)) {
      order.push_back(i);
    }
  }
  if (order.empty()) {
    return std::nullopt;
  }
  std::sort(order.begin(), order.end(), [&iterations](std::size_t a, std::size_t b) {
    return std::tie(iterations[a].score, iterations[a].tie, a) <
           std::tie(iterations[b].score, iterations[b].tie, b);
  });
  return order[(order.size() - 1) / 2];
}

}  // namespace scalemark

#include "study/search.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/text.h"
#include "study/search_evidence.h"

namespace scalemark::study {
namespace {

constexpr double kLongStep = 2;               // growing and halving
constexpr double kShortStepInWidths = 3.5;    // the first step from an expected load, in precisions: its
                                              // bracket and the next take 2 and 3 bisections
constexpr std::uint32_t kLuckyPasses = 6;     // so many passes right below a fail make the fail doubtful
constexpr std::uint32_t kVoidsPerRepeat = 3;  // void trials in the whole search, for each allowed repeat
constexpr std::size_t kPlateauLoads = 3;

class Search {
 public:
  Search(const SearchPlan& plan, const std::vector<SearchTrial>& history)
      : plan_(plan), history_(history), seen_(history) {}

  [[nodiscard]] Step next() const {
    if (auto step = repeat_void()) {
      return *step;
    }
    if (auto step = probe()) {
      return *step;
    }
    return confirm();
  }

 private:
  [[nodiscard]] std::optional<Try> repeat_void() const;
  [[nodiscard]] std::optional<Try> probe() const;
  [[nodiscard]] Try first() const;
  [[nodiscard]] std::optional<Try> grow(const TriedLoad& from) const;
  [[nodiscard]] std::optional<Try> shrink(const TriedLoad& from) const;
  [[nodiscard]] std::optional<Try> narrow(const TriedLoad& low, const TriedLoad& high) const;
  [[nodiscard]] Step confirm() const;
  [[nodiscard]] const TriedLoad* peak() const;
  [[nodiscard]] std::uint32_t stepped_down(const TriedLoad& bound) const;
  [[nodiscard]] Done done() const;
  [[nodiscard]] Done answered(const TriedLoad& answer) const;
  [[nodiscard]] Done unanswered() const;
  [[nodiscard]] SearchStatus worst_of(bool failed, bool limited, SearchStatus when_failed) const;

  [[nodiscard]] bool close(std::uint32_t low, std::uint32_t high) const {
    return high - low <= 1 || high <= low * (1 + plan_.precision);
  }
  /// From the last step's ratio to the next one's: the square, so that small steps soon become long ones.
  [[nodiscard]] double step_after(double ratio) const {
    return std::clamp(ratio * ratio, short_step(), kLongStep);
  }
  [[nodiscard]] double first_step() const { return plan_.expected ? short_step() : kLongStep; }
  [[nodiscard]] double short_step() const {
    return std::min(1 + kShortStepInWidths * plan_.precision, kLongStep);
  }
  [[nodiscard]] std::uint32_t within(double load) const {
    return static_cast<std::uint32_t>(
        std::clamp(std::round(load), static_cast<double>(plan_.least), static_cast<double>(plan_.most)));
  }

  const SearchPlan& plan_;
  const std::vector<SearchTrial>& history_;
  Evidence seen_;
};

std::string step_text(double factor) {
  return factor == kLongStep ? "a factor of 2" : fmt::format("{:.1f} %", (factor - 1) * 100);
}

std::string fate_of(Standing standing) {
  switch (standing) {
    case Standing::passed:
      return "passed";
    case Standing::failed:
      return "failed";
    case Standing::limited:
      return "was limited by the generator";
    case Standing::unclear:
      break;
  }
  return "was void";
}

std::optional<Try> Search::repeat_void() const {
  const auto is_void = [](const SearchTrial& trial) { return trial.verdict == Status::void_run; };
  if (history_.empty() || !is_void(history_.back())) {
    return std::nullopt;
  }
  const SearchTrial& last = history_.back();
  const auto in_a_row = std::find_if_not(history_.rbegin(), history_.rend(), [&](const SearchTrial& trial) {
    return is_void(trial) && trial.load == last.load && trial.confirming == last.confirming;
  });
  const auto all = std::count_if(history_.begin(), history_.end(), is_void);
  if (in_a_row - history_.rbegin() > plan_.void_repeats ||
      all > std::int64_t{kVoidsPerRepeat} * plan_.void_repeats) {
    return std::nullopt;
  }
  return Try{last.load, last.confirming, "the trial was void, so it is repeated"};
}

std::optional<Try> Search::probe() const {
  if (seen_.refusals() > 0 || seen_.probes() + 1 >= plan_.max_trials) {
    return std::nullopt;  // what is known now is confirmed, or stepped down from
  }
  if (seen_.empty()) {
    return first();
  }
  const TriedLoad* const bound = seen_.bound();
  const TriedLoad* const best = seen_.best();
  if (bound == nullptr) {
    return grow(*best);
  }
  if (seen_.count(Standing::limited) == 1 && bound->standing == Standing::limited &&
      bound->rests_on_one_probe()) {
    return Try{bound->load, false, "the generator was the limit for the first time, so it is tested again"};
  }
  const TriedLoad* const overruled = seen_.highest_passed();
  if (overruled != nullptr && overruled->load > bound->load && bound->rests_on_one_probe()) {
    return Try{bound->load, false,
               fmt::format("{} {} although {} passed, so it is tested again", bound->load,
                           fate_of(bound->standing), overruled->load)};
  }
  return best == nullptr ? shrink(*bound) : narrow(*best, *bound);
}

Try Search::first() const {
  return plan_.expected ? Try{within(*plan_.expected), false, "the load that is expected"}
                        : Try{within(plan_.start), false, "the first load"};
}

std::optional<Try> Search::grow(const TriedLoad& from) const {
  if (from.load >= plan_.most || peak() != nullptr) {
    return std::nullopt;
  }
  const TriedLoad* const before = seen_.below(from.load);
  const double step =
      before == nullptr ? first_step() : step_after(static_cast<double>(from.load) / before->load);
  return Try{std::max(within(from.load * step), from.load + 1), false,
             fmt::format("{} more than {}, which passed", step_text(step), from.load)};
}

std::optional<Try> Search::shrink(const TriedLoad& from) const {
  if (from.load <= plan_.least) {
    return std::nullopt;
  }
  if (from.estimate && *from.estimate >= 1 && *from.estimate < from.load / kLongStep) {
    return Try{within(*from.estimate), false,
               fmt::format("about what was carried when {} {}", from.load, fate_of(from.standing))};
  }
  const TriedLoad* const before = seen_.above(from.load);
  const double step =
      before == nullptr ? first_step() : step_after(static_cast<double>(before->load) / from.load);
  const std::uint32_t lower = std::min(within(from.load / step), from.load - 1);
  return Try{
      lower, false,
      fmt::format("{:.1f} % less than {}, which {}", (1 - static_cast<double>(lower) / from.load) * 100,
                  from.load, fate_of(from.standing))};
}

std::optional<Try> Search::narrow(const TriedLoad& low, const TriedLoad& high) const {
  if (!close(low.load, high.load)) {
    const auto middle =
        static_cast<std::uint32_t>(std::lround(std::sqrt(static_cast<double>(low.load) * high.load)));
    return Try{std::clamp(middle, low.load + 1, high.load - 1), false,
               fmt::format("between {}, which passed, and {}, which {}", low.load, high.load,
                           fate_of(high.standing))};
  }
  // A bound that a moment's disturbance may have set is not believed on one trial.
  const bool doubtful = high.standing == Standing::limited || high.passes_since >= kLuckyPasses;
  if (doubtful && high.rests_on_one_probe()) {
    return Try{high.load, false,
               fmt::format("{} {}, but all right below it passed, so it is tested again", high.load,
                           fate_of(high.standing))};
  }
  return std::nullopt;
}

/// The load with the highest score, once growing loads bring no growing score; null before that.
const TriedLoad* Search::peak() const {
  const auto loads = seen_.loads();
  if (!plan_.plateau_guard || seen_.bound() != nullptr || loads.size() < kPlateauLoads) {
    return nullptr;
  }
  const auto score = [](const TriedLoad* tried) { return tried->score.value_or(0); };
  const auto last = loads.end() - static_cast<std::ptrdiff_t>(kPlateauLoads);
  const bool scored =
      std::all_of(last, loads.end(), [](const auto* tried) { return tried->score.has_value(); });
  const bool grows = std::adjacent_find(last, loads.end(), [&score](const auto* low, const auto* high) {
                       return score(high) > score(low);
                     }) != loads.end();
  if (!scored || grows) {
    return nullptr;
  }
  return *std::max_element(loads.begin(), loads.end(), [&score](const auto* one, const auto* other) {
    return std::pair(one->confirmed(), score(one)) < std::pair(other->confirmed(), score(other));
  });
}

/// By the precision, and by twice as much each time from the third step on: a full-length trial may be harder
/// than a short one, and nobody knows by how much.
std::uint32_t Search::stepped_down(const TriedLoad& bound) const {
  const double widths = std::pow(2.0, std::max(0.0, static_cast<double>(seen_.refusals()) - 2));
  return std::min(within(bound.load / (1 + plan_.precision * widths)), bound.load - 1);
}

Step Search::confirm() const {
  const TriedLoad* const top = peak();
  const TriedLoad* const best = top != nullptr ? top : seen_.best();
  if (best != nullptr && best->confirmed()) {
    return answered(*best);
  }
  if (seen_.confirmations() >= plan_.confirmations) {
    return done();
  }
  if (seen_.refusals() == 0) {
    return best == nullptr ? Step(unanswered())
                           : Step(Try{best->load, true,
                                      top != nullptr ? "the load with the highest score, at full length"
                                                     : "the highest load that passed, at full length"});
  }
  const TriedLoad& bound = *seen_.bound();
  if (bound.load <= plan_.least) {
    return done();
  }
  return Try{
      stepped_down(bound), true,
      fmt::format("a step down from {}, which {} at full length", bound.load, fate_of(bound.standing))};
}

/// No more trials: the highest load that is confirmed below the bound, if there is one.
Done Search::done() const {
  const TriedLoad* const bound = seen_.bound();
  const auto loads = seen_.loads();
  const auto answer = std::find_if(loads.rbegin(), loads.rend(), [bound](const TriedLoad* tried) {
    return tried->confirmed() && (bound == nullptr || tried->load < bound->load);
  });
  return answer == loads.rend() ? unanswered() : answered(**answer);
}

Done Search::answered(const TriedLoad& answer) const {
  const TriedLoad* const bound = seen_.bound();
  const TriedLoad* const failed = seen_.lowest_failed();
  Done done{SearchStatus::confirmed, answer.load, answer.load, std::nullopt, ""};
  if (failed != nullptr) {
    done.upper = failed->load;
  }
  done.why = fmt::format("{} passed at full length", answer.load);
  if (bound == nullptr) {
    done.why += answer.load >= plan_.most ? ", the highest load that may be tried"
                : peak() != nullptr       ? "; more load brings no higher score"
                                          : "; the trials did not suffice to find a load that fails";
    return done;
  }
  const bool by_failure = failed != nullptr && close(answer.load, failed->load);
  if (bound->standing == Standing::limited && !by_failure) {
    done.status = SearchStatus::generator_limited;
    done.why += fmt::format(
        "; at {} the generator was the limit, so the server may carry more: give it more --threads, or a "
        "machine of its own",
        bound->load);
    return done;
  }
  const TriedLoad& named = by_failure ? *failed : *bound;
  done.why += fmt::format(", {} {}", named.load, fate_of(named.standing));
  if (!close(answer.load, named.load)) {
    done.why += "; the trials did not suffice for a closer answer";
  }
  return done;
}

SearchStatus Search::worst_of(bool failed, bool limited, SearchStatus when_failed) const {
  return failed ? when_failed : limited ? SearchStatus::generator_limited : SearchStatus::void_run;
}

Done Search::unanswered() const {
  const TriedLoad* const best = seen_.best();
  const TriedLoad* const failed = seen_.lowest_failed();
  Done done;
  done.lower = best == nullptr ? 0 : best->load;
  if (failed != nullptr) {
    done.upper = failed->load;
  }
  const TriedLoad* const bound = seen_.bound();
  if (bound != nullptr && bound->load <= plan_.least) {
    done.status =
        worst_of(seen_.count(Standing::failed) > 0, seen_.count(Standing::limited) > 0, SearchStatus::failed);
    done.why = fmt::format("not even {}, the lowest load that may be tried, passed: it {}", bound->load,
                           fate_of(bound->standing));
    return done;
  }
  if (seen_.refusals() == 0) {
    done.status = worst_of(seen_.count(Standing::failed) > 0, seen_.count(Standing::limited) > 0,
                           SearchStatus::not_confirmed);
    done.why = fmt::format("none of {} passed; begin lower, or allow more trials",
                           counted(seen_.loads().size(), "load"));
    return done;
  }
  const auto refused_as = [this](Standing standing) {
    const auto loads = seen_.loads();
    return std::any_of(loads.begin(), loads.end(), [standing](const TriedLoad* tried) {
      return tried->refused() && tried->standing == standing;
    });
  };
  done.status =
      worst_of(refused_as(Standing::failed), refused_as(Standing::limited), SearchStatus::not_confirmed);
  done.why = fmt::format("no load passed at full length in {}; the last, {}, {}",
                         counted(seen_.confirmations(), "attempt"), seen_.lowest_refused()->load,
                         fate_of(seen_.lowest_refused()->standing));
  return done;
}

constexpr std::array<std::pair<SearchStatus, std::string_view>, 5> kNames = {
    {{SearchStatus::confirmed, "confirmed"},
     {SearchStatus::not_confirmed, "not_confirmed"},
     {SearchStatus::generator_limited, "generator_limited"},
     {SearchStatus::failed, "failed"},
     {SearchStatus::void_run, "void"}}};

}  // namespace

Step next(const SearchPlan& plan, const std::vector<SearchTrial>& history) {
  return Search(plan, history).next();
}

PlannedTrials planned_trials(const SearchPlan& plan) {
  const double first =
      plan.expected ? std::min(1 + kShortStepInWidths * plan.precision, kLongStep) : kLongStep;
  const double bisections = std::ceil(std::log2(std::log(first) / std::log1p(plan.precision)));
  const auto most = std::max(plan.max_trials, 2U) - 1;
  const auto usual = 2 + static_cast<std::uint32_t>(std::max(bisections, 0.0));
  return {
      .usual_probes = std::min(usual, most), .most_probes = most, .most_confirmations = plan.confirmations};
}

std::string_view name_of(SearchStatus status) {
  return kNames.at(static_cast<std::size_t>(status)).second;
}

}  // namespace scalemark::study

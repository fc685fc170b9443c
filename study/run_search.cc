#include "study/run_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/record_json.h"
#include "core/setting_types.h"
#include "study/search_evidence.h"
#include "study/trial.h"

namespace scalemark::study {
namespace {

constexpr const char* kInterrupted = "interrupted";
constexpr std::uint32_t kMostLoad = 1'000'000;
constexpr std::uint32_t kMostSearchTrials = 100;
constexpr double kLeastPrecision = 0.001;
constexpr double kMostPrecision = 0.5;

/// A trial and what became of it.
struct Made {
  Try step;
  TrialReport report;
};

Status verdict_of_search(SearchStatus status) {
  switch (status) {
    case SearchStatus::confirmed:
      return Status::pass;
    case SearchStatus::not_confirmed:
    case SearchStatus::failed:
      return Status::fail;
    case SearchStatus::generator_limited:
      return Status::generator_limited;
    case SearchStatus::void_run:
      break;
  }
  return Status::void_run;
}

Json bound_json(const std::optional<std::uint32_t>& bound) {
  return bound ? Json(*bound) : Json(nullptr);
}

class RunSearch {
 public:
  RunSearch(const Workload& workload, const RunSearchPlan& search, const RunSearchHooks& hooks)
      : workload_(workload), settings_(search), search_(search_plan(workload, search)), hooks_(hooks) {}

  RunRecord run() {
    for (;;) {
      const Step step = next(search_, history());
      if (const auto* done = std::get_if<Done>(&step)) {
        return finished(*done);
      }
      if (ended_by_user()) {
        return interrupted();
      }
      make(std::get<Try>(step));
    }
  }

 private:
  [[nodiscard]] bool stop_asked() const {
    return hooks_.stop != nullptr && hooks_.stop->load(std::memory_order_relaxed);
  }
  /// Not before the first trial: whoever began a search gets a record, or is told why there is none.
  [[nodiscard]] bool ended_by_user() const {
    return !made_.empty() && (stop_asked() || made_.back().report.status == Status::interrupted);
  }

  [[nodiscard]] std::vector<SearchTrial> history() const {
    std::vector<SearchTrial> history;
    for (const Made& trial : made_) {
      history.push_back(search_trial_of(trial.report));
    }
    return history;
  }

  void make(const Try& step) {
    const auto number = static_cast<std::uint32_t>(made_.size()) + 1;
    if (hooks_.begin) {
      hooks_.begin(number, step);
    }
    const SteadyClock clock;
    const TimePoint begin = clock.now();
    Made trial{step, {}};
    try {
      RunRecord record = hooks_.run(*trial_of(workload_, step));
      trial.report = report_of(record, step.load, step.confirming ? Purpose::confirm : Purpose::probe);
      keep(std::move(record), step);
    } catch (const std::runtime_error& fault) {
      if (made_.empty()) {
        throw;
      }
      trial.report =
          report_of_none(step.load, step.confirming ? Purpose::confirm : Purpose::probe, fault.what());
      trial.report.status = stop_asked() ? Status::interrupted : Status::void_run;
    }
    trial.report.number = number;
    trial.report.seconds = to_seconds(clock.now() - begin);
    made_.push_back(std::move(trial));
  }

  void keep(RunRecord record, const Try& step) {
    if (hooks_.end) {
      hooks_.end(record);
    }
    if (step.confirming && record.verdict.status == Status::pass) {
      confirmed_ = {step.load, record};
    }
    last_ = std::move(record);
  }

  [[nodiscard]] RunRecord finished(const Done& done) {
    const bool answered = done.answer && confirmed_ && confirmed_->first == *done.answer;
    RunRecord record = answered ? std::move(confirmed_->second) : std::move(last_);
    const Status status = verdict_of_search(done.status);
    if (!answered || status != Status::pass) {
      set_verdict(record, status, "the search: " + done.why);
    }
    Json answer;
    if (done.answer) {
      answer = Json{{"load", *done.answer}, {"lower", done.lower}, {"upper", bound_json(done.upper)}};
    }
    return with_search(std::move(record), std::move(answer), std::string(name_of(done.status)), done.why);
  }

  [[nodiscard]] RunRecord interrupted() {
    const Evidence seen(history());
    const TriedLoad* const passed = seen.best();
    const TriedLoad* const failed = seen.lowest_failed();
    std::string why = "ended by the user";
    why += passed != nullptr ? fmt::format("; {} passed", passed->load) : "; nothing had passed";
    why += failed != nullptr ? fmt::format(", {} failed", failed->load) : ", nothing had failed";
    RunRecord record = std::move(last_);
    if (record.verdict.status == Status::interrupted) {
      record.verdict.reasons.push_back("the search: " + why);
    } else {
      set_verdict(record, Status::interrupted, "the search: " + why);
    }
    return with_search(std::move(record), Json(nullptr), kInterrupted, why);
  }

  /// The verdict is the search's, and what spoke against the record's own trial stays beside it.
  static void set_verdict(RunRecord& record, Status status, std::string why) {
    record.verdict.status = status;
    record.verdict.reasons.insert(record.verdict.reasons.begin(), std::move(why));
  }

  [[nodiscard]] RunRecord with_search(RunRecord record, Json answer, std::string status,
                                      const std::string& why) const {
    Json trials = Json::array();
    for (const Made& trial : made_) {
      const TrialReport& report = trial.report;
      Json entry;
      entry["number"] = report.number;
      entry["load"] = report.load;
      entry["purpose"] = trial.step.confirming ? "confirm" : "probe";
      entry["verdict"] = scalemark::name_of(report.status);
      entry["score"] = report.score ? json_number(*report.score) : Json(nullptr);
      entry["reasons"] = report.reasons;
      entry["why"] = trial.step.why;
      entry["seconds"] = json_number(report.seconds);
      trials.push_back(std::move(entry));
    }
    record.search["status"] = std::move(status);
    record.search["why"] = why;
    record.search["answer"] = std::move(answer);
    record.search["trials"] = std::move(trials);
    RunSearchPlan settings = settings_;
    settings.from = search_.start;
    if (!record.plan.is_object()) {
      record.plan = Json::object();
    }
    record.plan.update(settings_json(search_settings(settings, workload_.words())));
    return record;
  }

  const Workload& workload_;
  const RunSearchPlan& settings_;
  SearchPlan search_;
  const RunSearchHooks& hooks_;
  std::vector<Made> made_;
  std::optional<std::pair<std::uint32_t, RunRecord>> confirmed_;  // the last one that passed
  RunRecord last_;
};

}  // namespace

Settings search_settings(RunSearchPlan& plan, const WorkloadWords& words) {
  constexpr const char* kGroup = "Search";
  Settings settings;
  settings.push_back(flag_setting(
      "search", fmt::format("find the highest number of {} that passes; see docs/search.md", words.control),
      kGroup, plan.search));
  settings.push_back(count_setting(
      "search-from", fmt::format("{0} of the first trial; 0 takes those of --{0}", words.control), kGroup,
      plan.from, 0, kMostLoad));
  settings.push_back(
      share_setting("search-precision", "relative width at which the search ends", kGroup, plan.precision));
  settings.push_back(count_setting("search-trials",
                                   "most trials up to the first confirmation, that one included", kGroup,
                                   plan.trials, 2, kMostSearchTrials));
  return settings;
}

void check(const RunSearchPlan& plan) {
  const RunSearchPlan defaults;
  if (!plan.search && (plan.from != defaults.from || plan.precision != defaults.precision ||
                       plan.trials != defaults.trials)) {
    throw UsageError(
        "--search-from, --search-precision and --search-trials are for a search; add --search or leave them "
        "out");
  }
  if (plan.precision < kLeastPrecision || plan.precision > kMostPrecision) {
    throw UsageError(
        fmt::format("--search-precision {:g}% cannot be searched with; give it from 0.1% to 50%, as in "
                    "--search-precision 1%",
                    plan.precision * 100));
  }
}

SearchPlan search_plan(const Workload& workload, const RunSearchPlan& search) {
  SearchPlan result;
  result.least = workload.least_load();
  result.most = std::max(workload.most_load(), result.least);
  result.start = std::clamp(search.from != 0 ? search.from : workload.load(), result.least, result.most);
  result.precision = search.precision;
  result.max_trials = search.trials;
  return result;
}

AnyWorkload trial_of(const Workload& workload, const Try& trial) {
  AnyWorkload result = workload;
  result->set_load(trial.load);
  if (!trial.confirming) {
    result->measure_once();
  }
  return result;
}

SearchTime planned_time(const Workload& workload, const RunSearchPlan& search) {
  SearchTime time;
  time.trials = planned_trials(search_plan(workload, search));
  time.probe = trial_of(workload, {workload.load(), false, ""})->planned_time();
  time.confirmation = workload.planned_time();
  time.usual = time.probe * time.trials.usual_probes + time.confirmation;
  time.most = time.probe * time.trials.most_probes + time.confirmation * time.trials.most_confirmations;
  return time;
}

RunRecord search_run(const Workload& workload, const RunSearchPlan& search, const RunSearchHooks& hooks) {
  return RunSearch(workload, search, hooks).run();
}

}  // namespace scalemark::study

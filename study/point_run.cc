#include "study/point_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <variant>

#include "core/error.h"
#include "study/listed_loads.h"
#include "study/point_plan.h"
#include "study/search.h"

namespace scalemark::study {
namespace {

constexpr std::uint32_t kVoidRepeats = 1;  // of a load that the file names

/// A load to try, and why.
struct NextTrial {
  std::uint32_t load = 0;
  Purpose purpose = Purpose::probe;
  std::string why;
};

PointStatus status_of(SearchStatus status) {
  switch (status) {
    case SearchStatus::confirmed:
      return PointStatus::confirmed;
    case SearchStatus::generator_limited:
      return PointStatus::generator_limited;
    case SearchStatus::not_confirmed:
    case SearchStatus::failed:
      return PointStatus::not_confirmed;
    case SearchStatus::void_run:
      return PointStatus::failed;
  }
  return PointStatus::failed;
}

class Point {
 public:
  Point(PointRun run, PointResult& result, std::optional<double> expected)
      : run_(std::move(run)), result_(result) {
    search_.start = run_.plan.first_load() * result.setup.nodes;
    search_.expected = expected ? expected : std::optional<double>(search_.start);
    search_.precision = run_.plan.precision;
    search_.max_trials = run_.plan.trials;
    search_.confirmations = run_.plan.confirmations;
  }

  void run() {
    const AnyWorkload any = trial_of(run_.plan, result_.setup, 1, true, prepare());
    search_.least = any->least_load();
    search_.most = std::max(any->most_load(), search_.least);
    search_.start = std::clamp(search_.start, search_.least, search_.most);
    while (!stopped()) {
      const auto next = run_.plan.searches() ? next_of_search() : next_of_list();
      if (!next) {
        return;
      }
      make(*next);
    }
    end(PointStatus::interrupted, "interrupted");
  }

 private:
  [[nodiscard]] bool stopped() const { return run_.hooks.stop->load(); }

  void end(PointStatus status, std::string why) {
    result_.status = status;
    result_.why = std::move(why);
    run_.save();
  }

  /// What the search asks for; nothing when it is over, which is then entered in the result.
  std::optional<NextTrial> next_of_search() {
    std::vector<SearchTrial> history;
    for (const TrialReport& trial : result_.trials) {
      if (trial.counts) {
        history.push_back(search_trial_of(trial));
      }
    }
    const Step step = next(search_, history);
    if (const Try* wanted = std::get_if<Try>(&step); wanted != nullptr) {
      return NextTrial{wanted->load, wanted->confirming ? Purpose::confirm : Purpose::probe, wanted->why};
    }
    const Done& done = std::get<Done>(step);
    if (done.answer) {
      result_.answer = PointAnswer{*done.answer, done.lower, done.upper};
      take_measured(*done.answer, Purpose::confirm);
    }
    end(status_of(done.status), done.why);
    return std::nullopt;
  }

  /// The next load of the list that has not been measured, a void one once more; nothing at its end.
  std::optional<NextTrial> next_of_list() {
    std::vector<ListedLoad> loads;
    for (const std::uint32_t per_node : run_.plan.listed_loads()) {
      loads.push_back(listed_load(per_node * result_.setup.nodes, result_.trials));
      const ListedLoad& listed = loads.back();
      if (!listed.standing && listed.voids <= kVoidRepeats) {
        return NextTrial{listed.load, Purpose::listed,
                         listed.voids == 0 ? "" : "the trial was void, so it is repeated"};
      }
    }
    const ListOutcome outcome = outcome_of(loads);
    if (outcome.answer) {
      result_.answer = outcome.answer;
      take_measured(outcome.answer->load, Purpose::listed);
    }
    end(outcome.status, outcome.why);
    return std::nullopt;
  }

  /// The figures of the point: every iteration of the trials that passed with the answer's load.
  void take_measured(std::uint32_t load, Purpose purpose) {
    result_.measured.clear();
    result_.confirmed_by.clear();
    for (const TrialReport& trial : result_.trials) {
      if (trial.counts && trial.load == load && trial.purpose == purpose && trial.status == Status::pass) {
        result_.confirmed_by.push_back(trial.number);
        result_.measured.insert(result_.measured.end(), trial.iteration_scores.begin(),
                                trial.iteration_scores.end());
      }
    }
  }

  /// Makes a trial; again while others disturb it.
  void make(const NextTrial& wanted) {
    for (std::uint32_t attempt = 0; attempt <= run_.plan.repeats && !stopped(); ++attempt) {
      TrialReport trial = make_once(wanted);
      trial.disturbed =
          trial.stolen_share > run_.plan.most_stolen || trial.foreign_share > run_.plan.most_foreign;
      trial.counts =
          trial.status != Status::interrupted && (!trial.disturbed || attempt == run_.plan.repeats);
      result_.trials.push_back(trial);
      run_.save();
      if (run_.hooks.trial_ended) {
        run_.hooks.trial_ended(result_);
      }
      if (trial.counts) {
        return;
      }
    }
  }

  /// Before every trial: it costs little, and no load is sent to a node that has died.
  Fronts prepare() { return run_.provider.prepare(result_.setup, *run_.hooks.stop); }

  /// Runs one and keeps its record; what cannot be kept ends the study. One that cannot be made tells nothing
  /// about the service; only when it is the point's first, that ends the point: nothing has shown yet that
  /// any can be.
  TrialReport measure(const NextTrial& wanted, const Workload& workload) {
    try {
      const RunRecord record = run_.provider.run(workload, *run_.hooks.stop);
      TrialReport trial = report_of(record, wanted.load, wanted.purpose);
      trial.number = run_.news.trial;
      run_.store.keep_trial(result_, record, trial);
      return trial;
    } catch (const StoreError&) {
      throw;
    } catch (const RunError& fault) {
      if (result_.trials.empty()) {
        throw;
      }
      TrialReport trial = report_of_none(wanted.load, wanted.purpose, fault.what());
      trial.number = run_.news.trial;
      return trial;
    }
  }

  TrialReport make_once(const NextTrial& wanted) {
    const Fronts fronts = prepare();
    const AnyWorkload workload =
        trial_of(run_.plan, result_.setup, wanted.load, wanted.purpose == Purpose::probe, fronts);
    run_.news.trial = static_cast<std::uint32_t>(result_.trials.size()) + 1;
    run_.news.load = wanted.load;
    run_.news.purpose = wanted.purpose;
    run_.news.why = wanted.why;
    run_.news.planned = workload->planned_time();
    if (run_.hooks.trial_begins) {
      run_.hooks.trial_begins(run_.news);
    }
    const SteadyClock clock;
    const TimePoint begin = clock.now();
    TrialReport trial = measure(wanted, *workload);
    trial.seconds = to_seconds(clock.now() - begin);
    trial.why = wanted.why;
    return trial;
  }

  PointRun run_;
  PointResult& result_;
  SearchPlan search_;
};

}  // namespace

void run_point(PointRun run, PointResult& result, std::optional<double> expected) {
  run.news.point_name = result.name();
  if (result.status == PointStatus::failed) {
    // Taken up where it failed: what it failed by may be gone. Trials that said nothing are made again.
    for (TrialReport& trial : result.trials) {
      trial.counts = trial.counts && trial.status != Status::void_run;
    }
  }
  const auto save = run.save;
  const auto point_ended = run.hooks.point_ended;
  const auto* stop = run.hooks.stop;
  try {
    Point(std::move(run), result, expected).run();
  } catch (const StoreError&) {
    throw;  // what the study would go on to measure would be lost as well
  } catch (const RunError& fault) {
    result.status = stop->load() ? PointStatus::interrupted : PointStatus::failed;
    result.why = fault.what();
    save();
  }
  if (point_ended) {
    point_ended(result);
  }
}

}  // namespace scalemark::study

#include "mail_bench/iteration_run.h"

#include <memory>
#include <utility>

#include "core/random.h"
#include "core/worker_threads.h"
#include "mail_bench/figures.h"
#include "mail_bench/run.h"

namespace scalemark::mail {
namespace {

/// What all workers of an iteration share, and what they bring home.
struct Crew {
  CutSignal cut;
  std::vector<std::unique_ptr<Worker>> workers;
  std::vector<Tally> tallies;
  std::vector<WorkerThread> threads;
};

void hire(Crew& crew, const IterationSetup& setup, std::uint32_t number, const Schedule& schedule) {
  const MailPlan& plan = setup.plan;
  // What arrives late of one iteration must not be taken for the next one's.
  const std::uint64_t run = derive_seed(setup.run, {number});
  crew.tallies.resize(plan.threads);
  for (std::uint32_t thread = 0; thread < plan.threads; ++thread) {
    auto live = std::make_unique<LiveCounters>();
    const Worker::Setup worker{plan, setup.prepared, setup.clock, crew.cut, *live, run};
    crew.workers.push_back(
        std::make_unique<Worker>(worker, UserShare{thread, plan.threads, plan.users}, number));
    crew.threads.push_back({std::move(live), [&crew, &schedule, thread] {
                              crew.tallies[thread] = crew.workers[thread]->run(schedule);
                            }});
  }
}

/// The figures of what the workers that ended well have brought home.
IterationFigures figures_of_crew(const Crew& crew, const IterationSetup& setup, std::uint32_t number,
                                 Schedule schedule, const WorkersEnd& end) {
  Tally tally;
  std::vector<std::string> faults;
  for (std::size_t i = 0; i < crew.workers.size(); ++i) {
    if (end.faults[i].empty()) {
      tally.merge(crew.tallies[i]);
    } else {
      faults.push_back("a generator thread stopped: " + end.faults[i]);
    }
  }
  schedule.cut(crew.cut.get());
  IterationFigures figures = figures_of(tally, setup.plan, schedule, number, std::move(faults));
  add_process_figures(figures.generator, end.descriptors);
  return figures;
}

}  // namespace

IterationFigures run_iteration(const IterationSetup& setup, std::uint32_t number) {
  Crew crew;
  Schedule schedule;
  hire(crew, setup, number, schedule);
  schedule = Schedule::plan(setup.plan.phases, number == 1, setup.clock.now() + kHeadStart);
  const WorkersEnd end = run_workers(crew.threads, {.hooks = setup.hooks,
                                                    .clock = setup.clock,
                                                    .schedule = schedule,
                                                    .cut = crew.cut,
                                                    .run_begin = setup.run_begin,
                                                    .planned = planned_time(setup.plan),
                                                    .iteration = number,
                                                    .iterations = setup.plan.iterations});
  return figures_of_crew(crew, setup, number, schedule, end);
}

}  // namespace scalemark::mail

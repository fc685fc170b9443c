// A cluster that is made up: what it carries is known, so a study's answers are, too.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/run_record.h"
#include "study/provider.h"

namespace scalemark::study {

/// Carries `per_node` connections per node, no more; of mail users each makes 100 operations an hour.
class MadeUpCluster final : public ClusterProvider {
 public:
  Fronts prepare(const PointSetup& point, const std::atomic<bool>& stop) override {
    (void)stop;
    point_ = point;
    ++prepared;
    if (std::count(broken.begin(), broken.end(), point.nodes) > 0) {
      throw RunError("node n2 does not answer");
    }
    return {{"10.0.0.1"}, accounts};
  }

  RunRecord run(const Workload& trial, const std::atomic<bool>& stop) override {
    (void)stop;
    ++runs;
    if (runs == cannot_begin) {
      throw RunError("no descriptors are left");
    }
    if (before_run) {
      before_run();
    }
    if (look) {
      look(point_, trial);
    }
    const double carried = std::min<double>(trial.load(), per_node * point_.nodes);
    RunRecord record;
    record.kind = trial.words().command;
    record.verdict.status = carried < 0.99 * trial.load() ? Status::fail : Status::pass;
    if (status) {
      record.verdict.status = *status;
    }
    if (std::count(void_runs.begin(), void_runs.end(), runs) > 0) {
      record.verdict = {Status::void_run, {"the books do not balance"}};
    }
    const bool mail = record.kind == "mail";
    const double score = mail ? 100 * carried : carried;
    record.score = {score, trial.words().score_unit, 1};
    for (std::uint32_t number = 1; number <= trial.iterations(); ++number) {
      record.iterations.push_back({{"number", number},
                                   {"partial", false},
                                   {mail ? "operations_per_hour" : "conforming", score},
                                   {"requested", trial.load()}});
    }
    record.cluster = {{"run",
                       {{"seconds", 10},
                        {"machine",
                         {{"processors", 2},
                          {"stolen_cpu_seconds", stolen.empty() ? 0 : stolen.back()},
                          {"foreign_cpu_seconds", 0}}}}}};
    if (!stolen.empty()) {
      stolen.pop_back();
    }
    return record;
  }

  double per_node = 100;
  std::string accounts;  ///< file that a mail cluster would name
  std::vector<std::uint32_t> broken;
  std::optional<Status> status;
  std::vector<double> stolen;  ///< of the next trials, the last first
  std::function<void()> before_run;
  std::function<void(const PointSetup&, const Workload&)> look;  ///< sees every trial
  int runs = 0;
  int cannot_begin = 0;        ///< number of the trial that cannot be made
  std::vector<int> void_runs;  ///< numbers of trials that are void
  int prepared = 0;

 private:
  PointSetup point_;
};

}  // namespace scalemark::study

#include "study/study_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "core/text.h"
#include "study/point_run.h"

namespace scalemark::study {
namespace {

/// Which of two statuses says more about a study: the greater one wins.
int weight_of(Status status) {
  switch (status) {
    case Status::pass:
      return 0;
    case Status::generator_limited:
      return 1;
    case Status::fail:
      return 2;
    case Status::void_run:
      return 3;
    case Status::interrupted:
      return 4;
  }
  return 4;
}

Status status_of(PointStatus point) {
  switch (point) {
    case PointStatus::confirmed:
      return Status::pass;
    case PointStatus::generator_limited:
      return Status::generator_limited;
    case PointStatus::not_confirmed:
      return Status::fail;
    case PointStatus::failed:  // nothing was learnt about the service
      return Status::void_run;
    case PointStatus::interrupted:
      return Status::interrupted;
  }
  return Status::interrupted;
}

Verdict verdict_of(const std::vector<PointResult>& points) {
  Verdict verdict;
  for (const PointResult& point : points) {
    const Status status = status_of(point.status);
    if (status != Status::pass) {
      verdict.reasons.push_back(fmt::format("{}: {}", point.name(), point.why));
    }
    if (weight_of(status) > weight_of(verdict.status)) {
      verdict.status = status;
    }
  }
  return verdict;
}

/// What the point with most nodes carries; of several routers and variants the first in the plan.
Score score_of(const StudyPlan& plan, const std::vector<PointResult>& points) {
  Score score{std::numeric_limits<double>::quiet_NaN(), plan.workload->words().score_unit};
  std::uint32_t most = 0;
  for (const PointResult& point : points) {
    if (point.setup.nodes > most && !point.measured.empty()) {
      most = point.setup.nodes;
      auto sorted = point.measured;
      std::sort(sorted.begin(), sorted.end());
      score.value = sorted[(sorted.size() - 1) / 2];
    }
  }
  return score;
}

RunRecord record_of(const StudyPlan& plan, const std::vector<PointResult>& points, const Json& context) {
  RunRecord record;
  record.kind = "study";
  record.verdict = verdict_of(points);
  record.score = score_of(plan, points);
  record.plan = plan_json(plan);
  record.context = context;
  record.points = Json::array();
  for (const PointResult& point : points) {
    record.points.push_back(to_json(point));
  }
  return record;
}

/// The load that the nearest smaller point of the variant with an answer lets expect of `setup`, if nodes add
/// up.
std::optional<double> expected_load(const std::vector<PointResult>& points, const PointSetup& setup) {
  std::optional<double> expected;
  std::uint32_t nearest = 0;
  for (const PointResult& point : points) {
    const bool alike = point.setup.variant == setup.variant;
    if (alike && point.answer && point.setup.nodes <= setup.nodes && point.setup.nodes >= nearest) {
      nearest = point.setup.nodes;
      expected = static_cast<double>(point.answer->load) * setup.nodes / point.setup.nodes;
    }
  }
  return expected;
}

}  // namespace

RunRecord run(const StudyPlan& plan, ClusterProvider& provider, const StudyStore& store,
              const StudyHooks& hooks) {
  Json context = machine_context();
  context["emulated"] = plan.provider == Provider::emulated;
  context["service"] = plan.workload->words().command;
  context["load_unit"] = word_for(2, plan.workload->words().user);
  std::vector<PointResult> points;
  for (const PointSetup& setup : plan.points()) {
    points.push_back(store.earlier(setup));
  }
  TrialNews news;
  news.points = static_cast<std::uint32_t>(points.size());
  for (PointResult& point : points) {
    if (!point.finished() && !hooks.stop->load()) {
      const auto save = [&] { store.keep_study(record_of(plan, points, context)); };
      run_point({plan, provider, store, hooks, save, news}, point, expected_load(points, point.setup));
    }
    ++news.point;
  }
  RunRecord record = record_of(plan, points, context);
  store.keep_study(record);
  return record;
}

}  // namespace scalemark::study

#include "analysis/study_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <system_error>
#include <utility>

#include "analysis/evidence_reader.h"
#include "analysis/report_words.h"
#include "analysis/web_fields.h"
#include "core/error.h"
#include "core/run_record.h"

namespace scalemark::analysis {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMostStudyNodes = 1'000'000;
constexpr const char* kNoRouter = "none";

std::vector<double> reals_of(const Json& from, const char* name) {
  std::vector<double> values;
  const Json& list = field(from, {name});
  for (const Json& value : list.is_array() ? list : Json::array()) {
    if (const auto real = real_of(value, {}); real && *real >= 0) {
      values.push_back(*real);
    }
  }
  return values;
}

unsigned node_count_in(const Json& from, const fs::path& path) {
  const auto nodes = count_of(from, {"nodes"});
  if (!nodes || *nodes == 0 || *nodes > kMostStudyNodes) {
    throw UsageError(
        fmt::format("'{}' has a point whose number of nodes is missing or not between 1 and {}; "
                    "it is damaged, or no record of a cluster",
                    path.string(), kMostStudyNodes));
  }
  return static_cast<unsigned>(*nodes);
}

PointStatus status_in(const Json& point) {
  static constexpr std::array<std::pair<const char*, PointStatus>, 5> kNames = {
      {{"confirmed", PointStatus::confirmed},
       {"not_confirmed", PointStatus::not_confirmed},
       {"generator_limited", PointStatus::generator_limited},
       {"failed", PointStatus::failed},
       {"interrupted", PointStatus::interrupted}}};
  const std::string name = text_of(point, {"status"});
  for (const auto& [text, status] : kNames) {
    if (name == text) {
      return status;
    }
  }
  return PointStatus::failed;
}

TrialLine trial_of(const Json& json) {
  TrialLine trial;
  trial.number =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(count_of(json, {"number"}).value_or(0), ~0U));
  trial.load = real_of(json, {"load"});
  trial.purpose = text_of(json, {"purpose"});
  trial.verdict = text_of(json, {"verdict"});
  trial.score = real_of(json, {"score"});
  trial.reasons = texts_of(json, {"reasons"});
  trial.seconds = real_of(json, {"seconds"});
  trial.stolen_share = real_of(json, {"stolen_share"});
  trial.foreign_share = real_of(json, {"foreign_share"});
  trial.disturbed = field(json, {"disturbed"}) == Json(true);
  trial.counts = field(json, {"counts"}) != Json(false);
  trial.why = text_of(json, {"why"});
  return trial;
}

/// Of the trials that the generator limited the one that bounds the point: of the lowest load the last.
/// The end of `trials` when there is none.
std::vector<TrialLine>::const_iterator limiting(const std::vector<TrialLine>& trials) {
  auto found = trials.end();
  for (auto trial = trials.begin(); trial != trials.end(); ++trial) {
    const bool limited = trial->counts && trial->verdict == name_of(Status::generator_limited);
    if (limited && (found == trials.end() || trial->load.value_or(0) <= found->load.value_or(0))) {
      found = trial;
    }
  }
  return found;
}

/// Enters the trial that the generator limited, when it limited the point; without its evidence.
void enter_limited(ScalingPoint& point) {
  const auto trial = limiting(point.trials);
  if (point.status == PointStatus::generator_limited && trial != point.trials.end()) {
    point.limited =
        LimitedTrial{trial->number, trial->load, trial->reasons.empty() ? "" : trial->reasons.front(), {}};
  }
}

/// The records of the trials that stand behind the answer, or behind there being none.
void read_trials(const Json& json, const fs::path& folder, ScalingPoint& point, ScalingData& data) {
  const Json& trials = field(json, {"trials"});
  for (const Json& entry : trials.is_array() ? trials : Json::array()) {
    point.trials.push_back(trial_of(entry));
  }
  enter_limited(point);
  for (std::size_t i = 0; i < point.trials.size(); ++i) {
    const auto& by = point.confirmed_by;
    const std::uint32_t number = point.trials[i].number;
    const bool behind = std::find(by.begin(), by.end(), number) != by.end();
    const bool limited = point.limited && point.limited->number == number;
    const std::string file = text_of(trials[i], {"record"});
    if ((!behind && !limited) || file.empty()) {
      continue;
    }
    try {
      const RunRecord record = read_record(folder / file);
      if (data.provider.empty()) {
        data.provider = text_of(record.cluster, {"provider"});
      }
      if (limited) {
        point.limited->evidence = evidence_in(record);
      } else {
        add_evidence(record, point);
      }
    } catch (const UsageError& fault) {
      data.notes.push_back(fmt::format(
          "A trial's record cannot be read, so what it shows is not in this report: {}", fault.what()));
    }
  }
}

ScalingPoint point_of(const Json& json, const fs::path& path, ScalingData& data) {
  ScalingPoint point;
  point.nodes = node_count_in(json, path);
  point.status = status_in(json);
  point.why = text_of(json, {"why"});
  point.load = real_of(json, {"answer", "load"});
  point.lower = real_of(json, {"answer", "lower"});
  point.upper = real_of(json, {"answer", "upper"});
  point.measured = reals_of(json, "measured");
  for (const double number : reals_of(json, "confirmed_by")) {
    point.confirmed_by.push_back(static_cast<std::uint32_t>(number));
  }
  read_trials(json, path.parent_path(), point, data);
  return point;
}

/// The series of that router and variant, made when there is none.
ScalingSeries& series_named(ScalingData& data, const std::string& router, const std::string& variant = "") {
  const std::string name = variant.empty() ? router : fmt::format("{}, {}", router, variant);
  for (ScalingSeries& series : data.series) {
    if (series.name == name) {
      return series;
    }
  }
  data.series.push_back({name, {}, std::nullopt, variant});
  return data.series.back();
}

void check_same(std::string& known, const std::string& found, const char* what, const fs::path& path) {
  if (known.empty()) {
    known = found;
  } else if (known != found) {
    throw UsageError(
        fmt::format("'{}' measured {} \"{}\", the records before it \"{}\"; make a report of each",
                    path.string(), what, found, known));
  }
}

void take_envelope(const RunRecord& record, const std::string& service, const fs::path& path,
                   ScalingData& data) {
  check_same(data.service, service, "the service", path);
  check_same(data.unit, record.score.unit, "in", path);
  if (data.plan.empty()) {
    data.plan = plan_facts(record.plan);
    data.machine = machine_facts(record.context);
  }
  for (const std::string& note : texts_of(record.context, {"notes"})) {
    if (std::find(data.notes.begin(), data.notes.end(), note) == data.notes.end()) {
      data.notes.push_back(note);
    }
  }
  data.interrupted = data.interrupted || record.verdict.status == Status::interrupted;
  data.sources.push_back(path.string());
}

void add_study(const RunRecord& record, const fs::path& path, ScalingData& data) {
  if (!record.points.is_array() || record.points.empty()) {
    throw UsageError(
        fmt::format("'{}' is a study without a single point; nothing was measured yet", path.string()));
  }
  const std::string service = text_of(record.plan, {"service"});
  take_envelope(record, service.empty() ? "web" : service, path, data);
  const std::string provider = text_of(record.plan, {"provider"});
  if (!provider.empty()) {
    data.provider = provider;
  }
  ScalingData own;                             // of this study: its bases hold for its own series only
  std::map<std::string, ScalingPoint> direct;  // by variant
  for (const Json& json : record.points) {
    ScalingPoint point = point_of(json, path, data);
    const std::string variant = text_of(json, {"variant"});
    if (field(json, {"base"}) == Json(true)) {
      direct.insert_or_assign(variant, std::move(point));
      continue;
    }
    const std::string router = text_of(json, {"router"});
    series_named(own, router.empty() ? kNoRouter : router, variant).points.push_back(std::move(point));
  }
  for (const auto& base : direct) {
    const std::string& variant = base.first;
    if (std::none_of(own.series.begin(), own.series.end(),
                     [&](const ScalingSeries& known) { return known.variant == variant; })) {
      series_named(own, kNoRouter, variant);
    }
  }
  for (ScalingSeries& series : own.series) {
    const auto base = direct.find(series.variant);
    if (base != direct.end()) {
      series.direct = base->second;
    }
    if (series.router() == kNoRouter && series.direct &&
        (series.points.empty() || series.points.front().nodes != 1)) {
      // The base is this series' own single node.
      series.points.insert(series.points.begin(), *series.direct);
    }
    const std::string name = series.name;
    for (int i = 2; std::any_of(data.series.begin(), data.series.end(),
                                [&](const ScalingSeries& known) { return known.name == series.name; });
         ++i) {
      series.name = fmt::format("{} ({})", name, i);
    }
    data.series.push_back(std::move(series));
  }
}

/// Records of one router and number of nodes, together a point.
using Groups = std::map<std::pair<std::string, unsigned>, std::vector<RunRecord>>;

double load_of(const RunRecord& record) {
  const char* name = record.kind == "mail" ? "users" : "requested";
  return record.iterations.empty() ? 0 : real_of(record.iterations[0], {name}).value_or(0);
}

/// What an iteration counts for.
double score_of(const RunRecord& record, const Json& iteration) {
  const char* name = record.kind == "mail" ? "operations_per_hour" : "conforming";
  return real_of(iteration, {name}).value_or(0);
}

/// What stood before the nodes: "dsr"; "nginx-2" when there were two proxies.
std::string way_of(const Json& cluster) {
  const std::string proxy = text_of(cluster, {"proxy"});
  const std::uint64_t proxies = count_of(cluster, {"proxies"}).value_or(1);
  const std::string way = proxy.empty() ? text_of(cluster, {"router"})
                          : proxies > 1 ? fmt::format("{}-{}", proxy, proxies)
                                        : proxy;
  return way.empty() ? kNoRouter : way;
}

/// What records of which none passed say of their point.
PointStatus status_without_pass(const std::vector<RunRecord>& records) {
  const auto any = [&records](Status status) {
    return std::any_of(records.begin(), records.end(),
                       [status](const RunRecord& record) { return record.verdict.status == status; });
  };
  return any(Status::fail)                ? PointStatus::not_confirmed
         : any(Status::generator_limited) ? PointStatus::generator_limited
         : any(Status::interrupted)       ? PointStatus::interrupted
                                          : PointStatus::failed;
}

/// "no record of this number of nodes passed: generator-limited at 930 connections (a thread was busy)".
std::string why_none_passed(const std::vector<RunRecord>& records) {
  std::vector<std::string> words;
  for (const RunRecord& record : records) {
    const auto& reasons = record.verdict.reasons;
    words.push_back(fmt::format("{} at {}{}", words_of(record.verdict.status), figure_text(load_of(record)),
                                reasons.empty() ? "" : fmt::format(" ({})", reasons.front())));
  }
  return fmt::format("no record of this number of nodes passed: {}", fmt::join(words, "; "));
}

/// Of records at several loads the highest one that passed is the point; its iterations are put together.
ScalingPoint point_of_records(unsigned nodes, const std::vector<RunRecord>& records) {
  ScalingPoint point;
  point.nodes = nodes;
  point.status = status_without_pass(records);
  point.why = why_none_passed(records);
  for (const RunRecord& record : records) {
    const bool passed = record.verdict.status == Status::pass;
    point.trials.push_back({.number = static_cast<std::uint32_t>(point.trials.size() + 1),
                            .load = load_of(record),
                            .purpose = "record",
                            .verdict = name_of(record.verdict.status),
                            .score = record.score.value,
                            .reasons = record.verdict.reasons,
                            .seconds = std::nullopt,
                            .stolen_share = std::nullopt,
                            .foreign_share = std::nullopt,
                            .disturbed = false});
    if (passed && load_of(record) > point.load.value_or(-1)) {
      point.load = load_of(record);
      point.lower = point.load;
    }
  }
  if (!point.load) {
    enter_limited(point);
  }
  if (point.limited) {
    point.limited->evidence = evidence_in(records.at(point.limited->number - 1));
  }
  for (std::size_t i = 0; point.load && i < records.size(); ++i) {
    const RunRecord& record = records[i];
    if (record.verdict.status != Status::pass || load_of(record) != *point.load) {
      continue;
    }
    point.status = PointStatus::confirmed;
    point.why = "the highest load of the records that passed";
    point.confirmed_by.push_back(static_cast<std::uint32_t>(i + 1));
    for (const std::size_t scored : complete_iterations(record)) {
      point.measured.push_back(score_of(record, record.iterations[scored]));
    }
    add_evidence(record, point);
  }
  return point;
}

void add_groups(const Groups& groups, ScalingData& data) {
  if (groups.empty()) {
    return;
  }
  ScalingData own;
  std::optional<ScalingPoint> direct;
  for (const auto& [key, records] : groups) {
    ScalingPoint point = point_of_records(key.second, records);
    if (key.first == kNoRouter && key.second == 1) {
      direct = point;
    }
    series_named(own, key.first).points.push_back(std::move(point));
  }
  for (ScalingSeries& series : own.series) {
    const bool only_base = series.name == kNoRouter && series.points.size() == 1 && own.series.size() > 1;
    if (!only_base) {
      series.direct = direct;
      data.series.push_back(std::move(series));
    }
  }
}

void add_run(RunRecord record, const fs::path& path, Groups& groups, ScalingData& data) {
  if (!record.cluster.is_object()) {
    throw UsageError(
        fmt::format("'{}' does not say how many nodes it measured (it has no 'cluster'); use the "
                    "record of a study or of 'scalemark {} --testbed', or a table with --csv",
                    path.string(), record.kind));
  }
  const unsigned nodes = node_count_in(record.cluster, path);
  take_envelope(record, record.kind, path, data);
  if (data.provider.empty()) {
    data.provider = text_of(record.cluster, {"provider"});
  }
  groups[{way_of(record.cluster), nodes}].push_back(std::move(record));
}

fs::path record_in(const fs::path& path) {
  std::error_code ignored;
  if (path.extension() == ".csv") {
    throw UsageError(fmt::format("'{}' is a table; name it with --csv", path.string()));
  }
  if (!fs::is_directory(path, ignored)) {
    return path;
  }
  if (!fs::exists(path / "study.json", ignored)) {
    throw UsageError(
        fmt::format("the folder '{}' holds no study.json; name a study's folder, or records", path.string()));
  }
  return path / "study.json";
}

void sort_points(ScalingData& data) {
  for (ScalingSeries& series : data.series) {
    std::stable_sort(series.points.begin(), series.points.end(),
                     [](const ScalingPoint& a, const ScalingPoint& b) { return a.nodes < b.nodes; });
    // A number of nodes that a damaged record holds twice would be counted twice.
    const auto end =
        std::unique(series.points.begin(), series.points.end(),
                    [](const ScalingPoint& a, const ScalingPoint& b) { return a.nodes == b.nodes; });
    if (end != series.points.end()) {
      data.notes.push_back(
          fmt::format("The series \"{}\" held a number of nodes twice; the first was used.", series.name));
      series.points.erase(end, series.points.end());
    }
  }
}

}  // namespace

ScalingData read_measurements(const std::vector<fs::path>& paths) {
  ScalingData data;
  Groups groups;
  for (const fs::path& path : paths) {
    const fs::path file = record_in(path);
    RunRecord record = read_record(file);
    if (record.kind == "study") {
      add_study(record, file, data);
    } else if (record.kind == "web" || record.kind == "mail") {
      add_run(std::move(record), file, groups, data);
    } else {
      throw UsageError(
          fmt::format("'{}' is a record of kind \"{}\"; a report is made from studies and from records "
                      "of web and mail runs",
                      file.string(), record.kind));
    }
  }
  add_groups(groups, data);
  sort_points(data);
  data.title = data.service == "web" ? "Web service" : data.service == "mail" ? "Mail service" : data.service;
  return data;
}

}  // namespace scalemark::analysis

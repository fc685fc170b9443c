#include "study/study_store.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <optional>
#include <system_error>
#include <utility>

#include "core/error.h"
#include "core/units.h"
#include "study/point_plan.h"

namespace scalemark::study {
namespace {

/// The overridden settings, as records have them. `settings` are changed by it.
Json overrides_json(const Settings& settings, const std::vector<Override>& overrides) {
  apply_overrides(settings, overrides);
  const Json all = settings_json(settings);
  Json json = Json::object();
  for (const Override& entry : overrides) {
    json[entry.name] = all.at(entry.name);
  }
  return json;
}

/// What decides whether earlier trials may stand beside new ones: everything but where things are written and
/// which points are measured.
Json comparable(Json plan) {
  for (const char* name :
       {"out", "nodes", "nodes-of", "routers", "base", "repeats", "most-stolen", "most-foreign"}) {
    plan.erase(name);
  }
  return plan;
}

/// Variants may be added and left out; those that both plans have must be the same.
void keep_common_variants(Json& a, Json& b) {
  for (Json* plan : {&a, &b}) {
    if (!plan->contains("variants")) {
      (*plan)["variants"] = Json::object();
    }
  }
  const auto drop_unknown = [](Json& from, const Json& known) {
    Json kept = Json::object();
    for (const auto& [name, variant] : from.items()) {
      if (known.contains(name)) {
        kept[name] = variant;
      }
    }
    from = std::move(kept);
  };
  drop_unknown(a["variants"], b["variants"]);
  drop_unknown(b["variants"], a["variants"]);
}

std::string first_difference(Json earlier, Json now) {
  earlier = comparable(std::move(earlier));
  now = comparable(std::move(now));
  keep_common_variants(earlier, now);
  for (const Json& change : Json::diff(earlier, now)) {
    return change.at("path").get<std::string>();
  }
  return "";
}

/// The folder at which the disk that holds `path` is mounted.
std::filesystem::path mount_point_of(const std::filesystem::path& path) {
  std::error_code ignored;
  std::filesystem::path place = std::filesystem::canonical(path, ignored);
  const auto device_of = [](const std::filesystem::path& folder) {
    struct stat status {};
    return ::stat(folder.c_str(), &status) == 0 ? std::optional(status.st_dev) : std::nullopt;
  };
  const auto device = device_of(place);
  while (device && place.has_relative_path() && device_of(place.parent_path()) == device) {
    place = place.parent_path();
  }
  return place;
}

/// "the disk at '/tmp' has 0 B left of 2.10 GB".
std::string disk_words(const std::filesystem::path& path) {
  const auto mounted = mount_point_of(path);
  std::error_code fault;
  const auto space = std::filesystem::space(mounted, fault);
  if (fault) {
    return fmt::format("it would stand in '{}'", path.string());
  }
  return fmt::format("the disk at '{}' has {} left of {}", mounted.string(), human_bytes(space.available),
                     human_bytes(space.capacity));
}

}  // namespace

Json plan_json(const StudyPlan& plan) {
  StudyPlan effective = plan;
  Json json = settings_json(study_settings(effective));
  if (plan.provider == Provider::emulated) {
    json["cluster"] = settings_json(testbed::cluster_settings(effective.cluster));
    // Each point has its own of these.
    for (const std::string& name : point_settings(plan.service)) {
      json["cluster"].erase(name);
    }
  }
  json[plan.workload->words().command] = settings_json(effective.workload->settings());
  for (const Variant& variant : plan.variants) {
    StudyPlan varied = plan;
    Json& entry = json["variants"][variant.name];
    entry = overrides_json(varied.workload->settings(), variant.workload);
    if (!variant.cluster.empty()) {
      entry["cluster"] = overrides_json(testbed::cluster_settings(varied.cluster), variant.cluster);
    }
  }
  return json;
}

StudyStore::StudyStore(std::filesystem::path folder, const StudyPlan& plan) : folder_(std::move(folder)) {
  std::error_code fault;
  std::filesystem::create_directories(folder_, fault);
  if (fault) {
    throw UsageError(
        fmt::format("cannot make the folder '{}' for the study's results: {}; name another with --out",
                    folder_.string(), fault.message()));
  }
  lock();
  try {
    check_writable(study_file());
    read_earlier(plan);
  } catch (...) {
    ::close(lock_);
    throw;
  }
}

StudyStore::~StudyStore() {
  ::close(lock_);
}

void StudyStore::lock() {
  const std::string path = (folder_ / ".lock").string();
  lock_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (lock_ < 0) {
    throw UsageError(fmt::format("cannot write to the folder '{}': {}; name another with --out",
                                 folder_.string(), std::generic_category().message(errno)));
  }
  if (::flock(lock_, LOCK_EX | LOCK_NB) != 0) {
    ::close(lock_);
    throw UsageError(fmt::format(
        "another study is at work in '{}'; wait for it or name another folder with --out", folder_.string()));
  }
}

void StudyStore::read_earlier(const StudyPlan& plan) {
  if (!std::filesystem::exists(study_file())) {
    return;
  }
  const RunRecord record = read_record(study_file());
  if (record.kind != "study" || !record.points.is_array()) {
    throw UsageError(
        fmt::format("'{}' is no study's record; name another folder with --out", study_file().string()));
  }
  const std::string difference = first_difference(record.plan, plan_json(plan));
  if (!difference.empty()) {
    throw UsageError(fmt::format(
        "'{}' holds results of another plan (it differs in {}); name another folder with --out, or remove it",
        folder_.string(), difference));
  }
  for (const Json& point : record.points) {
    earlier_.push_back(point_from_json(point));
  }
}

PointResult StudyStore::earlier(const PointSetup& setup) const {
  const auto found = std::find_if(earlier_.begin(), earlier_.end(),
                                  [&setup](const PointResult& point) { return point.setup == setup; });
  if (found != earlier_.end()) {
    return *found;
  }
  PointResult fresh;
  fresh.setup = setup;
  return fresh;
}

void StudyStore::keep_trial(const PointResult& point, const RunRecord& record, TrialReport& report) const {
  report.record = fmt::format("{}/trial-{:02}.json", point.folder(), report.number);
  keep(folder_ / report.record, record);
}

void StudyStore::keep_study(const RunRecord& record) const {
  keep(study_file(), record);
}

void StudyStore::keep(const std::filesystem::path& path, const RunRecord& record) const {
  std::error_code fault;
  std::filesystem::create_directories(path.parent_path(), fault);
  const auto refuse = [&](const std::string& what) {
    throw StoreError(
        fmt::format("{}; {}. What was kept before stays in '{}': the same command goes on from there", what,
                    disk_words(folder_), folder_.string()));
  };
  if (fault) {
    refuse(fmt::format("cannot make the folder '{}': {}", path.parent_path().string(), fault.message()));
  }
  try {
    write_file(path, to_json(record).dump(1) + "\n");
  } catch (const RunError& error) {
    refuse(error.what());
  }
}

}  // namespace scalemark::study

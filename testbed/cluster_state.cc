#include "testbed/cluster_state.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <system_error>
#include <thread>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/file_text.h"
#include "core/run_record.h"
#include "core/setting.h"

namespace scalemark::testbed {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSchema = "scalemark-testbed/2";
constexpr const char* kStateFile = "cluster.json";
constexpr Duration kLockPatience = std::chrono::minutes(1);
constexpr Duration kLockTryAgain = std::chrono::milliseconds(20);

constexpr std::pair<ClusterStage, const char*> kStages[] = {{ClusterStage::building, "building"},
                                                            {ClusterStage::up, "up"},
                                                            {ClusterStage::changing, "changing"},
                                                            {ClusterStage::going, "going"}};

const char* stage_name(ClusterStage stage) {
  const auto* found =
      std::find_if(std::begin(kStages), std::end(kStages), [&](const auto& s) { return s.first == stage; });
  return found->second;
}

ClusterStage stage_of(const std::string& name) {
  const auto* found =
      std::find_if(std::begin(kStages), std::end(kStages), [&](const auto& s) { return s.second == name; });
  if (found == std::end(kStages)) {
    throw RunError(fmt::format("'{}' is no stage of a cluster", name));
  }
  return found->first;
}

Json process_json(const ProcessId& process) {
  return {{"pid", process.pid}, {"start_time", process.start_time}};
}

ProcessId process_from(const Json& json) {
  return {json.at("pid").get<pid_t>(), json.at("start_time").get<std::uint64_t>()};
}

Json service_json(const ServiceRecord& service) {
  return {{"name", service.name},
          {"netns", service.netns},
          {"process", process_json(service.process)},
          {"cgroup", service.cgroup.string()}};
}

ServiceRecord service_from(const Json& json) {
  return {.name = json.at("name").get<std::string>(),
          .netns = json.at("netns").get<std::string>(),
          .process = process_from(json.at("process")),
          .cgroup = json.at("cgroup").get<std::string>()};
}

/// A plan from what settings_json() made of it.
ClusterPlan plan_from(ServiceKind service, const Json& json) {
  ClusterPlan plan;
  plan.service = service;
  Settings settings = cluster_settings(plan);
  for (const auto& [name, value] : json.items()) {
    if (value.is_string()) {
      find_setting(settings, name).set({value.get<std::string>()});
    }
  }
  return plan;
}

ClusterState state_from(const Json& json) {
  ClusterState state;
  state.plan = plan_from(service_kind_of(json.at("service").get<std::string>()), json.at("plan"));
  state.stage = stage_of(json.at("stage").get<std::string>());
  state.boot = json.at("boot").get<std::string>();
  state.forwarding = json.at("ipvs").get<bool>() ? Forwarding::ipvs : Forwarding::nftables;
  if (!json.at("holder").is_null()) {
    state.holder = process_from(json.at("holder"));
  }
  for (const Json& claimed : json.at("namespaces")) {
    state.namespaces.push_back(
        {claimed.at("name").get<std::string>(), claimed.at("identity").get<std::uint64_t>()});
  }
  for (const Json& group : json.at("cgroups")) {
    state.cgroups.emplace_back(group.get<std::string>());
  }
  for (const Json& folder : json.at("folders")) {
    state.folders.emplace_back(folder.get<std::string>());
  }
  for (const Json& service : json.at("services")) {
    state.services.push_back(service_from(service));
  }
  return state;
}

fs::path lock_file(const std::string& name) {
  return state_folder() / (name + ".lock");
}

fs::path choose_state_folder() {
  if (::geteuid() == 0) {
    return "/run/scalemark";
  }
  const char* runtime = std::getenv("XDG_RUNTIME_DIR");
  if (runtime != nullptr && ::access(runtime, W_OK) == 0) {
    return fs::path(runtime) / "scalemark";
  }
  return fmt::format("/tmp/scalemark-{}", ::geteuid());
}

/// The folder lies where others may write: one that somebody else has put there must not be trusted.
void make_state_folder() {
  const fs::path folder = state_folder();
  if (::mkdir(folder.c_str(), 0755) != 0 && errno != EEXIST) {
    throw RunError(fmt::format("cannot make the folder '{}': {}", folder.string(),
                               std::generic_category().message(errno)));
  }
  struct stat found {};
  if (::lstat(folder.c_str(), &found) != 0 || !S_ISDIR(found.st_mode) || found.st_uid != ::geteuid() ||
      (found.st_mode & S_IWOTH) != 0) {
    throw RunError(fmt::format("'{}' must be a folder of yours that nobody else can write to; remove it",
                               folder.string()));
  }
}

}  // namespace

const ServiceRecord* ClusterState::service(const std::string& name) const {
  const auto found = std::find_if(services.begin(), services.end(),
                                  [&name](const ServiceRecord& service) { return service.name == name; });
  return found == services.end() ? nullptr : &*found;
}

std::string state_text(const ClusterState& state) {
  Json json;
  json["schema"] = kSchema;
  json["stage"] = stage_name(state.stage);
  ClusterPlan plan = state.plan;
  json["service"] = name_of(plan.service);
  json["plan"] = settings_json(cluster_settings(plan));
  json["boot"] = state.boot;
  json["ipvs"] = state.forwarding == Forwarding::ipvs;
  json["holder"] = state.holder ? process_json(*state.holder) : Json();
  json["namespaces"] = Json::array();
  for (const ClaimedNamespace& claimed : state.namespaces) {
    json["namespaces"].push_back({{"name", claimed.name}, {"identity", claimed.identity}});
  }
  json["cgroups"] = Json::array();
  for (const fs::path& group : state.cgroups) {
    json["cgroups"].push_back(group.string());
  }
  json["folders"] = Json::array();
  for (const fs::path& folder : state.folders) {
    json["folders"].push_back(folder.string());
  }
  json["services"] = Json::array();
  for (const ServiceRecord& service : state.services) {
    json["services"].push_back(service_json(service));
  }
  return json.dump(1) + "\n";
}

ClusterState state_from_text(const std::string& text) {
  try {
    const Json json = Json::parse(text);
    if (json.at("schema") != kSchema) {
      throw RunError(
          fmt::format("another version of scalemark wrote it ({}); take the cluster down with that version",
                      json.at("schema").dump()));
    }
    return state_from(json);
  } catch (const Json::exception& error) {
    throw RunError(error.what());
  } catch (const UsageError& error) {
    throw RunError(error.what());
  }
}

fs::path state_folder() {
  static const fs::path folder = choose_state_folder();
  return folder;
}

fs::path cluster_folder(const std::string& name) {
  return state_folder() / name;
}

std::optional<ClusterState> read_state(const std::string& name) {
  const fs::path path = cluster_folder(name) / kStateFile;
  std::error_code ignored;
  if (!fs::exists(path, ignored)) {
    return std::nullopt;
  }
  try {
    return state_from_text(file_text(path));
  } catch (const RunError& error) {
    throw RunError(fmt::format("'{}' cannot be understood: {}", path.string(), error.what()));
  }
}

void write_state(const ClusterState& state) {
  make_state_folder();
  const fs::path folder = cluster_folder(state.plan.name);
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) {
    throw RunError(fmt::format("cannot make the folder '{}': {}", folder.string(), error.message()));
  }
  write_file(folder / kStateFile, state_text(state));
}

bool leaves_traces(const std::string& name) {
  std::error_code ignored;
  return fs::exists(cluster_folder(name), ignored) || fs::exists(lock_file(name), ignored);
}

void forget_state(const std::string& name) {
  const fs::path folder = cluster_folder(name);
  // The state file goes last: what a failure leaves is still known to be ours.
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().filename() != kStateFile) {
      fs::remove_all(entry.path(), error);
    }
  }
  fs::remove_all(folder, error);
  if (fs::exists(folder)) {
    throw RunError(fmt::format("cannot remove the folder '{}'", folder.string()));
  }
}

std::vector<std::string> known_clusters() {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(state_folder(), ignored)) {
    if (fs::exists(entry.path() / kStateFile, ignored)) {
      names.push_back(entry.path().filename());
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string boot_identity() {
  std::string text = file_text("/proc/sys/kernel/random/boot_id");
  while (text.ends_with('\n')) {
    text.pop_back();
  }
  return text;
}

ClusterLock::ClusterLock(const std::string& name) : path_(lock_file(name)) {
  make_state_folder();
  const auto deadline = std::chrono::steady_clock::now() + kLockPatience;
  for (;;) {
    // Not O_CLOEXEC: what we run holds the lock, too. Daemons close it (testbed/process.cc).
    file_ = ::open(path_.c_str(), O_RDWR | O_CREAT, 0600);
    if (file_ < 0) {
      throw RunError(
          fmt::format("cannot open '{}': {}", path_.string(), std::generic_category().message(errno)));
    }
    struct stat held {};
    struct stat named {};
    // The file may have been removed, by whoever held the lock, between our opening and locking it.
    if (::flock(file_, LOCK_EX | LOCK_NB) == 0 && ::fstat(file_, &held) == 0 &&
        ::stat(path_.c_str(), &named) == 0 && held.st_ino == named.st_ino) {
      return;
    }
    ::close(file_);
    if (std::chrono::steady_clock::now() >= deadline) {
      throw RunError(fmt::format(
          "another scalemark has been busy with the cluster '{}' for a minute; try again when it has ended",
          name));
    }
    std::this_thread::sleep_for(kLockTryAgain);
  }
}

ClusterLock::~ClusterLock() {
  ::unlink(path_.c_str());
  ::close(file_);
}

}  // namespace scalemark::testbed

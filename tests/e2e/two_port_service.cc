#include "tests/e2e/two_port_service.h"

#include <fmt/format.h>

#include <csignal>
#include <fstream>
#include <thread>
#include <utility>

#include "core/error.h"
#include "testbed/cluster_state.h"
#include "testbed/cpu_cap.h"
#include "testbed/health.h"

namespace scalemark::e2e {
namespace {

namespace fs = std::filesystem;

bool has_quota(const fs::path& group) {
  std::ifstream v1(group / "cpu.cfs_quota_us");
  std::ifstream v2(group / "cpu.max");
  std::string word;
  return (v1 >> word && word != "-1") || (v2 >> word && word != "max");
}

}  // namespace

TwoPortService::TwoPortService(const testbed::ClusterPlan& plan, fs::path files, fs::path outside,
                               std::shared_ptr<ServiceDiary> diary)
    : plan_(plan), files_(std::move(files)), outside_(std::move(outside)), diary_(std::move(diary)) {}

int TwoPortService::good_ending() const {
  return SIGTERM;
}

std::vector<fs::path> TwoPortService::folders() const {
  return {outside_ / ("sm-" + plan_.name)};
}

std::vector<testbed::ServiceProcess> TwoPortService::shared() const {
  const fs::path dir = folders().front();
  testbed::ServiceSetup setup;
  setup.folders = {dir / "db"};
  // It needs what before_shared() has made, and has a process of its own, which outlives it when it is
  // killed.
  setup.argv = {"/bin/sh", "-c", R"(cd "$0" && cat made >up && trap 'kill $!' TERM && { sleep 600 & wait; })",
                dir / "db"};
  setup.log = dir / "db.log";
  setup.error_log = setup.log;
  return {{"db", setup}};
}

void TwoPortService::before_shared() {
  std::ofstream(folders().front() / "db" / "made") << "yes\n";
}

void TwoPortService::after_shared() {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (!fs::exists(folders().front() / "db" / "up")) {
    if (std::chrono::steady_clock::now() > deadline) {
      throw RunError("the database does not come up");
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

void TwoPortService::before_place(const testbed::NodePlace& place) {
  ++diary_->places;
  diary_->db_before_places = diary_->db_before_places && fs::exists(folders().front() / "db" / "up") &&
                             fs::is_directory(testbed::cluster_folder(plan_.name) / place.name);
}

testbed::ServiceProcess TwoPortService::server(const testbed::NodePlace& place, std::uint16_t port) const {
  testbed::ServiceSetup setup;
  const fs::path dir = testbed::cluster_folder(plan_.name) / place.name;
  setup.folders = {dir};
  setup.argv = {SCALEMARK_COMMAND, "serve",
                "--files",         files_,
                "--listen",        fmt::format("0.0.0.0:{}", port),
                "--access-log",    log_of(place.name, port)};
  setup.log = dir / fmt::format("output-{}.log", port);
  setup.error_log = setup.log;
  return {fmt::format("{}.{}", place.name, port == 25 ? "smtp" : "pop"), setup};
}

std::vector<testbed::ServiceProcess> TwoPortService::of_node(const testbed::NodePlace& node) const {
  return {server(node, 25), server(node, 110)};
}

std::vector<testbed::ServiceProcess> TwoPortService::of_proxy(const testbed::NodePlace& proxy) const {
  return of_node(proxy);
}

std::vector<testbed::WorkLog> TwoPortService::work_logs(const testbed::NodePlace& node) const {
  return {{log_of(node.name, 25), testbed::LogFormat::builtin},
          {log_of(node.name, 110), testbed::LogFormat::builtin}};
}

fs::path TwoPortService::log_of(const std::string& place, std::uint16_t port) const {
  return testbed::cluster_folder(plan_.name) / place / fmt::format("access-{}.log", port);
}

std::string TwoPortService::ask(const std::string& from, const std::string& address, Duration timeout) const {
  const std::string smtp = testbed::get(from, address, 25, testbed::health_path(files_), timeout).complaint();
  return smtp.empty() ? testbed::get(from, address, 110, testbed::health_path(files_), timeout).complaint()
                      : smtp;
}

std::string TwoPortService::ask_node(const std::string& from, const testbed::NodePlace& node,
                                     Duration timeout) const {
  return ask(from, node.address, timeout);
}

std::string TwoPortService::ask_front(const std::string& from, const std::string& address, unsigned /*turn*/,
                                      Duration timeout) const {
  return ask(from, address, timeout);
}

void TwoPortService::settle(const std::string& /*from*/, const std::vector<std::string>& fronts) {
  diary_->settled = fronts;
  const testbed::CpuCgroups groups = testbed::cpu_cgroups();
  for (std::uint32_t i = 1; i <= plan_.nodes; ++i) {
    diary_->capped_at_settling =
        diary_->capped_at_settling || has_quota(groups.root / fmt::format("sm-{}-n{}", plan_.name, i));
  }
}

}  // namespace scalemark::e2e

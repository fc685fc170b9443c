#include "app/testbed_status_command.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/testbed_clusters.h"
#include "core/error.h"
#include "testbed/cluster.h"

namespace scalemark::app {
namespace {

using testbed::Cluster;

void describe(const Cluster& cluster, Console& console) {
  testbed::ClusterPlan plan = cluster.plan();
  console.out << fmt::format("cluster '{}' of {} servers at {}\n", plan.name, testbed::name_of(plan.service),
                             whereabouts(cluster));
  for (const Setting& setting : testbed::cluster_settings(plan)) {
    if (setting.name != "name") {
      console.out << fmt::format("  {:<12} {}\n", setting.name, fmt::join(setting.get(), " "));
    }
  }
  for (const testbed::ServiceRecord& record : cluster.state().services) {
    console.out << fmt::format("  {:<12} process {}{}\n", record.name, record.process.pid,
                               record.netns.empty() ? "" : " in " + record.netns);
  }
}

bool show(const std::string& name, Console& console) {
  try {
    const Cluster cluster = find_or_complain(name);
    describe(cluster, console);
    cluster.check_health();
    console.out << "  every node answers\n";
    return true;
  } catch (const RunError& error) {
    console.out << fmt::format("  {}: {}\n", name, error.what());
    return false;
  }
}

class TestbedStatusCommand final : public Command {
 public:
  [[nodiscard]] CommandInfo info() const override {
    return {
        .words = "testbed status",
        .table = "testbed.status",
        .summary = "show the clusters on this machine and whether they serve",
        .about =
            "Makes a request to every node of every cluster of this user, or of the named one, and through "
            "what stands before them. Ends with 0 when all serve, 3 when one does not.",
        .examples = "  scalemark testbed status\n",
        .by_place = {}};
  }
  [[nodiscard]] Settings settings() override { return {cluster_name_setting(name_)}; }

  int run(Console& console) override {
    const auto known = Cluster::names();
    if (!name_.empty() && std::find(known.begin(), known.end(), name_) == known.end()) {
      static_cast<void>(find_or_complain(name_));
    }
    if (known.empty()) {
      console.out << "there is no cluster\n";
      return kExitOk;
    }
    bool all_well = true;
    for (const std::string& name : known) {
      if (name_.empty() || name == name_) {
        all_well = show(name, console) && all_well;
      }
    }
    return all_well ? kExitOk : kExitGoalNotMet;
  }

 private:
  std::string name_;  // "": all
};

}  // namespace

std::unique_ptr<Command> make_testbed_status_command() {
  return std::make_unique<TestbedStatusCommand>();
}

}  // namespace scalemark::app

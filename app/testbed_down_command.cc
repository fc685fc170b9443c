#include "app/testbed_down_command.h"

#include <fmt/format.h>

#include "app/testbed_clusters.h"
#include "core/units.h"
#include "testbed/cluster.h"

namespace scalemark::app {
namespace {

using testbed::Cluster;

class TestbedDownCommand final : public Command {
 public:
  [[nodiscard]] CommandInfo info() const override {
    return {
        .words = "testbed down",
        .table = "testbed.down",
        .summary = "take a cluster down and remove all that was made for it",
        .about =
            "Also clears up what a killed command has left half made. Touches nothing else. Without --name "
            "it is the cluster 'web'.",
        .examples = "  scalemark testbed down\n  scalemark testbed down --name mail\n",
        .by_place = {}};
  }
  [[nodiscard]] Settings settings() override { return {cluster_name_setting(name_)}; }

  int run(Console& console) override {
    const SteadyClock clock;
    const TimePoint begin = clock.now();
    // Not the only one there is: it may be a study's, and what is gone is gone.
    const std::string name = name_.empty() ? testbed::default_cluster(testbed::ServiceKind::web).name : name_;
    if (Cluster::down(name, notices_to(console))) {
      console.out << fmt::format("cluster '{}' is down after {}\n", name,
                                 human_duration(clock.now() - begin));
      return kExitOk;
    }
    console.out << fmt::format("there is no cluster '{}'; nothing was to be done\n", name);
    if (const auto others = Cluster::names(); name_.empty() && !others.empty()) {
      console.out << fmt::format("there is '{0}': scalemark testbed down --name {0}\n", others.front());
    }
    return kExitOk;
  }

 private:
  std::string name_;
};

}  // namespace

std::unique_ptr<Command> make_testbed_down_command() {
  return std::make_unique<TestbedDownCommand>();
}

}  // namespace scalemark::app

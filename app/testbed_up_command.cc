#include "app/testbed_up_command.h"

#include <fmt/format.h>

#include "app/stop_signals.h"
#include "app/testbed_clusters.h"
#include "core/text.h"
#include "testbed/cluster.h"

namespace scalemark::app {
namespace {

using testbed::Cluster;
using testbed::ServiceKind;

/// Thrown by a notice to give up a set-up.
struct Interrupted {};

CommandInfo info_of_web() {
  return {
      .words = "testbed up web",
      .table = "testbed.web",
      .summary = "set up a cluster of real web servers on this machine",
      .about =
          "Makes a network of its own (namespaces, a switch, links of the stated speed), starts a web "
          "server on every node and a router before them, and asks each for a file. Run again it changes "
          "the number of nodes without breaking connections, or makes the cluster anew when anything else "
          "differs. Needs root, or a system where users may make user namespaces.",
      .examples =
          "  scalemark testbed up web --files /srv/www --nodes 4\n"
          "  scalemark testbed up web --files /srv/www --nodes 4 --router nat --node-link 50mbit\n"
          "  scalemark testbed run -- scalemark web --url http://10.78.0.100/ --connections 200\n",
      .by_place = {}};
}

CommandInfo info_of_mail() {
  return {.words = "testbed up mail",
          .table = "testbed.mail",
          .summary = "set up a cluster of real mail servers on this machine",
          .about =
              "Makes a network of its own (namespaces, a switch, links of the stated speed), starts mail "
              "servers on every node, a proxy before them that knows whose mailbox is where, and a router "
              "before the proxies when there are several. Every mailbox is used once before the processor "
              "caps are put on. Run again it leaves a cluster as it stands, or makes it anew when anything "
              "differs. Needs root.",
          .examples =
              "  scalemark testbed up mail --nodes 4\n"
              "  scalemark testbed up mail --nodes 8 --proxies 2 --accounts 400\n"
              "  scalemark testbed up mail --nodes 1 --proxy none --node-cpu none --data /srv/mail\n",
          .by_place = {}};
}

std::string size_of(const testbed::ClusterPlan& plan) {
  std::string text = counted(plan.nodes, "node");
  if (plan.proxies() > 0) {
    text +=
        fmt::format(" and {}", plan.proxies() == 1 ? "1 proxy" : fmt::format("{} proxies", plan.proxies()));
  }
  return text;
}

class TestbedUpCommand final : public Command {
 public:
  explicit TestbedUpCommand(ServiceKind service) : plan_(testbed::default_cluster(service)) {}

  [[nodiscard]] CommandInfo info() const override {
    return plan_.service == ServiceKind::mail ? info_of_mail() : info_of_web();
  }
  [[nodiscard]] Settings settings() override { return testbed::cluster_settings(plan_); }
  void check() const override { testbed::check(plan_); }

  int run(Console& console) override {
    const StopSignals signals;
    const SteadyClock clock;
    const TimePoint begin = clock.now();
    const auto notice = notices_to(console);
    try {
      const Cluster cluster = Cluster::up(plan_, [&notice](const std::string& text) {
        if (StopSignals::stopped()) {
          throw Interrupted{};
        }
        notice(text);
      });
      console.out << fmt::format("cluster '{}' is up after {}: {} at {}\n", cluster.plan().name,
                                 human_duration(clock.now() - begin), size_of(cluster.plan()),
                                 whereabouts(cluster));
    } catch (const Interrupted&) {
      console.err << "scalemark: interrupted; what had been made was taken down again\n";
      return kExitInterrupted;
    }
    return kExitOk;
  }

 private:
  testbed::ClusterPlan plan_;
};

}  // namespace

std::unique_ptr<Command> make_testbed_up_command(ServiceKind service) {
  return std::make_unique<TestbedUpCommand>(service);
}

}  // namespace scalemark::app

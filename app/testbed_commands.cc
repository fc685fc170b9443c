#include "app/testbed_commands.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <system_error>

#include "app/stop_signals.h"
#include "core/error.h"
#include "core/setting_types.h"
#include "testbed/cluster.h"
#include "testbed/process.h"

namespace scalemark::app {
namespace {

using testbed::Cluster;

constexpr const char* kGroup = "Cluster";
constexpr const char* kDefaultName = "web";

/// Thrown by a notice to give up a set-up.
struct Interrupted {};

Setting name_setting(std::string& name) {
  return text_setting("name", "name of the cluster", kGroup, name, "NAME");
}

testbed::Notice notices_to(Console& console) {
  return [&console](const std::string& text) { console.err << "scalemark: " << text << "\n"; };
}

Cluster find_or_complain(const std::string& name) {
  auto cluster = Cluster::find(name);
  if (!cluster) {
    throw RunError(fmt::format(
        "there is no cluster '{}'; 'scalemark testbed up web --name {} --files DIR' makes one", name, name));
  }
  return std::move(*cluster);
}

std::string joined_urls(const Cluster& cluster) {
  return fmt::format("{}", fmt::join(cluster.urls(), " "));
}

class TestbedUpCommand final : public Command {
 public:
  [[nodiscard]] CommandInfo info() const override {
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
      console.out << fmt::format("cluster '{}' is up after {}: {} nodes at {}\n", cluster.plan().name,
                                 human_duration(clock.now() - begin), cluster.plan().nodes,
                                 joined_urls(cluster));
    } catch (const Interrupted&) {
      console.err << "scalemark: interrupted; what had been made was taken down again\n";
      return kExitInterrupted;
    }
    return kExitOk;
  }

 private:
  testbed::ClusterPlan plan_;
};

class TestbedStatusCommand final : public Command {
 public:
  [[nodiscard]] CommandInfo info() const override {
    return {.words = "testbed status",
            .table = "testbed.status",
            .summary = "show the clusters on this machine and whether they serve",
            .about =
                "Asks every node of every cluster of this user for a file, or of the named one. Ends with 0 "
                "when all serve, 3 when one does not.",
            .examples = "  scalemark testbed status\n",
            .by_place = {}};
  }
  [[nodiscard]] Settings settings() override { return {name_setting(name_)}; }

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
  static bool show(const std::string& name, Console& console) {
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
  static void describe(const Cluster& cluster, Console& console) {
    testbed::ClusterPlan plan = cluster.plan();
    console.out << fmt::format("cluster '{}' at {}\n", plan.name, joined_urls(cluster));
    for (const Setting& setting : testbed::cluster_settings(plan)) {
      if (setting.name != "name") {
        console.out << fmt::format("  {:<12} {}\n", setting.name, fmt::join(setting.get(), " "));
      }
    }
    for (const testbed::ServiceRecord& service : cluster.state().services) {
      console.out << fmt::format("  {:<12} process {} in {}\n", service.name, service.process.pid,
                                 service.netns);
    }
  }

  std::string name_;
};

class TestbedRunCommand final : public Command {
 public:
  [[nodiscard]] CommandInfo info() const override {
    return {.words = "testbed run",
            .table = "testbed.run",
            .summary = "run a command where the cluster's client is",
            .about =
                "The command takes the place of this one, in the client's network: it reaches the cluster "
                "and nothing else. Its exit code is this command's.",
            .examples =
                "  scalemark testbed run -- curl -I http://10.78.0.100/\n"
                "  scalemark testbed run --name two -- scalemark web --url http://10.78.0.100/\n",
            .by_place = {},
            .rest = "command"};
  }
  [[nodiscard]] Settings settings() override {
    return {name_setting(name_),
            texts_setting("command", "what to run, with its own options", kGroup, command_, "COMMAND...")};
  }
  void check() const override {
    if (command_.empty()) {
      throw UsageError("no command is named; say what to run, as in scalemark testbed run -- curl -I URL");
    }
  }

  int run(Console& console) override {
    find_or_complain(name_).enter_client();
    std::vector<char*> words;
    for (std::string& word : command_) {
      words.push_back(word.data());
    }
    words.push_back(nullptr);
    console.out.flush();
    testbed::reset_signals();
    ::execvp(words.front(), words.data());
    throw RunError(
        fmt::format("cannot run '{}': {}", command_.front(), std::generic_category().message(errno)));
  }

 private:
  std::string name_ = kDefaultName;
  std::vector<std::string> command_;
};

class TestbedDownCommand final : public Command {
 public:
  [[nodiscard]] CommandInfo info() const override {
    return {.words = "testbed down",
            .table = "testbed.down",
            .summary = "take a cluster down and remove all that was made for it",
            .about = "Also clears up what a killed command has left half made. Touches nothing else.",
            .examples = "  scalemark testbed down\n  scalemark testbed down --name two\n",
            .by_place = {}};
  }
  [[nodiscard]] Settings settings() override { return {name_setting(name_)}; }

  int run(Console& console) override {
    const SteadyClock clock;
    const TimePoint begin = clock.now();
    if (Cluster::down(name_, notices_to(console))) {
      console.out << fmt::format("cluster '{}' is down after {}\n", name_,
                                 human_duration(clock.now() - begin));
    } else {
      console.out << fmt::format("there is no cluster '{}'; nothing was to be done\n", name_);
    }
    return kExitOk;
  }

 private:
  std::string name_ = kDefaultName;
};

}  // namespace

std::unique_ptr<Command> make_testbed_up_command() {
  return std::make_unique<TestbedUpCommand>();
}

std::unique_ptr<Command> make_testbed_status_command() {
  return std::make_unique<TestbedStatusCommand>();
}

std::unique_ptr<Command> make_testbed_run_command() {
  return std::make_unique<TestbedRunCommand>();
}

std::unique_ptr<Command> make_testbed_down_command() {
  return std::make_unique<TestbedDownCommand>();
}

}  // namespace scalemark::app

#include "app/testbed_run_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "app/testbed_clusters.h"
#include "core/error.h"
#include "core/setting_types.h"
#include "testbed/cluster.h"
#include "testbed/process.h"

namespace scalemark::app {
namespace {

class TestbedRunCommand final : public Command {
 public:
  [[nodiscard]] CommandInfo info() const override {
    return {.words = "testbed run",
            .table = "testbed.run",
            .summary = "run a command where the cluster's client is",
            .about =
                "The command takes the place of this one, in the client's network: it reaches the cluster "
                "and nothing else. Its exit code is this command's. Where there is only one cluster it need "
                "not be named.",
            .examples =
                "  scalemark testbed run -- curl -I http://10.78.0.100/\n"
                "  scalemark testbed run --name two -- scalemark web --url http://10.78.0.100/\n",
            .by_place = {},
            .rest = "command"};
  }
  [[nodiscard]] Settings settings() override {
    return {cluster_name_setting(name_),
            texts_setting("command", "what to run, with its own options", "Cluster", command_, "COMMAND...")};
  }
  void check() const override {
    if (command_.empty()) {
      throw UsageError("no command is named; say what to run, as in scalemark testbed run -- curl -I URL");
    }
  }

  int run(Console& console) override {
    find_or_complain(named_or_only(name_, testbed::Cluster::names())).enter_client();
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
  std::string name_;
  std::vector<std::string> command_;
};

}  // namespace

std::unique_ptr<Command> make_testbed_run_command() {
  return std::make_unique<TestbedRunCommand>();
}

}  // namespace scalemark::app

#include "app/serve_command.h"

#include <fmt/format.h>

#include <optional>

#include "app/stop_signals.h"
#include "core/error.h"
#include "core/setting_types.h"
#include "testbed/builtin_node.h"

namespace scalemark::app {
namespace {

constexpr const char* kServeGroup = "Node";

/// A rate that may be left out: rate_setting() with "not set" for none.
Setting optional_rate_setting(std::string name, std::string help, std::optional<BitsPerSecond>& field) {
  Setting setting;
  setting.name = std::move(name);
  setting.hint = "RATE";
  setting.help = std::move(help);
  setting.group = kServeGroup;
  setting.set = [&field, option = setting.name](const std::vector<std::string>& texts) {
    BitsPerSecond rate;
    rate_setting(option, "", "", rate).set(texts);
    field = rate;
  };
  setting.get = [&field] {
    return field ? std::vector<std::string>{format_rate(*field)} : std::vector<std::string>{};
  };
  return setting;
}

void stop_node(void* node) {
  static_cast<testbed::BuiltinNode*>(node)->stop();
}

class ServeCommand final : public Command {
 public:
  [[nodiscard]] CommandInfo info() const override {
    return {.words = "serve",
            .table = "serve",
            .summary = "serve a file set from this process, with a link of a stated speed if wanted",
            .about =
                "A small web server to measure when there is no other, and to test scalemark itself: with a "
                "link of R bit/s about R/400,000 connections can hold their line. The first line printed "
                "is where it listens; Ctrl-C ends it.",
            .examples =
                "  scalemark serve --files /srv/www --listen 127.0.0.1:8080\n"
                "  scalemark serve --files /srv/www --listen 127.0.0.1:0 --link-rate 100mbit\n",
            .by_place = {}};
  }
  [[nodiscard]] Settings settings() override {
    return {text_setting("files", "folder to serve; it holds file_set/", kServeGroup, files_, "DIR"),
            text_setting("listen", "address and port; port 0 takes a free one", kServeGroup, plan_.listen,
                         "ADDR:PORT"),
            optional_rate_setting("link-rate", "cap on all that is sent, in bit/s; without it there is none",
                                  plan_.link_rate),
            duration_setting("latency", "time from a request to the start of its response", kServeGroup,
                             plan_.latency, Duration::zero(), std::chrono::hours(1)),
            text_setting("access-log", "append a line for each response to this file", kServeGroup,
                         plan_.access_log, "FILE")};
  }
  void check() const override {
    if (files_.empty()) {
      throw UsageError("no folder is named; say what to serve, as in --files /srv/www");
    }
  }

  int run(Console& console) override {
    plan_.files = files_;
    testbed::BuiltinNode node(plan_);
    {
      const StopSignals signals(stop_node, &node);
      console.out << node.address() << std::endl;  // flushed: whoever started us waits for it
      node.run();
    }
    const auto done = node.counters();
    console.out << fmt::format("served {} requests, {}\n", done.responses, human_bytes(done.wire_bytes));
    return kExitOk;
  }

 private:
  std::string files_;
  testbed::NodePlan plan_;
};

}  // namespace

std::unique_ptr<Command> make_serve_command() {
  return std::make_unique<ServeCommand>();
}

}  // namespace scalemark::app

// A small table with a setting of each form, for tests of what reads and writes tables.
#pragma once

#include <string>
#include <vector>

#include "core/setting_types.h"

namespace scalemark::app {

struct Toy {
  std::vector<std::string> url;
  std::uint32_t connections = 100;
  Duration window = std::chrono::seconds(20);
  double share = 0.7;
  bool insecure = false;
  std::string out;
  std::uint64_t seed = 1;
};

inline Settings toy_settings(Toy& toy) {
  return {texts_setting("url", "where to go", "Target", toy.url, "URL"),
          count_setting("connections", "how many", "Load", toy.connections, 1, 1000),
          duration_setting("window", "how long", "Load", toy.window, Duration::zero(), std::chrono::hours(1)),
          share_setting("share", "which part", "Load", toy.share),
          count_setting("seed", "what to begin with", "Load", toy.seed, std::uint64_t{0}, ~std::uint64_t{0}),
          flag_setting("insecure", "no questions", "Transport", toy.insecure),
          text_setting("out", "where to", "Output", toy.out, "FILE")};
}

}  // namespace scalemark::app

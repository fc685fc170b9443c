// What a check before any load found. Plain data.
#pragma once

#include <string>

namespace scalemark {

/// One finding of the preflight.
struct PreflightFinding {
  enum class Level { ok, warning, refuse };
  Level level = Level::ok;
  std::string name;      ///< "descriptors"
  std::string sentence;  ///< "20,000 allowed, 1,064 needed"
};

}  // namespace scalemark

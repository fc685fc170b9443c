// What the commands of `scalemark testbed` share: finding the cluster that is meant, and speaking of it.
#pragma once

#include <string>
#include <vector>

#include "app/command.h"
#include "core/setting.h"
#include "testbed/cluster.h"

namespace scalemark::app {

/// The option --name.
[[nodiscard]] Setting cluster_name_setting(std::string& name);
/// Writes a cluster's notices to the console, a line each. `console` must outlive it.
[[nodiscard]] testbed::Notice notices_to(Console& console);

/// `name`, or when that is empty the only one of the clusters that there are, `known`. Throws RunError when
/// there is none or more than one.
[[nodiscard]] std::string named_or_only(const std::string& name, const std::vector<std::string>& known);
/// Throws RunError when there is no such cluster, or when it is half made or damaged.
[[nodiscard]] testbed::Cluster find_or_complain(const std::string& name);

/// Where clients go: "http://10.78.0.100/", "10.78.0.100 (ports 25 and 110)".
[[nodiscard]] std::string whereabouts(const testbed::Cluster& cluster);

}  // namespace scalemark::app

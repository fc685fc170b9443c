#include "app/testbed_clusters.h"

#include <fmt/format.h>

#include <utility>

#include "core/error.h"
#include "core/setting_types.h"

namespace scalemark::app {
namespace {

constexpr const char* kHowToMake = "'scalemark testbed up web' or 'up mail' makes one";

}  // namespace

Setting cluster_name_setting(std::string& name) {
  return text_setting("name", "name of the cluster", "Cluster", name, "NAME");
}

testbed::Notice notices_to(Console& console) {
  return [&console](const std::string& text) { console.err << "scalemark: " << text << "\n"; };
}

std::string named_or_only(const std::string& name, const std::vector<std::string>& known) {
  if (!name.empty()) {
    return name;
  }
  if (known.empty()) {
    throw RunError(fmt::format("there is no cluster; {}", kHowToMake));
  }
  if (known.size() > 1) {
    throw RunError(fmt::format("there are several clusters: {}; say which one is meant, as in --name {}",
                               fmt::join(known, ", "), known.front()));
  }
  return known.front();
}

testbed::Cluster find_or_complain(const std::string& name) {
  auto cluster = testbed::Cluster::find(name);
  if (!cluster) {
    throw RunError(fmt::format("there is no cluster '{}'; {}", name, kHowToMake));
  }
  return std::move(*cluster);
}

std::string whereabouts(const testbed::Cluster& cluster) {
  if (const auto urls = cluster.urls(); !urls.empty()) {
    return fmt::format("{}", fmt::join(urls, " "));
  }
  return fmt::format("{} (ports {})", fmt::join(cluster.fronts(), " "),
                     fmt::join(cluster.service().ports(), " and "));
}

}  // namespace scalemark::app

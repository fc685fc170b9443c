// What a study is asked to do: which clusters, which loads, how long each trial.
//
// A plain struct with the effective value of every setting, and the table that names them. A study measures
// *points*: one router with one number of nodes each, and the base, a single node without any router. Copied
// freely; not synchronised.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/clock.h"
#include "core/phases.h"
#include "core/setting.h"
#include "testbed/cluster_plan.h"
#include "web_bench/web_plan.h"

namespace scalemark::study {

/// Where the nodes come from.
enum class Provider : std::uint8_t {
  emulated,  ///< our test-bed: namespaces on this machine
  command,   ///< a command of the user's sets the number of nodes
  fixed,     ///< a service that is there and stays as it is
};

/// One router with one number of nodes.
struct PointSetup {
  std::string router = "none";  ///< "dsr", "nat", "haproxy", "none"; for other providers the user's own word
  std::uint32_t nodes = 1;
  bool base = false;  ///< the direct single node that theory starts from
  friend bool operator==(const PointSetup&, const PointSetup&) = default;
};

struct StudyPlan {
  web::Profile profile = web::Profile::quick;  ///< which of the file's profile tables counts
  std::string out;                             ///< folder of the results; "": the study file's name

  // Points
  Provider provider = Provider::emulated;
  std::vector<std::string> nodes = {"1", "2", "4", "8"};  ///< numbers and ranges such as 1-8
  std::vector<std::string> routers = {"dsr"};
  bool base = true;

  // Load
  std::vector<std::string> loads = {"search"};  ///< or connections per node
  double precision = 0.01;                      ///< relative width at which a search ends
  std::uint32_t trials = 12;                    ///< most of a search, its first confirmation included
  std::uint32_t confirmations = 4;              ///< most confirming trials of a search
  std::uint32_t start =
      0;  ///< connections per node that a search begins with; 0: what the node's link carries

  std::uint32_t directories =
      0;  ///< of the file set that is made when [cluster] names no folder; 0: those of [web]

  // Probing trials; confirming trials and listed loads run as [web] says
  PhaseLengths probe{std::chrono::seconds(2), std::chrono::seconds(1), std::chrono::seconds(5), Duration{}};

  // Disturbance by others on this machine
  double most_stolen = 0.01;   ///< share of the processors' time that the host may take away
  double most_foreign = 0.05;  ///< share of the processors' time that other programs may take
  std::uint32_t repeats = 2;   ///< how often a disturbed trial is repeated

  // Provider `command`
  std::string scale_command;   ///< run by the shell, {nodes} and {router} replaced
  std::string health_command;  ///< ends with 0 when the service is ready
  Duration health_timeout = std::chrono::seconds(60);

  // The tables [cluster] and [web]
  testbed::ClusterPlan cluster;
  web::WebPlan web;

  /// `nodes`, ranges written out, ascending. Throws UsageError.
  [[nodiscard]] std::vector<std::uint32_t> node_counts() const;
  /// Every point in the order of measuring: the base, then each router by ascending nodes.
  [[nodiscard]] std::vector<PointSetup> points() const;
  [[nodiscard]] bool searches() const { return loads.size() == 1 && loads.front() == "search"; }
  /// `loads` as connections per node. Only without a search.
  [[nodiscard]] std::vector<std::uint32_t> listed_loads() const;
  /// Connections per node that a search begins with.
  [[nodiscard]] std::uint32_t first_load() const;
};

/// The settings of the table [study], bound to `plan`, which must outlive them.
[[nodiscard]] Settings study_settings(StudyPlan& plan);

/// Throws UsageError for what no single setting can see, in any of the three tables.
void check(const StudyPlan& plan);

/// The plan of one trial: `connections` in all on `urls`, probing or as [web] says.
[[nodiscard]] web::WebPlan trial_plan(const StudyPlan& plan, std::uint32_t connections, bool probing,
                                      const std::vector<std::string>& urls);

/// About how long the whole study takes, set-up and drains included.
[[nodiscard]] Duration planned_time(const StudyPlan& plan);

}  // namespace scalemark::study

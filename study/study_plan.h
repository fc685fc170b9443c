// What a study is asked to do: which clusters, which loads, how long each trial.
//
// A plain struct with the effective value of every setting, and the table that names them. A study measures
// *points*: one router with one number of nodes each, and the base, a single node without any router; each
// once for every *variant* of the workload or the cluster, where there are any. Copied freely; not
// synchronised.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/clock.h"
#include "core/phases.h"
#include "core/setting.h"
#include "study/workload.h"
#include "testbed/cluster_plan.h"

namespace scalemark::study {

/// Where the nodes come from.
enum class Provider : std::uint8_t {
  emulated,  ///< our test-bed: namespaces on this machine
  command,   ///< a command of the user's sets the number of nodes
  fixed,     ///< a service that is there and stays as it is
};

/// One router with one number of nodes.
struct PointSetup {
  /// What stands before the nodes. Web: "dsr", "nat", "haproxy"; mail: the proxy, "nginx", "dovecot", and how
  /// many of them when there are several, "nginx-2"; "none"; for other providers the user's own word.
  std::string router = "none";
  std::uint32_t nodes = 1;
  bool base = false;      ///< the direct single node that theory starts from
  std::string variant{};  ///< its name; "" when the study has none
  friend bool operator==(const PointSetup&, const PointSetup&) = default;
};

/// What is measured for every point beside others of its kind: some settings with other values.
struct Variant {
  std::string name;
  std::vector<Override> workload{};  ///< settings of the workload
  std::vector<Override> cluster{};   ///< settings of an emulated cluster
};

struct StudyPlan {
  testbed::ServiceKind service = testbed::ServiceKind::web;  ///< what is measured; see take_service()
  Profile profile = Profile::quick;                          ///< which of the file's profile tables counts
  std::string out;  ///< folder of the results; "": the study file's name

  // Points
  Provider provider = Provider::emulated;
  std::vector<std::string> nodes = {"1", "2", "4", "8"};  ///< numbers and ranges such as 1-8
  std::vector<std::string> routers = {"dsr"};
  std::vector<std::string> nodes_of;  ///< "nginx-2:8": numbers of nodes of one of the routers instead
  bool base = true;

  // Load
  std::vector<std::string> loads = {"search"};  ///< or connections (users) per node
  double precision = 0.01;                      ///< relative width at which a search ends
  std::uint32_t trials = 12;                    ///< most of a search, its first confirmation included
  std::uint32_t confirmations = 4;              ///< most confirming trials of a search
  std::uint32_t start = 0;  ///< connections (users) per node that a search begins with; 0: what is usual

  std::uint32_t directories =
      0;  ///< of the file set that is made when [cluster] names no folder; 0: those of [web]

  // Probing trials; confirming trials and listed loads run as the workload says
  PhaseLengths probe{std::chrono::seconds(2), std::chrono::seconds(1), std::chrono::seconds(5), Duration{}};

  // Disturbance by others on this machine
  double most_stolen = 0.01;   ///< share of the processors' time that the host may take away
  double most_foreign = 0.05;  ///< share of the processors' time that other programs may take
  std::uint32_t repeats = 2;   ///< how often a disturbed trial is repeated

  // Provider `command`
  std::string scale_command;   ///< run by the shell, {nodes} and {router} replaced
  std::string health_command;  ///< ends with 0 when the service is ready
  Duration health_timeout = std::chrono::seconds(60);

  // The tables [cluster], [web] or [mail], and those in [variants]
  testbed::ClusterPlan cluster;
  AnyWorkload workload = make_workload(testbed::ServiceKind::web);
  std::vector<Variant> variants;

  /// `nodes`, ranges written out, ascending. Throws UsageError.
  [[nodiscard]] std::vector<std::uint32_t> node_counts() const;
  /// The same of one router. Throws UsageError, for a slip in `nodes_of`, too.
  [[nodiscard]] std::vector<std::uint32_t> node_counts(const std::string& router) const;
  /// Every point in the order of measuring: the base, then each router by ascending nodes; of each the
  /// variants in turn.
  [[nodiscard]] std::vector<PointSetup> points() const;
  [[nodiscard]] bool searches() const { return loads.size() == 1 && loads.front() == "search"; }
  /// `loads` as connections (users) per node. Only without a search.
  [[nodiscard]] std::vector<std::uint32_t> listed_loads() const;
  /// Connections (users) per node that a search begins with.
  [[nodiscard]] std::uint32_t first_load() const;
};

/// Makes it a study of that service, with that service's usual cluster, routers and workload.
void take_service(StudyPlan& plan, testbed::ServiceKind service);

/// The settings of the table [study], bound to `plan`, which must outlive them.
[[nodiscard]] Settings study_settings(StudyPlan& plan);

/// Throws UsageError for what no single setting can see, in any of its tables.
void check(const StudyPlan& plan);

/// About how long the whole study takes, set-up and drains included.
[[nodiscard]] Duration planned_time(const StudyPlan& plan);

}  // namespace scalemark::study

// What a run does, of whichever service: the part of it that a search or a study varies, and how it is run.
//
// A workload is the plan of a web or a mail run behind one face. Its settings table stays the truth of it:
// the command line of a trial, what a file says of it and what a record keeps are all made from that. What
// differs between services and is no setting - which control is the load, how a cluster's addresses become
// fronts - is said by the classes of study/web_workload.h and study/mail_workload.h. Copied freely, as an
// AnyWorkload; not synchronised.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/clock.h"
#include "core/phases.h"
#include "core/preflight_finding.h"
#include "core/run_hooks.h"
#include "core/run_record.h"
#include "core/setting.h"
#include "core/units.h"
#include "testbed/cluster_plan.h"

namespace scalemark::study {

enum class Profile : std::uint8_t { quick, full };

/// How a workload speaks of itself.
struct WorkloadWords {
  std::string command;  ///< of the command line, its settings' table in a file, and the records' kind: "web"
  std::string control;  ///< the setting that says the load: "connections"
  std::string user;     ///< one of what a load counts: "connection"
  std::string score_unit;      ///< "conforming connections"
  bool score_is_part = false;  ///< the score is a number of these users; else it is a rate
};

/// Where clients go.
struct Fronts {
  std::vector<std::string> hosts{};  ///< without ports, which the service knows; none: as the workload says
  std::string accounts{};            ///< mail: the file with the accounts; "": as the workload says
};

/// A setting that gets another value, in the texts that it reads.
struct Override {
  std::string name;
  std::vector<std::string> texts;
  friend bool operator==(const Override&, const Override&) = default;
};

class Workload {
 public:
  virtual ~Workload() = default;
  [[nodiscard]] virtual std::unique_ptr<Workload> clone() const = 0;

  [[nodiscard]] virtual const WorkloadWords& words() const = 0;
  /// All settings of such a run, bound to this object.
  [[nodiscard]] virtual Settings settings() = 0;
  /// Throws UsageError for what no single setting can see.
  virtual void check() const = 0;
  /// Sets times and iterations to those of a profile.
  virtual void take_profile(Profile profile) = 0;
  /// Files that are named relative to `folder` are named so that they are found, where they exist there.
  virtual void find_files(const std::filesystem::path& folder) = 0;
  /// Takes fronts that no setting but a file names. Throws UsageError when it is not clear which.
  virtual void take_fronts_from_files() {}

  // The load
  [[nodiscard]] virtual std::uint32_t load() const = 0;
  virtual void set_load(std::uint32_t load) = 0;
  /// The fewest that a run can have: every thread and every front needs one of its own.
  [[nodiscard]] virtual std::uint32_t least_load() const = 0;
  /// The most. Throws UsageError when a file that says so cannot be read.
  [[nodiscard]] virtual std::uint32_t most_load() const = 0;
  /// A load to begin a search with on one node with such a link (none: no cap).
  [[nodiscard]] virtual std::uint32_t usual_load(const std::optional<BitsPerSecond>& node_link) const = 0;

  // The target
  virtual void aim_at(const Fronts& fronts) = 0;
  /// The same for what the settings do not name themselves.
  virtual void complete_aim(const Fronts& fronts) = 0;
  /// The same for a plan that is only to be checked: stand-ins for what a cluster will name.
  virtual void aim_at_nowhere() = 0;
  /// What it is aimed at, for people: "http://10.0.0.1/"; "" nowhere.
  [[nodiscard]] virtual std::string aim() const = 0;
  /// What has to be named when it is aimed nowhere: "url = \"http://...\"".
  [[nodiscard]] virtual std::string aim_example() const = 0;

  // The length
  /// One iteration instead of those of the plan.
  virtual void measure_once() = 0;
  virtual void set_phases(const PhaseLengths& phases) = 0;
  [[nodiscard]] virtual const PhaseLengths& phases() const = 0;
  [[nodiscard]] virtual std::uint32_t iterations() const = 0;
  /// Of all of it, drains excluded.
  [[nodiscard]] virtual Duration planned_time() const = 0;

  /// What the run would look at before any load. Throws UsageError or RunError.
  [[nodiscard]] virtual std::vector<PreflightFinding> preflight() const = 0;
  /// The run, in this process. Throws UsageError or RunError.
  [[nodiscard]] virtual RunRecord run(const RunHooks& hooks) const = 0;

 protected:
  Workload() = default;
  Workload(const Workload&) = default;
  Workload& operator=(const Workload&) = default;
};

/// A workload that is copied with whatever holds it. Never empty, except when moved from.
class AnyWorkload {
 public:
  explicit AnyWorkload(std::unique_ptr<Workload> workload) : workload_(std::move(workload)) {}
  AnyWorkload(const Workload& workload)
      : workload_(workload.clone()) {}  // NOLINT(google-explicit-constructor)
  AnyWorkload(const AnyWorkload& other) : workload_(other.workload_->clone()) {}
  AnyWorkload(AnyWorkload&&) noexcept = default;
  AnyWorkload& operator=(AnyWorkload other) noexcept {
    workload_ = std::move(other.workload_);
    return *this;
  }
  ~AnyWorkload() = default;

  [[nodiscard]] Workload& operator*() { return *workload_; }
  [[nodiscard]] const Workload& operator*() const { return *workload_; }
  [[nodiscard]] Workload* operator->() { return workload_.get(); }
  [[nodiscard]] const Workload* operator->() const { return workload_.get(); }

 private:
  std::unique_ptr<Workload> workload_;
};

/// A workload of that service: defaults, those of the quick profile.
[[nodiscard]] AnyWorkload make_workload(testbed::ServiceKind service);

/// The command line, without the program, that runs the workload and prints its record, and nothing else, on
/// standard output. Pure.
[[nodiscard]] std::vector<std::string> arguments_of(const Workload& workload);

/// Sets what is overridden, in the settings' own order, in which those that stand for several come first.
/// Throws UsageError, for a name that there is not, too.
void apply_overrides(Settings settings, const std::vector<Override>& overrides);

}  // namespace scalemark::study

#include "study/emulated_provider.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "core/error.h"
#include "filesets/web_generator.h"
#include "study/cluster_lease.h"
#include "study/emulated_run.h"
#include "study/measured_trial.h"
#include "study/point_plan.h"
#include "study/web_workload.h"
#include "testbed/cluster_meter.h"

namespace scalemark::study {
namespace {

constexpr Duration kHealthTimeout = std::chrono::seconds(2);

class EmulatedProvider final : public ClusterProvider {
 public:
  EmulatedProvider(const StudyPlan& plan, std::filesystem::path folder, testbed::Notice notice)
      : lease_(plan.cluster.name), plan_(plan), folder_(std::move(folder)), notice_(std::move(notice)) {
    if (plan_.service == testbed::ServiceKind::web && plan_.cluster.files.empty()) {
      make_files();
    }
    testbed::Cluster::require_machine(cluster_of(plan_, plan_.points().front()));
  }

  ~EmulatedProvider() override {
    try {
      if (cluster_) {
        testbed::Cluster::down(plan_.cluster.name);
      }
    } catch (const std::exception& fault) {
      notice_(fmt::format(
          "the cluster '{}' could not be taken down: {}; 'scalemark testbed down --name {}' tries again",
          plan_.cluster.name, fault.what(), plan_.cluster.name));
    }
  }

  EmulatedProvider(const EmulatedProvider&) = delete;
  EmulatedProvider& operator=(const EmulatedProvider&) = delete;

  Fronts prepare(const PointSetup& point, const std::atomic<bool>& stop) override {
    const testbed::ClusterPlan wanted = cluster_of(plan_, point);
    cluster_.reset();
    cluster_ = testbed::Cluster::up(wanted, [&stop](const std::string&) {
      if (stop) {
        throw RunError("interrupted while the cluster was set up");
      }
    });
    return fronts_of(*cluster_);
  }

  RunRecord run(const Workload& trial, const std::atomic<bool>& stop) override {
    RunRecord record = run_measured({.workload = trial,
                                     .netns = cluster_->topology().client_ns,
                                     .folder = folder_,
                                     .meter = cluster_->meter(),
                                     .description = description_of(cluster_->plan())},
                                    stop);
    void_if_damaged(cluster_->damage(), "", record);
    if (record.verdict.status != Status::pass && record.verdict.status != Status::interrupted) {
      add_dead_nodes(record);
    }
    return record;
  }

 private:
  void make_files() {
    const web::WebPlan& web = web_plan(*plan_.workload);
    const filesets::WebFilesPlan files{
        .out = folder_ / "files",
        .directories = plan_.directories != 0 ? plan_.directories : web.effective_directories(),
        .seed = web.files_seed,
        .threads = 0};
    notice_(fmt::format("making the file set in {}: {} directories", files.out.string(), files.directories));
    static const std::atomic<bool> never{false};
    (void)filesets::generate_web_files(files, {}, never);
    plan_.cluster.files = files.out.string();
  }

  /// What a trial met with may be a node that has died: that is for the record to say.
  void add_dead_nodes(RunRecord& record) const {
    for (std::uint32_t number = 1; number <= cluster_->plan().nodes; ++number) {
      if (const std::string complaint = cluster_->ask_node(number, kHealthTimeout); !complaint.empty()) {
        record.verdict.reasons.insert(record.verdict.reasons.begin(),
                                      fmt::format("node n{} does not serve: {}", number, complaint));
      }
    }
  }

  ClusterLease lease_;  // first: given back last
  StudyPlan plan_;
  std::filesystem::path folder_;
  testbed::Notice notice_;
  std::optional<testbed::Cluster> cluster_;
};

}  // namespace

std::unique_ptr<ClusterProvider> make_emulated_provider(const StudyPlan& plan,
                                                        const std::filesystem::path& folder,
                                                        const testbed::Notice& notice) {
  return std::make_unique<EmulatedProvider>(plan, folder, notice);
}

}  // namespace scalemark::study

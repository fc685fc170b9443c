#include "testbed/cluster_meter.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <iterator>
#include <map>
#include <system_error>
#include <thread>
#include <utility>

#include "core/error.h"
#include "testbed/cpu_time.h"
#include "testbed/dispatcher.h"
#include "testbed/kernel_counters.h"
#include "testbed/netns.h"
#include "testbed/nft_counter.h"
#include "testbed/request_log.h"

namespace scalemark::testbed {
namespace {

/// A file of the kernel's that says something new each time that it is read from its beginning. One below
/// /proc/net goes on speaking of the namespace that it was opened in.
class KernelFile {
 public:
  explicit KernelFile(const std::filesystem::path& path)
      : file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)), error_(file_ < 0 ? errno : 0) {}
  ~KernelFile() {
    if (file_ >= 0) {
      ::close(file_);
    }
  }
  KernelFile(KernelFile&& other) noexcept : file_(std::exchange(other.file_, -1)), error_(other.error_) {}
  KernelFile(const KernelFile&) = delete;
  KernelFile& operator=(const KernelFile&) = delete;
  KernelFile& operator=(KernelFile&&) = delete;

  /// The errno of opening it, or 0.
  [[nodiscard]] int error() const { return error_; }
  /// "" when it cannot be read.
  [[nodiscard]] std::string text() const {
    std::string text;
    std::array<char, 16384> piece{};
    ssize_t got = 1;
    while (file_ >= 0 && got > 0) {
      got = ::pread(file_, piece.data(), piece.size(), static_cast<off_t>(text.size()));
      if (got > 0) {
        text.append(piece.data(), static_cast<std::size_t>(got));
      }
    }
    return text;
  }

 private:
  int file_;
  int error_;
};

KernelFile open_net_dev(const std::string& netns) {
  std::optional<NetnsVisit> visit;
  if (!netns.empty()) {
    visit.emplace(netns);
  }
  // Not /proc/net/dev, which is the main thread's.
  KernelFile file("/proc/thread-self/net/dev");
  if (file.error() != 0) {
    throw RunError("cannot read the network's counters: " + std::generic_category().message(file.error()));
  }
  return file;
}

/// What the switch's port saw, turned round: what came in there was sent by who is behind it.
std::optional<NicCount> nic_behind(const std::map<std::string, NicCount>& ports, const std::string& port) {
  const auto found = ports.find(port);
  if (found == ports.end()) {
    return std::nullopt;
  }
  return NicCount{.sent_bytes = found->second.received_bytes, .received_bytes = found->second.sent_bytes};
}

/// The processor time of a place: its sessions' processes, or its control group where there is one.
class ServiceMeter {
 public:
  ServiceMeter(const std::vector<pid_t>& sessions, const std::filesystem::path& cgroup) {
    for (const pid_t session : sessions) {
      if (session > 0) {
        used_.push_back({session, std::nullopt});
      }
    }
    if (!cgroup.empty()) {
      group_.emplace(cgroup / "cpu.stat");
    }
  }

  void read(const ProcessTimes& table, std::optional<Duration>& cpu, std::optional<QuotaCount>& quota) {
    const GroupStat group = group_ ? parse_group_stat(group_->text()) : GroupStat{};
    quota = group.quota;
    for (Used& one : used_) {
      if (const auto ticks = session_ticks(table, one.session)) {
        // What a process that nobody waits for had used would be gone from the sum with it.
        one.time = std::max(one.time.value_or(Duration::zero()), time_of_ticks(*ticks));
      }
    }
    cpu = group.cpu ? group.cpu : sum();
  }

 private:
  struct Used {
    pid_t session = 0;
    std::optional<Duration> time;  // nothing until it has been seen
  };

  /// Nothing when one of the sessions was never seen.
  [[nodiscard]] std::optional<Duration> sum() const {
    Duration total{};
    for (const Used& one : used_) {
      if (!one.time) {
        return std::nullopt;
      }
      total += *one.time;
    }
    return used_.empty() ? std::nullopt : std::optional(total);
  }

  std::optional<KernelFile> group_;
  std::vector<Used> used_;
};

/// The counters of a node or a proxy.
class PlaceMeter {
 public:
  PlaceMeter(const MeterPlan::Place& place, bool whole_logs)
      : name_(place.name), port_(place.port), service_(place.sessions, place.cgroup) {
    for (const WorkLog& log : place.logs) {
      logs_.emplace_back(log.path, log.format, whole_logs);
    }
  }

  [[nodiscard]] NodeSample sample(const std::map<std::string, NicCount>& ports, const ProcessTimes& table) {
    NodeSample sample;
    sample.name = name_;
    sample.nic = nic_behind(ports, port_);
    sample.requests = requests();
    service_.read(table, sample.cpu, sample.quota);
    return sample;
  }

 private:
  /// Of all logs; nothing when one of them cannot be read.
  std::optional<RequestCount> requests() {
    RequestCount sum;
    bool all = !logs_.empty();
    for (RequestLog& log : logs_) {
      const auto count = log.read();
      all = all && count;
      sum.requests += count ? count->requests : 0;
      sum.bytes += count ? count->bytes : 0;
    }
    return all ? std::optional(sum) : std::nullopt;
  }

  std::string name_;
  std::string port_;
  std::vector<RequestLog> logs_;
  ServiceMeter service_;
};

}  // namespace

class ClusterMeter::Parts {
 public:
  explicit Parts(const MeterPlan& plan) : plan_(plan), net_dev_(open_net_dev(plan.switch_netns)) {
    check_ports();
    household_.roots = plan.own.empty() ? std::vector<pid_t>{::getpid()} : plan.own;
    add_sessions(plan.shared);
    for (const MeterPlan::Place& node : plan.nodes) {
      add_sessions(node.sessions);
      nodes_.emplace_back(node, plan.whole_logs);
    }
    for (const MeterPlan::Place& proxy : plan.proxies) {
      add_sessions(proxy.sessions);
      proxies_.emplace_back(proxy, plan.whole_logs);
    }
    if (plan.router) {
      add_sessions({plan.router->session});
      router_.emplace(std::vector{plan.router->session}, plan.router->cgroup);
      if (!plan.router->counter_netns.empty()) {
        counter_.emplace(plan.router->counter_netns, kDispatchTable, kDispatchCounter);
      }
    }
    before_ = process_times();
  }

  ClusterSnapshot snapshot() {
    ClusterSnapshot snapshot;
    snapshot.at = SteadyClock().now();
    const auto ports = parse_net_dev(net_dev_.text());
    ProcessTimes table = process_times();
    for (PlaceMeter& node : nodes_) {
      snapshot.nodes.push_back(node.sample(ports, table));
    }
    for (PlaceMeter& proxy : proxies_) {
      snapshot.proxies.push_back(proxy.sample(ports, table));
    }
    if (router_) {
      snapshot.router.emplace();
      snapshot.router->nic = nic_behind(ports, plan_.router->port);
      snapshot.router->forwarded_packets = counter_ ? counter_->packets() : std::nullopt;
      router_->read(table, snapshot.router->cpu, snapshot.router->quota);
    }
    snapshot.client = nic_behind(ports, plan_.client_port);
    snapshot.machine = machine(std::move(table));
    return snapshot;
  }

 private:
  void add_sessions(const std::vector<pid_t>& sessions) {
    std::copy_if(sessions.begin(), sessions.end(), std::back_inserter(household_.sessions),
                 [](pid_t session) { return session > 0; });
  }

  void check_ports() const {
    const auto ports = parse_net_dev(net_dev_.text());
    std::vector<std::string> wanted{plan_.client_port};
    for (const auto* places : {&plan_.nodes, &plan_.proxies}) {
      for (const MeterPlan::Place& place : *places) {
        wanted.push_back(place.port);
      }
    }
    wanted.push_back(plan_.router ? plan_.router->port : "");
    for (const std::string& port : wanted) {
      if (!port.empty() && !ports.contains(port)) {
        throw RunError(
            fmt::format("the switch '{}' has no port '{}'; is the cluster up?", plan_.switch_netns, port));
      }
    }
  }

  std::optional<MachineSample> machine(ProcessTimes table) {
    foreign_ += foreign_ticks(before_, table, household_);
    before_ = std::move(table);
    const auto ticks = parse_processor_ticks(stat_.text());
    if (!ticks) {
      return std::nullopt;
    }
    const auto processors = static_cast<unsigned>(::sysconf(_SC_NPROCESSORS_ONLN));
    // Not the kernel's own sum of busy time: it looks only at every tick, and work that keeps to a grid of
    // its own falls between the ticks. Idle time is rounded, so what is left of the time may seem to go back
    // by a tick.
    busy_ = std::max(busy_, SteadyClock().now().time_since_epoch() * processors - time_of_ticks(ticks->idle) -
                                time_of_ticks(ticks->stolen));
    return MachineSample{.processors = processors,
                         .busy = busy_,
                         .stolen = time_of_ticks(ticks->stolen),
                         .foreign = time_of_ticks(foreign_)};
  }

  MeterPlan plan_;
  KernelFile net_dev_;
  KernelFile stat_{"/proc/stat"};
  Household household_;
  Duration busy_ = Duration::min();
  std::vector<PlaceMeter> nodes_;
  std::vector<PlaceMeter> proxies_;
  std::optional<ServiceMeter> router_;
  std::optional<NftCounter> counter_;
  ProcessTimes before_;
  std::uint64_t foreign_ = 0;  // ticks since the meter was made
};

ClusterMeter::ClusterMeter(const MeterPlan& plan) : parts_(std::make_unique<Parts>(plan)) {}
ClusterMeter::~ClusterMeter() = default;
ClusterMeter::ClusterMeter(ClusterMeter&& other) noexcept = default;
ClusterMeter& ClusterMeter::operator=(ClusterMeter&& other) noexcept = default;

ClusterSnapshot ClusterMeter::snapshot() {
  return parts_->snapshot();
}

ClusterSnapshot ClusterMeter::settled_snapshot() {
  std::this_thread::sleep_for(kLogDelay);
  return parts_->snapshot();
}

}  // namespace scalemark::testbed

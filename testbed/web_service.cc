#include "testbed/web_service.h"

#include <csignal>

#include "core/error.h"
#include "testbed/cluster_state.h"
#include "testbed/health.h"

namespace scalemark::testbed {
namespace {

constexpr std::uint16_t kPort = 80;

class WebService final : public Service {
 public:
  explicit WebService(const ClusterPlan& plan) : plan_(plan) {}

  [[nodiscard]] std::vector<std::uint16_t> ports() const override { return {kPort}; }

  [[nodiscard]] std::vector<std::string> missing() const override {
    try {
      static_cast<void>(server_program(plan_.server));
      return {};
    } catch (const RunError& error) {
      return {error.what()};
    }
  }

  [[nodiscard]] bool can_grow() const override { return true; }

  [[nodiscard]] int good_ending() const override {
    // nginx ends its open connections in good order on this signal only.
    return plan_.server == ServerKind::nginx ? SIGQUIT : SIGTERM;
  }

  [[nodiscard]] std::vector<ServiceProcess> of_node(const NodePlace& node) const override {
    return {{node.name,
             setup_node(plan_.server, node, folder_of(node), plan_.files, server_program(plan_.server))}};
  }

  [[nodiscard]] std::vector<WorkLog> work_logs(const NodePlace& node) const override {
    const ServiceSetup setup = setup_node(plan_.server, node, folder_of(node), plan_.files, "");
    return {{setup.access_log, setup.log_format}};
  }

  [[nodiscard]] std::string ask_node(const std::string& from, const NodePlace& node,
                                     Duration timeout) const override {
    return ask(from, node.address, timeout);
  }

  [[nodiscard]] std::string ask_front(const std::string& from, const std::string& address,
                                      unsigned /*turn: the router's own turns do it*/,
                                      Duration timeout) const override {
    return ask(from, address, timeout);
  }

 private:
  [[nodiscard]] std::filesystem::path folder_of(const NodePlace& node) const {
    return cluster_folder(plan_.name) / node.name;
  }

  [[nodiscard]] std::string ask(const std::string& from, const std::string& address, Duration timeout) const {
    return get(from, address, kPort, health_path(plan_.files), timeout).complaint();
  }

  ClusterPlan plan_;
};

}  // namespace

std::unique_ptr<Service> make_web_service(const ClusterPlan& plan) {
  return std::make_unique<WebService>(plan);
}

}  // namespace scalemark::testbed

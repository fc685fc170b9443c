// A service of several parts for tests of clusters: two servers on each node and each proxy, one at either of
// mail's ports, and a process of the cluster as a whole. All answer HTTP, so that a test can ask them simply.
//
// Belongs to one thread; what it notes down is for the test that made it.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "testbed/service.h"

namespace scalemark::e2e {

/// What happened to the services that one maker made.
struct ServiceDiary {
  std::vector<std::string> settled;  ///< the fronts at the last settle()
  bool capped_at_settling = false;   ///< whether any control group had a quota then
  bool db_before_places = true;      ///< whether after_shared() had ended before each before_place()
  unsigned places = 0;               ///< calls of before_place()
};

class TwoPortService final : public testbed::Service {
 public:
  /// Serves `files`. Its folder outside of the cluster's is `outside`/sm-NAME.
  TwoPortService(const testbed::ClusterPlan& plan, std::filesystem::path files, std::filesystem::path outside,
                 std::shared_ptr<ServiceDiary> diary);

  [[nodiscard]] std::vector<std::uint16_t> ports() const override { return {25, 110}; }
  [[nodiscard]] std::vector<std::string> missing() const override { return {}; }
  [[nodiscard]] bool can_grow() const override { return false; }
  [[nodiscard]] int good_ending() const override;
  [[nodiscard]] std::vector<std::filesystem::path> folders() const override;
  [[nodiscard]] std::vector<testbed::ServiceProcess> shared() const override;
  void before_shared() override;
  void after_shared() override;
  void before_place(const testbed::NodePlace& place) override;
  [[nodiscard]] std::vector<testbed::ServiceProcess> of_node(const testbed::NodePlace& node) const override;
  [[nodiscard]] std::vector<testbed::ServiceProcess> of_proxy(const testbed::NodePlace& proxy) const override;
  [[nodiscard]] std::vector<testbed::WorkLog> work_logs(const testbed::NodePlace& node) const override;
  [[nodiscard]] std::string ask_node(const std::string& from, const testbed::NodePlace& node,
                                     Duration timeout) const override;
  [[nodiscard]] std::string ask_front(const std::string& from, const std::string& address, unsigned turn,
                                      Duration timeout) const override;
  void settle(const std::string& from, const std::vector<std::string>& fronts) override;

  /// The log of what is at one of the ports of a place: "n1", 25.
  [[nodiscard]] std::filesystem::path log_of(const std::string& place, std::uint16_t port) const;

 private:
  [[nodiscard]] testbed::ServiceProcess server(const testbed::NodePlace& place, std::uint16_t port) const;
  [[nodiscard]] std::string ask(const std::string& from, const std::string& address, Duration timeout) const;

  testbed::ClusterPlan plan_;
  std::filesystem::path files_;
  std::filesystem::path outside_;
  std::shared_ptr<ServiceDiary> diary_;
};

}  // namespace scalemark::e2e

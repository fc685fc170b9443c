#include "testbed/mail_service.h"

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <utility>

#include "core/run_record.h"
#include "testbed/dovecot_node.h"
#include "testbed/mail_accounts.h"
#include "testbed/mail_database.h"
#include "testbed/mail_health.h"
#include "testbed/mail_needs.h"
#include "testbed/mail_paths.h"
#include "testbed/mail_proxy_dovecot.h"
#include "testbed/mail_proxy_nginx.h"
#include "testbed/mail_settle.h"
#include "testbed/postfix_node.h"

namespace scalemark::testbed {
namespace {

constexpr Duration kDatabasePatience = std::chrono::seconds(15);
constexpr Duration kOneMailbox = std::chrono::seconds(30);
constexpr unsigned kSettleAtOnce = 64;

class MailService final : public Service {
 public:
  explicit MailService(ClusterPlan plan) : plan_(std::move(plan)), mailboxes_(all_mailboxes(plan_)) {}

  [[nodiscard]] std::vector<std::uint16_t> ports() const override { return {25, 110}; }
  [[nodiscard]] std::vector<std::string> missing() const override { return mail_missing(plan_); }
  /// The map says where a mailbox is; with another number of nodes all of it changes.
  [[nodiscard]] bool can_grow() const override { return false; }
  [[nodiscard]] int good_ending() const override { return SIGTERM; }

  [[nodiscard]] std::vector<std::filesystem::path> folders() const override {
    const auto data = mail_data_root(plan_);
    return data.empty() ? std::vector<std::filesystem::path>{} : std::vector{data};
  }

  [[nodiscard]] std::vector<ServiceProcess> shared() const override {
    if (!has_map()) {
      return {};
    }
    return {{"db", setup_mail_database(plan_, postgres_programs())}};
  }

  void before_shared() override {
    write_file(accounts_file(plan_.name), accounts_text(plan_));
    if (has_map()) {
      make_mail_database(plan_, postgres_programs());
    }
  }

  void after_shared() override {
    if (has_map()) {
      fill_mail_database(plan_, mailboxes_, kDatabasePatience);
    }
  }

  void before_place(const NodePlace& place) override {
    if (is_node(place)) {
      own_postfix_node(plan_, place);
    } else if (plan_.mail.proxy == ProxyKind::dovecot) {
      own_postfix_gateway(plan_, place);
    }
  }

  [[nodiscard]] std::vector<ServiceProcess> of_node(const NodePlace& node) const override {
    return {{node.name + ".dovecot", setup_dovecot_node(plan_, node, mailboxes_, find_program("dovecot"))},
            {node.name + ".postfix", setup_postfix_node(plan_, node, mailboxes_)}};
  }

  [[nodiscard]] std::vector<ServiceProcess> of_proxy(const NodePlace& proxy) const override {
    switch (plan_.mail.proxy) {
      case ProxyKind::none:
        return {};
      case ProxyKind::nginx:
        return {{proxy.name + ".map", setup_mail_map(plan_, proxy, server_program(ServerKind::builtin))},
                {proxy.name + ".nginx", setup_nginx_mail_proxy(plan_, proxy, find_program("nginx"))}};
      case ProxyKind::dovecot:
        return {{proxy.name + ".dovecot", setup_dovecot_proxy(plan_, proxy, find_program("dovecot"))},
                {proxy.name + ".postfix", setup_postfix_gateway(plan_, proxy)}};
    }
    return {};
  }

  [[nodiscard]] std::vector<WorkLog> work_logs(const NodePlace& node) const override {
    return {{postfix_log(mail_folder(plan_, node.name)), LogFormat::postfix}};
  }

  [[nodiscard]] std::string ask_node(const std::string& from, const NodePlace& node,
                                     Duration timeout) const override {
    return check_mailbox(check_of({from, node.address}, health_mailbox(plan_, node.number)), timeout);
  }

  [[nodiscard]] std::string ask_front(const std::string& from, const std::string& address, unsigned turn,
                                      Duration timeout) const override {
    return check_mailbox(
        check_of({from, address}, health_mailbox(plan_, node_behind(address, turn % plan_.nodes + 1))),
        timeout);
  }

  void settle(const std::string& from, const std::vector<std::string>& fronts) override {
    std::vector<MailCheck> checks;
    for (const MailAccount& mailbox : mailboxes_) {
      if (plan_.mail.proxy == ProxyKind::none) {
        checks.push_back(check_of({from, topology_.node(mailbox.node).address}, mailbox));
        continue;
      }
      for (const std::string& front : fronts) {
        checks.push_back(check_of({from, front}, mailbox));
      }
    }
    settle_mailboxes(checks, std::min(kSettleAtOnce, plan_.mail.accounts), kOneMailbox);
  }

 private:
  [[nodiscard]] bool has_map() const { return plan_.mail.proxy != ProxyKind::none; }
  [[nodiscard]] static bool is_node(const NodePlace& place) { return place.name.starts_with('n'); }

  /// Without a proxy an address is that of one node; else the proxy finds any.
  [[nodiscard]] unsigned node_behind(const std::string& address, unsigned otherwise) const {
    for (unsigned node = 1; node <= plan_.nodes; ++node) {
      if (topology_.node(node).address == address) {
        return node;
      }
    }
    return otherwise;
  }

  [[nodiscard]] MailCheck check_of(MailDoor door, const MailAccount& mailbox) const {
    return {std::move(door), mailbox, mail_host_name(plan_, topology_.node(mailbox.node).name)};
  }

  ClusterPlan plan_;
  Topology topology_ = topology_of(plan_.name);
  std::vector<MailAccount> mailboxes_;
};

}  // namespace

std::unique_ptr<Service> make_mail_service(const ClusterPlan& plan) {
  return std::make_unique<MailService>(plan);
}

}  // namespace scalemark::testbed

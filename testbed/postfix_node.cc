#include "testbed/postfix_node.h"

#include <fmt/format.h>

#include "testbed/dovecot_node.h"
#include "testbed/mail_paths.h"

namespace scalemark::testbed {
namespace {

std::string transport(const ClusterPlan& plan, const NodePlace& node) {
  return plan.mail.delivery == Delivery::lmtp ? "lmtp:unix:" + lmtp_socket(plan, node).string() : "virtual";
}

std::string settings(const ClusterPlan& plan, const NodePlace& node) {
  return fmt::format(
      R"(
virtual_mailbox_domains = {domain}
virtual_mailbox_maps = texthash:{conf}/mailboxes
virtual_mailbox_base = {data}/mail
virtual_uid_maps = static:{user}
virtual_gid_maps = static:{user}
virtual_mailbox_limit = 0
virtual_transport = {transport}
initial_destination_concurrency = 20
)",
      fmt::arg("domain", plan.mail.domain),
      fmt::arg("conf", postfix_configuration(mail_folder(plan, node.name)).string()),
      fmt::arg("data", mail_data_folder(plan, node.name).string()), fmt::arg("user", kMailboxUser),
      fmt::arg("transport", transport(plan, node)));
}

/// Address and Maildir of each mailbox of the node.
std::string mailbox_map(const NodePlace& node, const std::vector<MailAccount>& mailboxes) {
  std::string text;
  for (const MailAccount& mailbox : mailboxes) {
    if (mailbox.node == node.number) {
      text += fmt::format("{} {}/\n", mailbox.address, maildir_of(mailbox).string());
    }
  }
  return text;
}

}  // namespace

ServiceSetup setup_postfix_node(const ClusterPlan& plan, const NodePlace& node,
                                const std::vector<MailAccount>& mailboxes) {
  const auto data = mail_data_folder(plan, node.name);
  ServiceSetup setup = setup_postfix({.folder = mail_folder(plan, node.name),
                                      .data = data,
                                      .host_name = mail_host_name(plan, node.name),
                                      .sessions = plan.mail.accounts,
                                      .settings = settings(plan, node),
                                      .maps = {{"mailboxes", mailbox_map(node, mailboxes)}}});
  setup.folders.push_back(data / "mail");
  return setup;
}

void own_postfix_node(const ClusterPlan& plan, const NodePlace& node) {
  const auto data = mail_data_folder(plan, node.name);
  own_postfix_folders(data);
  const std::string user = std::to_string(kMailboxUser);
  give_folder(data / "mail", user, user, 0700);
}

}  // namespace scalemark::testbed

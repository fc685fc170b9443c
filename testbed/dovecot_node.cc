#include "testbed/dovecot_node.h"

#include <fmt/format.h>

#include "testbed/mail_paths.h"

namespace scalemark::testbed {
namespace {

std::string settings(const ClusterPlan& plan, const std::filesystem::path& users) {
  const bool lmtp = plan.mail.delivery == Delivery::lmtp;
  return fmt::format(
             R"(auth_cache_size = 10M
auth_cache_ttl = 1 h
mail_location = maildir:~/Maildir
maildir_very_dirty_syncs = yes
first_valid_uid = {user}
passdb {{
  driver = passwd-file
  args = scheme=PLAIN username_format=%u {users}
}}
userdb {{
  driver = passwd-file
  args = username_format=%u {users}
}}
protocol pop3 {{
  mail_max_userip_connections = 0
}}
service pop3 {{
  service_count = 0
  client_limit = 1
  process_limit = {sessions}
}}
)",
             fmt::arg("user", kMailboxUser), fmt::arg("users", users.string()),
             fmt::arg("sessions", dovecot_sessions(plan.mail.accounts))) +
         (lmtp ? "service lmtp {\n"
                 "  process_min_avail = 2\n"
                 "  unix_listener lmtp {\n"
                 "    mode = 0666\n"
                 "  }\n"
                 "}\n"
               : "");
}

std::string users(const ClusterPlan& plan, const NodePlace& node, const std::vector<MailAccount>& mailboxes) {
  const auto mail = mail_data_folder(plan, node.name) / "mail";
  std::string text;
  for (const MailAccount& mailbox : mailboxes) {
    if (mailbox.node == node.number) {
      text += fmt::format("{}:{{PLAIN}}{}:{}:{}::{}::\n", mailbox.address, mailbox.password, kMailboxUser,
                          kMailboxUser, (mail / maildir_of(mailbox).parent_path()).string());
    }
  }
  return text;
}

}  // namespace

ServiceSetup setup_dovecot_node(const ClusterPlan& plan, const NodePlace& node,
                                const std::vector<MailAccount>& mailboxes,
                                const std::filesystem::path& program) {
  const auto folder = mail_folder(plan, node.name);
  return setup_dovecot({.folder = folder,
                        .name = fmt::format("{}-{}", plan.name, node.name),
                        .host_name = mail_host_name(plan, node.name),
                        .protocols = plan.mail.delivery == Delivery::lmtp ? "pop3 lmtp" : "pop3",
                        .users = plan.mail.accounts,
                        .settings = settings(plan, dovecot_configuration(folder) / "users"),
                        .files = {{"users", users(plan, node, mailboxes)}}},
                       program);
}

std::filesystem::path lmtp_socket(const ClusterPlan& plan, const NodePlace& node) {
  return dovecot_run_folder(mail_folder(plan, node.name)) / "lmtp";
}

std::filesystem::path maildir_of(const MailAccount& mailbox) {
  return std::filesystem::path(mailbox.address.substr(0, mailbox.address.find('@'))) / "Maildir";
}

}  // namespace scalemark::testbed

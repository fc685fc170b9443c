#include "testbed/mail_proxy_dovecot.h"

#include <fmt/format.h>

#include "testbed/dovecot_instance.h"
#include "testbed/mail_accounts.h"
#include "testbed/mail_database.h"
#include "testbed/mail_paths.h"
#include "testbed/postfix_instance.h"

namespace scalemark::testbed {
namespace {

// No cache of answers: every login asks the map, as it does through the other front. What a failed look-up
// says to the client is "temporary", so nothing else of it is to be remembered either.
std::string dovecot_settings(const std::filesystem::path& map) {
  return fmt::format(
      R"(auth_cache_size = 0
passdb {{
  driver = sql
  args = {map}
}}
userdb {{
  driver = static
  args = uid={user} gid={user} home=/nonexistent
}}
)",
      fmt::arg("map", map.string()), fmt::arg("user", kMailboxUser));
}

std::string dovecot_map(const ClusterPlan& plan) {
  return fmt::format(
      R"(driver = pgsql
connect = {database}
default_pass_scheme = PLAIN
password_query = SELECT password, host(node) AS host, 'Y' AS proxy, '110' AS port FROM mailboxes WHERE name = '%u'
)",
      fmt::arg("database", mail_map_database(plan)));
}

std::string gateway_settings(const ClusterPlan& plan, const std::filesystem::path& conf) {
  return fmt::format(
      R"(
relay_domains = {domain}
relay_recipient_maps = proxy:pgsql:{conf}/recipients.cf
transport_maps = proxy:pgsql:{conf}/transport.cf
default_destination_concurrency_limit = 100
initial_destination_concurrency = 20
)",
      fmt::arg("domain", plan.mail.domain), fmt::arg("conf", conf.string()));
}

/// A Postfix map: what `answer` says of the mailbox of that address.
std::string postfix_map(const ClusterPlan& plan, const char* answer) {
  // The URI says everything; "dbname" and "user" beside it are asked for, but not looked at.
  return fmt::format(
      "hosts = postgresql:///mail?host={}&port={}&user=mailmap\n"
      "dbname = mail\n"
      "user = mailmap\n"
      "domain = {}\n"
      "query = SELECT {} FROM mailboxes WHERE name = '%s'\n",
      mail_database_socket(plan).string(), kMailDatabasePort, plan.mail.domain, answer);
}

}  // namespace

ServiceSetup setup_dovecot_proxy(const ClusterPlan& plan, const NodePlace& proxy,
                                 const std::filesystem::path& program) {
  const auto folder = mail_folder(plan, proxy.name);
  return setup_dovecot({.folder = folder,
                        .name = fmt::format("{}-{}", plan.name, proxy.name),
                        .host_name = mail_host_name(plan, proxy.name),
                        .protocols = "pop3",
                        .users = plan.mail.accounts,
                        .settings = dovecot_settings(dovecot_configuration(folder) / "map.conf"),
                        .files = {{"map.conf", dovecot_map(plan)}}},
                       program);
}

ServiceSetup setup_postfix_gateway(const ClusterPlan& plan, const NodePlace& proxy) {
  const auto folder = mail_folder(plan, proxy.name);
  return setup_postfix({.folder = folder,
                        .data = mail_data_folder(plan, proxy.name),
                        .host_name = mail_host_name(plan, proxy.name),
                        .sessions = plan.mail.accounts,
                        .settings = gateway_settings(plan, postfix_configuration(folder)),
                        .maps = {{"recipients.cf", postfix_map(plan, "name")},
                                 {"transport.cf", postfix_map(plan, "'smtp:[' || host(node) || ']:25'")}}});
}

void own_postfix_gateway(const ClusterPlan& plan, const NodePlace& proxy) {
  own_postfix_folders(mail_data_folder(plan, proxy.name));
}

}  // namespace scalemark::testbed

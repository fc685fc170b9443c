#include "testbed/dovecot_instance.h"

#include <fmt/format.h>

#include <algorithm>

namespace scalemark::testbed {
namespace {

namespace fs = std::filesystem;

// A client's next session may begin while the last is still ending.
constexpr std::uint32_t kSessionsOfOne = 2;
constexpr std::uint32_t kLeastSessions = 512;
constexpr std::uint32_t kMostSessions = 4000;

// Every limit that a benchmark meets before the machine's is raised; docs/testbed-mail.md says why for each.
std::string configuration(const DovecotInstance& instance) {
  return fmt::format(
      R"(# Written by scalemark for one place of an emulated cluster.
base_dir = {run}
state_dir = {conf}
instance_name = {name}
hostname = {host}
protocols = {protocols}
listen = 0.0.0.0
log_path = {folder}/dovecot-errors.log
info_log_path = {log}
ssl = no
disable_plaintext_auth = no
auth_mechanisms = plain login
auth_failure_delay = 0
# All logins that come through a proxy have one address.
login_trusted_networks = 10.0.0.0/8
default_client_limit = 4096
default_process_limit = {sessions}
default_idle_kill = 1 h
service anvil {{
  client_limit = 8192
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
service auth {{
  client_limit = 8192
}}
service pop3-login {{
  service_count = 0
  process_min_avail = 1
  process_limit = 1
  client_limit = 4096
  inet_listener pop3 {{
    port = 110
  }}
  inet_listener pop3s {{
    port = 0
  }}
}}
{settings})",
      fmt::arg("run", dovecot_run_folder(instance.folder).string()),
      fmt::arg("conf", dovecot_configuration(instance.folder).string()), fmt::arg("name", instance.name),
      fmt::arg("host", instance.host_name), fmt::arg("protocols", instance.protocols),
      fmt::arg("folder", instance.folder.string()), fmt::arg("log", dovecot_log(instance.folder).string()),
      fmt::arg("sessions", dovecot_sessions(instance.users)), fmt::arg("settings", instance.settings));
}

}  // namespace

std::uint32_t dovecot_sessions(std::uint32_t users) {
  return std::clamp(users * kSessionsOfOne, kLeastSessions, kMostSessions);
}

fs::path dovecot_configuration(const fs::path& folder) {
  return folder / "dovecot";
}

fs::path dovecot_run_folder(const fs::path& folder) {
  return folder / "run";
}

fs::path dovecot_log(const fs::path& folder) {
  return folder / "dovecot.log";
}

ServiceSetup setup_dovecot(const DovecotInstance& instance, const fs::path& program) {
  const fs::path conf = dovecot_configuration(instance.folder);
  ServiceSetup setup;
  setup.folders = {instance.folder, conf, dovecot_run_folder(instance.folder)};
  setup.files = {{conf / "dovecot.conf", configuration(instance)}};
  for (const auto& [name, text] : instance.files) {
    setup.files.emplace_back(conf / name, text);
  }
  setup.argv = {program, "-F", "-c", conf / "dovecot.conf"};
  setup.log = instance.folder / "dovecot-output.log";
  setup.error_log = instance.folder / "dovecot-errors.log";
  return setup;
}

}  // namespace scalemark::testbed

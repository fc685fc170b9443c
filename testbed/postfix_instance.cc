#include "testbed/postfix_instance.h"

#include <fmt/format.h>
#include <sys/types.h>

#include <algorithm>

#include "testbed/mail_paths.h"

namespace scalemark::testbed {
namespace {

namespace fs = std::filesystem;

struct QueueFolder {
  const char* name;
  const char* user;
  const char* group;
  mode_t mode;
};

// As Postfix's own list says (postfix-files, $queue_directory).
constexpr QueueFolder kQueueFolders[] = {
    {"active", "postfix", "root", 0700},     {"bounce", "postfix", "root", 0700},
    {"corrupt", "postfix", "root", 0700},    {"defer", "postfix", "root", 0700},
    {"deferred", "postfix", "root", 0700},   {"flush", "postfix", "root", 0700},
    {"hold", "postfix", "root", 0700},       {"incoming", "postfix", "root", 0700},
    {"private", "postfix", "root", 0700},    {"maildrop", "postfix", "postdrop", 0730},
    {"public", "postfix", "postdrop", 0710}, {"pid", "root", "root", 0755},
    {"saved", "postfix", "root", 0700},      {"trace", "postfix", "root", 0700},
};

constexpr std::uint32_t kLeastProcesses = 200;
constexpr std::uint32_t kMostProcesses = 4000;
constexpr std::uint32_t kReserve = 50;  // what a Postfix runs beside its sessions

// Every limit that a benchmark meets before the machine's is raised; docs/testbed-mail.md says why for each.
std::string main_cf(const PostfixInstance& instance) {
  const fs::path conf = postfix_configuration(instance.folder);
  return fmt::format(
      R"(# Written by scalemark for one place of an emulated cluster.
compatibility_level = 3.6
queue_directory = {data}/queue
data_directory = {data}/state
daemon_directory = /usr/lib/postfix/sbin
command_directory = /usr/sbin
shlib_directory = /usr/lib/postfix
meta_directory = {conf}
mail_owner = postfix
setgid_group = postdrop
maillog_file = {log}
maillog_file_prefixes = {folder}

myhostname = {host}
mydestination =
alias_maps =
alias_database =
local_recipient_maps =
notify_classes =
append_dot_mydomain = no
biff = no

# Every address of the place: a direct-return router does not change the one that clients use.
inet_interfaces = all
inet_protocols = ipv4
# Mail for the cluster's own domain and for no other: there is nowhere else to send it.
smtpd_relay_restrictions = reject_unauth_destination
smtpd_tls_security_level = none
smtp_tls_security_level = none
smtputf8_enable = no

# There is no name server in the cluster's network.
disable_dns_lookups = yes
smtpd_peername_lookup = no

# One client address stands for all users.
smtpd_client_connection_count_limit = 0
smtpd_client_connection_rate_limit = 0
smtpd_client_message_rate_limit = 0
smtpd_client_recipient_rate_limit = 0
smtpd_client_event_limit_exceptions = static:all
smtpd_error_sleep_time = 0
smtpd_soft_error_limit = 1000
smtpd_hard_error_limit = 10000
in_flow_delay = 0

# Processes for all sessions at once, which then stay.
default_process_limit = {processes}
max_use = 1000
max_idle = 3600s

# What could not be delivered is tried again within seconds, not within minutes.
queue_run_delay = 5s
minimal_backoff_time = 5s
maximal_backoff_time = 30s
{settings})",
      fmt::arg("data", instance.data.string()), fmt::arg("conf", conf.string()),
      fmt::arg("log", postfix_log(instance.folder).string()), fmt::arg("folder", instance.folder.string()),
      fmt::arg("host", instance.host_name),
      fmt::arg("processes", std::clamp(instance.sessions + kReserve, kLeastProcesses, kMostProcesses)),
      fmt::arg("settings", instance.settings));
}

// Debian's, without what takes in mail from local programs, and nothing in a chroot.
constexpr const char* kMasterCf = R"(# service type private unpriv chroot wakeup maxproc command
smtp       inet       n - n - - smtpd
cleanup    unix       n - n - 0 cleanup
qmgr       unix       n - n 300 1 qmgr
rewrite    unix       - - n - - trivial-rewrite
bounce     unix       - - n - 0 bounce
defer      unix       - - n - 0 bounce
trace      unix       - - n - 0 bounce
verify     unix       - - n - 1 verify
flush      unix       n - n 1000? 0 flush
proxymap   unix       - - n - 20 proxymap
proxywrite unix       - - n - 1 proxymap
smtp       unix       - - n - - smtp
relay      unix       - - n - - smtp
showq      unix       n - n - - showq
error      unix       - - n - - error
retry      unix       - - n - - error
discard    unix       - - n - - discard
virtual    unix       - n n - - virtual
lmtp       unix       - - n - - lmtp
anvil      unix       - - n - 1 anvil
scache     unix       - - n - 1 scache
postlog    unix-dgram n - n - 1 postlogd
)";

// Where the programs find PostgreSQL's maps; the distribution's list is in its configuration's folder.
constexpr const char* kDynamicMaps = "pgsql postfix-pgsql.so dict_pgsql_open\n";

}  // namespace

fs::path postfix_configuration(const fs::path& folder) {
  return folder / "postfix";
}

fs::path postfix_log(const fs::path& folder) {
  return folder / "postfix.log";
}

ServiceSetup setup_postfix(const PostfixInstance& instance) {
  const fs::path conf = postfix_configuration(instance.folder);
  ServiceSetup setup;
  setup.folders = {instance.folder, conf, instance.data, instance.data / "state", instance.data / "queue"};
  for (const QueueFolder& folder : kQueueFolders) {
    setup.folders.push_back(instance.data / "queue" / folder.name);
  }
  setup.files = {{conf / "main.cf", main_cf(instance)},
                 {conf / "master.cf", kMasterCf},
                 {conf / "dynamicmaps.cf", kDynamicMaps}};
  for (const auto& [name, text] : instance.maps) {
    setup.files.emplace_back(conf / name, text);
  }
  setup.argv = {kPostfixMaster, "-c", conf};
  setup.log = instance.folder / "postfix-output.log";
  setup.error_log = postfix_log(instance.folder);
  return setup;
}

void own_postfix_folders(const fs::path& data) {
  give_folder(data / "state", "postfix", "postfix", 0700);
  for (const QueueFolder& folder : kQueueFolders) {
    give_folder(data / "queue" / folder.name, folder.user, folder.group, folder.mode);
  }
}

}  // namespace scalemark::testbed

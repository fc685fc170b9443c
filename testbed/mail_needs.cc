#include "testbed/mail_needs.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <fstream>

#include "testbed/cluster_state.h"
#include "testbed/mail_database.h"
#include "testbed/mail_proxy_nginx.h"
#include "testbed/postfix_instance.h"
#include "testbed/server.h"

namespace scalemark::testbed {
namespace {

namespace fs = std::filesystem;

bool is_there(const std::string& file) {
  std::error_code ignored;
  return file.starts_with('/') ? fs::exists(file, ignored) : !find_program(file).empty();
}

/// Inside of a user namespace one may be root, too, but of no more users than oneself.
bool is_root_of_all_users() {
  constexpr std::uint64_t kAll = 65'536;
  std::ifstream map("/proc/self/uid_map");
  std::uint64_t inside = 0;
  std::uint64_t outside = 0;
  std::uint64_t count = 0;
  return ::geteuid() == 0 && (!(map >> inside >> outside >> count) || count >= kAll);
}

}  // namespace

std::vector<NeededFile> mail_files(const ClusterPlan& plan) {
  std::vector<NeededFile> files = {
      {kPostfixMaster, "Postfix", "postfix"},
      {"dovecot", "Dovecot", "dovecot-core"},
      {"/usr/lib/dovecot/pop3", "Dovecot's POP3 server", "dovecot-pop3d"},
  };
  if (plan.mail.delivery == Delivery::lmtp) {
    files.push_back({"/usr/lib/dovecot/lmtp", "Dovecot's LMTP server", "dovecot-lmtpd"});
  }
  switch (plan.mail.proxy) {
    case ProxyKind::none:
      break;
    case ProxyKind::nginx:
      files.push_back({"nginx", "nginx", "nginx"});
      files.push_back({kNginxMailModule, "nginx's mail module", "libnginx-mod-mail"});
      break;
    case ProxyKind::dovecot:
      files.push_back({"/usr/lib/dovecot/modules/auth/libdriver_pgsql.so", "Dovecot's way to PostgreSQL",
                       "dovecot-pgsql"});
      files.push_back({"/usr/lib/postfix/postfix-pgsql.so", "Postfix's way to PostgreSQL", "postfix-pgsql"});
      break;
  }
  return files;
}

fs::path closed_folder(const fs::path& path) {
  fs::path walked;
  for (const fs::path& part : path) {
    walked /= part;
    struct stat found {};
    if (::stat(walked.c_str(), &found) == 0 && S_ISDIR(found.st_mode) && (found.st_mode & S_IXOTH) == 0) {
      return walked;
    }
  }
  return {};
}

std::vector<std::string> mail_missing(const ClusterPlan& plan) {
  std::vector<std::string> sentences;
  if (!is_root_of_all_users()) {
    sentences.emplace_back("mail nodes need root: Postfix and Dovecot use several user ids");
  }
  for (const NeededFile& needed : mail_files(plan)) {
    if (!is_there(needed.file)) {
      sentences.push_back(
          fmt::format("there is no {} on this machine; install the package {}", needed.what, needed.package));
    }
  }
  if (plan.mail.proxy != ProxyKind::none && postgres_programs().empty()) {
    sentences.emplace_back("there is no PostgreSQL on this machine; install the package postgresql");
  }
  for (const fs::path& folder : {cluster_folder(plan.name), fs::path(plan.mail.data)}) {
    if (const fs::path closed = closed_folder(folder); !closed.empty()) {
      sentences.push_back(
          fmt::format("the folder '{0}' is closed to the users that mail servers run as; open it with "
                      "'chmod o+x {0}', or name another with --data",
                      closed.string()));
    }
  }
  return sentences;
}

}  // namespace scalemark::testbed

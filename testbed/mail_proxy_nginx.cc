#include "testbed/mail_proxy_nginx.h"

#include <fmt/format.h>

#include "testbed/mail_accounts.h"
#include "testbed/mail_database.h"
#include "testbed/mail_paths.h"

namespace scalemark::testbed {
namespace {

constexpr const char* kMapAddress = "127.0.0.1:9000";

std::string nginx_conf(const ClusterPlan& plan, const NodePlace& proxy, const std::string& dir) {
  return fmt::format(
      R"(# Written by scalemark for one proxy of an emulated cluster.
load_module {module};
user nobody nogroup;
daemon off;
pid "{dir}/nginx.pid";
error_log "{dir}/nginx-errors.log" warn;
worker_processes 1;
worker_rlimit_nofile 16500;

events {{
  worker_connections 8192;  # three for each session: the client's, the node's and the question to the map
}}

mail {{
  server_name {host};
  auth_http {map}/auth;
  auth_http_timeout 10s;
  proxy_pass_error_message on;  # the node's own words to the client
  timeout 60s;
  proxy_timeout 300s;

  server {{
    listen 0.0.0.0:110 backlog=4096;
    protocol pop3;
    pop3_auth plain;
    pop3_capabilities TOP USER UIDL PIPELINING;
    proxy on;
  }}
  server {{
    listen 0.0.0.0:25 backlog=4096;
    protocol smtp;
    smtp_auth none;
    smtp_capabilities PIPELINING 8BITMIME "SIZE 10240000" ENHANCEDSTATUSCODES;
    xclient off;  # one command and one answer less for each message
    proxy on;
  }}
}}
)",
      fmt::arg("module", kNginxMailModule), fmt::arg("dir", dir), fmt::arg("map", kMapAddress),
      fmt::arg("host", mail_host_name(plan, proxy.name)));
}

}  // namespace

ServiceSetup setup_nginx_mail_proxy(const ClusterPlan& plan, const NodePlace& proxy,
                                    const std::filesystem::path& program) {
  const auto dir = mail_folder(plan, proxy.name);
  ServiceSetup setup;
  setup.folders = {dir};
  setup.files = {{dir / "nginx.conf", nginx_conf(plan, proxy, dir)}};
  setup.log = dir / "nginx-output.log";
  setup.error_log = dir / "nginx-errors.log";
  setup.argv = {program, "-p", dir, "-e", setup.error_log, "-c", dir / "nginx.conf"};
  return setup;
}

ServiceSetup setup_mail_map(const ClusterPlan& plan, const NodePlace& proxy,
                            const std::filesystem::path& program) {
  const auto dir = mail_folder(plan, proxy.name);
  ServiceSetup setup;
  setup.folders = {dir};
  setup.log = dir / "mail-map.log";
  setup.error_log = setup.log;
  setup.argv = {program,         "mail-map", "--listen",   kMapAddress, "--database", mail_map_database(plan),
                "--connections", "4",        "--time-out", "2s"};
  return setup;
}

}  // namespace scalemark::testbed

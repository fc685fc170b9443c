#include "testbed/server.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string_view>
#include <system_error>

#include "core/error.h"
#include "core/run_record.h"

namespace scalemark::testbed {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kComplaintLength = 300;

/// Server configurations have their own ideas about these characters, and no way to write all of them.
void check_path(const fs::path& path) {
  const std::string& text = path.native();
  const bool odd = std::any_of(text.begin(), text.end(), [](unsigned char c) {
    return c < ' ' || c == '"' || c == '\\' || c == '$' || c == '\x7f';
  });
  if (odd || !path.is_absolute()) {
    throw UsageError(
        fmt::format("the path '{}' cannot stand in a server's configuration: it must be absolute and without "
                    "quotes, backslashes, dollar signs and control characters; choose another folder",
                    text));
  }
}

// 8,192 connections are more than a node of an emulated cluster ever carries.
std::string nginx_conf(const NodePlace& node, const std::string& dir, const std::string& files) {
  return fmt::format(
      R"(# Written by scalemark for one node of an emulated cluster.
user root;  # of this namespace: it must be able to read the files wherever they lie
daemon off;
pid "{dir}/nginx.pid";
error_log "{dir}/error.log" warn;
worker_processes 1;
worker_rlimit_nofile 16500;

events {{
  worker_connections 8192;
}}

http {{
  log_format counts '$status $bytes_sent';
  # One write for many requests, but soon: counts are read several times a second.
  access_log "{dir}/access.log" counts buffer=16k flush={flush}ms;

  client_body_temp_path "{dir}/tmp";
  proxy_temp_path "{dir}/tmp";
  fastcgi_temp_path "{dir}/tmp";
  uwsgi_temp_path "{dir}/tmp";
  scgi_temp_path "{dir}/tmp";

  default_type application/octet-stream;
  sendfile on;
  tcp_nopush on;
  tcp_nodelay on;
  keepalive_timeout 75s;       # longer than the longest pacing wait of a user (18 s)
  keepalive_requests 1000000;  # the user decides when a connection has carried enough
  open_file_cache max=10000 inactive=600s;
  open_file_cache_valid 600s;

  server {{
    listen 0.0.0.0:80 reuseport backlog=4096;
    root "{files}";
    add_header X-Node {name} always;
  }}
}}
)",
      fmt::arg("dir", dir), fmt::arg("files", files), fmt::arg("name", node.name),
      fmt::arg("flush", std::chrono::floor<std::chrono::milliseconds>(kLogDelay / 2).count()));
}

// A tree of its own: the distribution's /etc/apache2 is neither read nor needed.
std::string apache_conf(const NodePlace& node, const std::string& dir, const std::string& files) {
  return fmt::format(
      R"(# Written by scalemark for one node of an emulated cluster.
ServerRoot "{dir}"
ServerName {name}
DefaultRuntimeDir "{dir}/tmp"
PidFile "{dir}/apache.pid"
Mutex "file:{dir}/tmp" default
LoadModule mpm_event_module {modules}/mod_mpm_event.so
LoadModule authz_core_module {modules}/mod_authz_core.so
LoadModule headers_module {modules}/mod_headers.so
Listen 0.0.0.0:80
ListenBacklog 4096

# One process to begin with, four at most, and about 4,000 connections, most of which wait for their user.
StartServers 1
ServerLimit 4
ThreadLimit 64
ThreadsPerChild 64
MaxRequestWorkers 256
AsyncRequestWorkerFactor 16
MinSpareThreads 64
MaxSpareThreads 256
MaxConnectionsPerChild 0

Timeout 60
KeepAlive On
KeepAliveTimeout 75
MaxKeepAliveRequests 0
EnableSendfile On
HostnameLookups Off
ErrorLog "{dir}/error.log"
LogLevel warn
LogFormat "%>s %O" counts
CustomLog "{dir}/access.log" counts
Header always set X-Node {name}
DocumentRoot "{files}"
<Directory "{files}">
  Require all granted
  Options FollowSymLinks
  AllowOverride None
</Directory>
)",
      fmt::arg("dir", dir), fmt::arg("files", files), fmt::arg("name", node.name),
      fmt::arg("modules", "/usr/lib/apache2/modules"));
}

// Apache refuses to serve as root, and the other users that it could become may not be allowed to read the
// files, or may not exist here. So it gets a user namespace in which it is nobody in particular, while for
// the files it is who it was; then port 80 must be free for everyone, and with it goes nothing, since the
// network is the node's own. It does not raise its own limit of descriptors.
constexpr const char* kApacheStart =
    "echo 0 >/proc/sys/net/ipv4/ip_unprivileged_port_start && ulimit -n \"$(ulimit -Hn)\" && "
    "exec unshare --user -- \"$@\"";

}  // namespace

LogFormat log_format_of(ServerKind kind) {
  return kind == ServerKind::builtin ? LogFormat::builtin : LogFormat::status_and_bytes;
}

ServiceSetup setup_node(ServerKind kind, const NodePlace& node, const fs::path& dir, const fs::path& files,
                        const fs::path& program) {
  check_path(dir);
  check_path(files);
  ServiceSetup setup;
  setup.folders = {dir, dir / "tmp"};
  setup.access_log = dir / "access.log";
  setup.log_format = log_format_of(kind);
  setup.log = dir / "output.log";
  setup.error_log = dir / "error.log";
  switch (kind) {
    case ServerKind::nginx:
      setup.files = {{dir / "nginx.conf", nginx_conf(node, dir, files)}};
      // -e: what it complains about before it has read its configuration.
      setup.argv = {program, "-p", dir, "-e", setup.error_log, "-c", dir / "nginx.conf"};
      break;
    case ServerKind::apache:
      setup.files = {{dir / "apache.conf", apache_conf(node, dir, files)}};
      setup.argv = {"/bin/sh", "-c", kApacheStart, "sh", program, "-f", dir / "apache.conf", "-DFOREGROUND"};
      break;
    case ServerKind::builtin:
      setup.error_log = setup.log;
      setup.argv = {program,    "serve",      "--files",      files,
                    "--listen", "0.0.0.0:80", "--access-log", setup.access_log};
      break;
  }
  return setup;
}

fs::path find_program(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::string_view folders = path == nullptr ? "" : path;
  const std::string all = fmt::format("{}:/usr/local/sbin:/usr/sbin:/sbin", folders);
  folders = all;
  while (!folders.empty()) {
    const std::size_t end = std::min(folders.find(':'), folders.size());
    fs::path candidate = fs::path(folders.substr(0, end)) / name;
    std::error_code ignored;
    if (candidate.is_absolute() && fs::is_regular_file(candidate, ignored) &&
        ::access(candidate.c_str(), X_OK) == 0) {
      return candidate;
    }
    folders.remove_prefix(std::min(end + 1, folders.size()));
  }
  return {};
}

fs::path server_program(ServerKind kind) {
  if (kind == ServerKind::builtin) {
    std::error_code error;
    fs::path self = fs::read_symlink("/proc/self/exe", error);
    if (error) {
      throw RunError("cannot find this program's own file (" + error.message() + "); is /proc mounted?");
    }
    return self;
  }
  const bool apache = kind == ServerKind::apache;
  fs::path program = find_program(apache ? "apache2" : "nginx");
  if (program.empty()) {
    throw RunError(
        fmt::format("there is no {0} on this machine; install the package {0}, or choose another server",
                    apache ? "apache2" : "nginx"));
  }
  return program;
}

void prepare(const ServiceSetup& setup) {
  for (const fs::path& folder : setup.folders) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) {
      throw RunError(fmt::format("cannot make the folder '{}': {}", folder.string(), error.message()));
    }
  }
  for (const auto& [path, text] : setup.files) {
    write_file(path, text);
  }
}

std::string complaint_of(const ServiceSetup& setup) {
  for (const fs::path& path : {setup.error_log, setup.log}) {
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    if (path.empty() || !file) {
      continue;
    }
    const auto size = static_cast<std::size_t>(file.tellg());
    std::string text(std::min(size, kComplaintLength), '\0');
    file.seekg(static_cast<std::streamoff>(size - text.size()));
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    while (!text.empty() && text.back() == '\n') {
      text.pop_back();
    }
    if (!text.empty()) {
      return text;
    }
  }
  return {};
}

std::string health_path(const fs::path& files) {
  constexpr const char* kFirstFile = "file_set/dir00000/class0_0";
  std::error_code ignored;
  return fs::is_regular_file(files / kFirstFile, ignored) ? std::string("/") + kFirstFile : "/";
}

}  // namespace scalemark::testbed

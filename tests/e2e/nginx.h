// A real nginx for a test: its own process, configuration, port and log, never the system's.
//
// It serves one folder on a loopback port, works as root and as anyone else, and keeps a log with one line
// per request, so that what a benchmark counted can be compared with what the server counted. It ends with
// its owner, and also when the thread that made it dies. Belongs to one thread. Everything throws
// std::runtime_error, with the end of nginx's own log where there is one.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/sockets.h"

namespace scalemark::e2e {

struct NginxOptions {
  std::filesystem::path root{};  ///< the folder to serve
  test_support::Loopback family = test_support::Loopback::v4;
  unsigned workers = 1;
  bool https = false;   ///< TLS with a certificate of its own (ca_file()), HTTP/2 offered
  std::string extra{};  ///< further directives for the server, e.g. "keepalive_requests 5;"
};

/// One request, as nginx saw it.
struct NginxLine {
  int status = 0;                         ///< 0 when the client left before there was one
  std::uint64_t bytes_sent = 0;           ///< head and body
  std::uint64_t body_bytes_sent = 0;      ///< body as framed: chunk heads included
  std::uint64_t connection = 0;           ///< serial number of the TCP connection
  std::uint64_t connection_requests = 0;  ///< how many requests it has carried, this one included
  std::string client;                     ///< "127.0.0.1"
  std::string protocol;                   ///< "HTTP/1.1"
  std::string method;                     ///< "GET"
  std::string path;                       ///< "/file_set/dir00000/class0_0", query included

  /// A line of the log format `counts` (testdata/nginx/nginx.conf.in).
  static NginxLine parse(std::string_view line);
};

class Nginx {
 public:
  /// Whether this machine has an nginx; a test that needs one is skipped where it has not.
  [[nodiscard]] static bool available();

  /// Returns when nginx answers.
  explicit Nginx(const NginxOptions& options);
  ~Nginx();
  Nginx(const Nginx&) = delete;
  Nginx& operator=(const Nginx&) = delete;

  /// "http://127.0.0.1:41234/"
  [[nodiscard]] std::string url() const;
  /// What a client must trust to talk to it under `https`.
  [[nodiscard]] std::filesystem::path ca_file() const { return home_ / "certificate.pem"; }

  /// Lets nginx finish the requests that it is in, ends it, and returns its log: every request that a client
  /// has an answer to is in it. Again: returns an empty log.
  std::vector<NginxLine> stop();

 private:
  [[nodiscard]] std::string authority() const;  // "127.0.0.1:41234", "[::1]:41234"
  [[nodiscard]] std::string server_directives() const;
  void write_configuration() const;
  void start(test_support::Descriptor listener);
  void wait_until_ready() const;
  [[nodiscard]] bool ended_within(int milliseconds);
  void end();
  [[nodiscard]] std::string complaint() const;

  NginxOptions options_;
  std::filesystem::path home_;  // everything that it reads (but the root) and writes
  test_support::Endpoint endpoint_;
  pid_t process_ = -1;  // -1: not running
};

}  // namespace scalemark::e2e

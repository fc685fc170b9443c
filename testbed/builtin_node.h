// A web node with a known right answer.
//
// A static web server on libevent's evhttp that can be given a network card of a stated speed: with a link
// of R bit/s, about R/400,000 paced users can hold a 400,000 bit/s line, and fewer than R/320,000 conform. So
// a measurement of it can be compared with arithmetic. It serves GET and HEAD with persistent connections;
// on `Connection: close` it closes first, as real servers do. It keeps no time-outs: idle connections and
// half-sent requests stay until the client leaves (their number is bounded). A client that closes its sending
// side is taken to have left.
//
// All output counts towards the link, heads and error answers included; the network's own headers do not,
// since clients cannot see them. Responses that wait share the link in turns of equal size, so greedy
// connections get equal shares. (Not libevent's rate-limit groups: they divide each tick among all members,
// idle ones too, in writes of as little as 64 bytes.)
//
// One thread runs the node; stop() and the counters may be used from any thread, stop() also from a signal
// handler. The constructor raises the process's soft limit of descriptors and ignores SIGPIPE.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "core/clock.h"
#include "core/units.h"

namespace scalemark::testbed {

class NodeServer;

struct NodePlan {
  std::filesystem::path files;             ///< the folder to serve
  std::string listen = "127.0.0.1:8080";   ///< "127.0.0.1:8080", "[::1]:0"; port 0: any free one
  std::optional<BitsPerSecond> link_rate;  ///< cap on all output together; none: as fast as the machine goes
  Duration latency{};                      ///< from a whole request to the start of its response
  std::string access_log;                  ///< file to append to (testbed/access_log.h); "" none
  std::uint32_t max_connections = 0;       ///< more wait in the accept queue; 0: as many as descriptors allow
};

/// What a node has done so far.
struct NodeCounters {
  std::uint64_t connections_accepted = 0;
  std::uint64_t connections_open = 0;
  std::uint64_t requests = 0;    ///< well-formed ones, whole
  std::uint64_t responses = 0;   ///< to those, whole; less than requests when clients broke off
  std::uint64_t malformed = 0;   ///< refused by the parser (400, 413, ...)
  std::uint64_t wire_bytes = 0;  ///< handed to the kernel, heads included
};

class BuiltinNode {
 public:
  /// How late the link may be caught up with after the machine was too busy; bounds its bursts.
  static constexpr Duration kLinkAllowance = std::chrono::milliseconds(50);

  /// Binds and listens. Throws UsageError or RunError: no such folder, port in use, address not local, ...
  explicit BuiltinNode(const NodePlan& plan);
  /// Closes all connections. run() must have returned.
  ~BuiltinNode();
  BuiltinNode(const BuiltinNode&) = delete;
  BuiltinNode& operator=(const BuiltinNode&) = delete;

  /// Where it really listens, e.g. "127.0.0.1:41234".
  [[nodiscard]] std::string address() const;

  /// Serves until stop(); at once over when stop() came first. Throws RunError when the access log could not
  /// be written.
  void run();
  void stop() noexcept;

  [[nodiscard]] NodeCounters counters() const;

 private:
  std::unique_ptr<NodeServer> server_;
};

}  // namespace scalemark::testbed

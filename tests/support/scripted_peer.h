// A TCP server for tests that does exactly what its script says, however wrong that is.
//
// A script is a list of steps played once for each accepted connection, each connection on a thread of its
// own, so that steps can simply block. The peer knows no protocol but TLS, which a step begins: HTTP and mail
// are built on top (http_peer.h, mail_peer.h), and others can be in the same way. Where the order of events
// matters a script waits at a `Gate` that the test opens; nothing sleeps. What each connection received and
// how it ended is recorded and can be read at any time from any thread. Destroying the peer ends whatever it
// is doing, at once.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <list>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "tests/support/certificates.h"
#include "tests/support/sockets.h"

namespace scalemark::test_support {

/// Where a script waits until the test lets it pass. Must outlive the peers whose scripts use it. The test's
/// side (open*) belongs to one thread; any number of scripts may wait.
class Gate {
 public:
  Gate();

  /// Lets the next `times` waits pass, whether they have begun or are still to come.
  void open(std::uint64_t times = 1);
  /// Lets one wait pass if a script stands at the gate that was not let pass yet; says whether it did.
  bool open_if_awaited();
  /// How many waits have begun so far.
  [[nodiscard]] std::uint64_t arrivals() const { return arrived_; }
  /// An eventfd that becomes readable whenever a wait begins, for a test that turns an event loop.
  [[nodiscard]] int arrival_fd() const { return arrivals_.get(); }

 private:
  friend class Conversation;
  Descriptor permits_;
  Descriptor arrivals_;
  std::atomic<std::uint64_t> arrived_{0};
  std::uint64_t opened_ = 0;
};

class Conversation;  // one connection as a script's steps see it

/// The steps to play, in order. A script ends early where the client closes the connection.
class Script {
 public:
  /// Reads until `delimiter` has come, and consumes up to its end; what came after it stays for the next one.
  Script& expect(std::string delimiter);
  /// Like expect(), then sends what `reply` makes of the consumed text.
  Script& answer(std::string delimiter, std::function<std::string(std::string_view)> reply);
  Script& send(std::string bytes);
  /// One write, and with TCP_NODELAY one segment, for each.
  Script& send_segments(std::vector<std::string> segments);
  /// Waits at `gate` before each segment.
  Script& send_segments(std::vector<std::string> segments, Gate& gate);
  Script& send_byte_by_byte(std::string_view bytes);
  Script& send_byte_by_byte(std::string_view bytes, Gate& gate);
  Script& wait(Gate& gate);
  /// Closes in good order (everything received is read first, so that the close is no reset).
  Script& close();
  /// Closes with a reset.
  Script& reset();
  /// Sends FIN, goes on reading.
  Script& half_close();
  /// Holds the connection open, silent but reading, until the client closes it or the peer is destroyed.
  /// Every script that does not close ends like this.
  Script& stall();
  /// Waits for the client's handshake; from here on everything is encrypted, and the log has plain bytes.
  /// What came before and was not consumed is taken for the handshake's beginning. A script ends where it
  /// fails.
  Script& start_tls(Certificate certificate = Certificate::good);
  /// Plays `part` here.
  Script& add(const Script& part);
  Script& repeat(std::size_t times, const Script& part);
  /// Plays `part` for as long as the client keeps the connection open.
  Script& repeat_forever(const Script& part);

 private:
  friend class ScriptedPeer;
  /// A step returns whether the script goes on.
  using Step = std::function<bool(Conversation&)>;

  Script& then(Step step);
  bool play(Conversation& with) const;

  std::vector<Step> steps_;
};

enum class ConnectionEnd : std::uint8_t {
  none,              ///< open
  closed_by_client,  ///< the client's FIN came before the script closed
  reset_by_client,
  closed,  ///< by the script
  reset,   ///< by the script
};

enum class TlsState : std::uint8_t { none, up, failed };

/// What happened on one connection, so far.
struct ConnectionLog {
  Endpoint client;           ///< where the client connected from
  std::string received;      ///< every byte that was read
  std::size_t expected = 0;  ///< how many expect() were met: the number of requests
  ConnectionEnd end = ConnectionEnd::none;
  TlsState tls = TlsState::none;
  std::size_t in_clear = 0;  ///< bytes of `received` that came before TLS began
  std::string server_name;   ///< that TLS asked for
};

class ScriptedPeer {
 public:
  /// Plays `script` on every connection.
  explicit ScriptedPeer(Script script, Loopback family = Loopback::v4);
  /// The first connection plays the first script and so on; further connections play the last one.
  explicit ScriptedPeer(std::vector<Script> scripts, Loopback family = Loopback::v4);
  ~ScriptedPeer();
  ScriptedPeer(const ScriptedPeer&) = delete;
  ScriptedPeer& operator=(const ScriptedPeer&) = delete;

  [[nodiscard]] const Endpoint& endpoint() const { return endpoint_; }
  /// A copy of the log of all connections so far, in the order in which they were accepted.
  [[nodiscard]] std::vector<ConnectionLog> connections() const;
  /// Blocks until `condition` holds for the log; false when it does not within ten seconds. Not for a test
  /// whose own thread has to serve the client meanwhile.
  bool wait_until(const std::function<bool(const std::vector<ConnectionLog>&)>& condition) const;

 private:
  friend class Conversation;
  void accept_all();
  void converse(Descriptor socket, std::size_t number);
  void note(std::size_t number, const std::function<void(ConnectionLog&)>& change);

  std::vector<Script> scripts_;
  Descriptor listener_;
  Endpoint endpoint_;
  Descriptor stop_;  // readable once the peer is being destroyed
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  std::vector<ConnectionLog> log_;
  std::list<std::thread> conversations_;  // touched by the accepting thread, then by the destructor
  std::thread acceptor_;
};

}  // namespace scalemark::test_support

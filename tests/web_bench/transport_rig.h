// One transport under test, on an event loop that the test itself turns.
//
// The rig stands where the worker stands in a run: it owns the loop, starts exchanges, sweeps every kSweep
// and collects what the transport reports. Its clock is the real one plus what the test skips, so that a
// time-out of minutes is tested in no time and an ordinary exchange can never run into one. Every wait ends:
// what has not happened after ten real seconds is a test failure. One thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/scripted_peer.h"
#include "tests/support/sockets.h"
#include "web_bench/transport.h"
#include "web_bench/transports.h"

struct event;
struct event_base;

namespace scalemark::web {

/// Items whose content the test gives.
class ListedSource final : public RequestSource {
 public:
  /// An item at "items/NUMBER"; without a size, nothing is known of it.
  Item add(std::string content, std::optional<std::uint64_t> size);

  [[nodiscard]] const std::vector<std::string>& classes() const override { return classes_; }
  [[nodiscard]] const std::vector<std::uint32_t>& mix() const override { return mix_; }
  [[nodiscard]] bool rare(std::uint32_t /*cls*/) const override { return false; }
  [[nodiscard]] std::optional<double> mean_bytes() const override { return std::nullopt; }
  [[nodiscard]] std::uint32_t class_of(Item /*item*/) const override { return 0; }
  [[nodiscard]] std::optional<std::uint64_t> size_of(Item item) const override { return items_[item].size; }
  void append_path(Item item, std::string& to) const override { to += "items/" + std::to_string(item); }
  [[nodiscard]] bool content_matches(Item item, std::uint64_t offset,
                                     std::span<const char> bytes) const override;
  [[nodiscard]] std::optional<std::string> body_fault(Item item, std::string_view body) const override;
  [[nodiscard]] Item draw(std::uint32_t /*cls*/, Random& /*random*/) const override { return 0; }
  [[nodiscard]] std::vector<Item> probes() const override { return {0}; }

 private:
  struct Entry {
    std::string content;
    std::optional<std::uint64_t> size;
  };
  std::vector<Entry> items_;
  std::vector<std::string> classes_{"0"};
  std::vector<std::uint32_t> mix_{1};
};

/// The machine's clock, put forward by what the test skips.
class SkippingClock final : public Clock {
 public:
  [[nodiscard]] TimePoint now() const override { return steady_.now() + skipped_; }
  void skip(Duration by) { skipped_ += by; }

 private:
  SteadyClock steady_;
  Duration skipped_{};
};

struct RigOptions {
  std::uint32_t users = 1;
  std::string source_address{};  ///< where connections come from; empty: the system chooses
  Duration connect_timeout = std::chrono::minutes(1);
  Duration read_timeout = std::chrono::minutes(2);
};

class TransportRig final : private TransportEvents {
 public:
  TransportRig(Engine engine, const test_support::Endpoint& server, const RigOptions& options = {});
  ~TransportRig() override;
  TransportRig(const TransportRig&) = delete;
  TransportRig& operator=(const TransportRig&) = delete;

  /// An item whose right answer is `content`.
  Item add_item(std::string content);
  /// An item of which neither length nor content is known.
  Item add_unknown_item();

  void start(const Exchange& exchange, LocalUser user = 0);
  /// Turns the loop until the user's exchange is over, and returns how it ended.
  ExchangeResult finish(LocalUser user = 0);
  /// start() and finish().
  ExchangeResult run(const Exchange& exchange, LocalUser user = 0);
  /// Turns the loop until `condition` holds.
  bool run_until(const std::function<bool()>& condition);
  /// From now on opens `gate` for each script that comes to it, but only after a round of the loop in which
  /// the transport could read all that was sent before.
  void keep_in_step_with(test_support::Gate& gate);
  /// Lets the transport do all that it would do now of its own accord, without waiting for anything.
  void settle();
  /// Puts the clock forward and sweeps.
  void skip(Duration by);
  /// Drops what is under way: finish() will not wait for it.
  void drop(LocalUser user = 0);

  [[nodiscard]] std::uint64_t received(LocalUser user = 0) const { return transport_->received(user); }
  [[nodiscard]] TimePoint now() const { return clock_.now(); }
  /// All results of a user so far, and how often on_idle_close() was called for it.
  [[nodiscard]] const std::vector<ExchangeResult>& results(LocalUser user = 0) const {
    return users_[user].results;
  }
  [[nodiscard]] std::size_t idle_closes(LocalUser user = 0) const { return users_[user].idle_closes; }

  /// Called from within on_exchange_end() and on_idle_close(), after the event was noted.
  std::function<void(LocalUser)> on_end;
  std::function<void(LocalUser)> on_idle;

 private:
  struct User {
    std::vector<ExchangeResult> results;
    std::size_t started = 0;
    std::size_t idle_closes = 0;
  };

  void on_exchange_end(LocalUser user, const ExchangeResult& result) override;
  void on_idle_close(LocalUser user) override;

  ListedSource source_;
  SkippingClock clock_;
  WebPlan plan_;
  std::vector<Target> targets_;
  std::vector<Address> bind_;
  std::vector<User> users_;
  event_base* loop_;
  event* tick_;  // bounds each round, so that conditions on the server are looked at again
  event* sweep_timer_;
  event* arrival_ = nullptr;  // a script has come to in_step_
  test_support::Gate* in_step_ = nullptr;
  std::unique_ptr<Transport> transport_;
};

/// A body of `size` bytes in which every position can be told from its neighbours.
[[nodiscard]] std::string body_of(std::size_t size);

/// For test names: "native", "curl".
[[nodiscard]] std::string engine_name(Engine engine);

}  // namespace scalemark::web

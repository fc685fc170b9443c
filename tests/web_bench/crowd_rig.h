// A crowd without a network: a manual clock, a scripted transport and a small set of things to ask for.
//
// The transport ends an exchange when the test says so, or after a fixed time by itself; the rig moves the
// clock from one due instant to the next, so minutes of load pass in microseconds.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/clock.h"
#include "web_bench/crowd.h"

namespace scalemark::web {

/// Items are their own size in bytes; the class is the item's index in `sizes`.
class SizedSource final : public RequestSource {
 public:
  SizedSource(std::vector<std::uint64_t> sizes, std::vector<std::uint32_t> mix)
      : sizes_(std::move(sizes)), mix_(std::move(mix)) {
    for (std::size_t i = 0; i < sizes_.size(); ++i) {
      names_.push_back(std::to_string(i));
    }
  }

  const std::vector<std::string>& classes() const override { return names_; }
  const std::vector<std::uint32_t>& mix() const override { return mix_; }
  bool rare(std::uint32_t cls) const override { return cls == 3; }
  std::optional<double> mean_bytes() const override {
    double bytes = 0;
    double parts = 0;
    for (std::size_t i = 0; i < sizes_.size(); ++i) {
      bytes += static_cast<double>(sizes_[i]) * mix_[i];
      parts += mix_[i];
    }
    return bytes / parts;
  }
  std::uint32_t class_of(Item item) const override { return item; }
  std::optional<std::uint64_t> size_of(Item item) const override { return sizes_[item]; }
  void append_path(Item item, std::string& to) const override { to += names_[item]; }
  bool content_matches(Item, std::uint64_t, std::span<const char>) const override { return true; }
  std::optional<std::string> body_fault(Item, std::string_view) const override { return std::nullopt; }
  Item draw(std::uint32_t cls, Random&) const override { return cls; }
  std::vector<Item> probes() const override { return {0}; }

 private:
  std::vector<std::uint64_t> sizes_;
  std::vector<std::uint32_t> mix_;
  std::vector<std::string> names_;
};

/// Answers every exchange `transfer_time` after it began, with its whole body, unless told otherwise.
class ScriptedTransport final : public Transport {
 public:
  ScriptedTransport(const SizedSource& source, const ManualClock& clock) : source_(source), clock_(clock) {}

  struct Started {
    LocalUser user;
    Exchange exchange;
    TimePoint at;
  };

  Duration transfer_time = std::chrono::milliseconds(1);
  bool answers = true;                                          ///< else exchanges stay open
  std::function<void(const Started&, ExchangeResult&)> change;  ///< alters a result
  std::vector<Started> log;                                     ///< all that was asked for
  std::map<LocalUser, Started> open;                            ///< under way
  std::map<LocalUser, std::uint64_t> bytes_so_far;              ///< what received() says
  std::vector<LocalUser> dropped;

  void start(LocalUser user, const Exchange& exchange) override {
    log.push_back({user, exchange, clock_.now()});
    open[user] = log.back();
  }
  std::uint64_t received(LocalUser user) const override {
    const auto found = bytes_so_far.find(user);
    return found == bytes_so_far.end() ? 0 : found->second;
  }
  std::uint32_t segment_bytes(LocalUser) const override { return 0; }
  void sweep(TimePoint) override {}
  void drop(LocalUser user) override {
    open.erase(user);
    dropped.push_back(user);
  }

  /// When the earliest answer is due.
  [[nodiscard]] TimePoint next() const {
    TimePoint next = TimePoint::max();
    for (const auto& [user, started] : open) {
      next = answers ? std::min(next, started.at + transfer_time) : next;
    }
    return next;
  }
  /// Reports the answers that are due now.
  void deliver(TransportEvents& events) {
    std::vector<Started> due;
    for (const auto& [user, started] : open) {
      if (answers && started.at + transfer_time <= clock_.now()) {
        due.push_back(started);
      }
    }
    for (const Started& started : due) {
      end(events, started);
    }
  }
  /// Reports one exchange's end now.
  void end(TransportEvents& events, const Started& started) {
    open.erase(started.user);
    ExchangeResult result;
    result.status = 200;
    result.body_bytes = *source_.size_of(started.exchange.item);
    result.wire_bytes = result.body_bytes;
    result.first_byte = clock_.now();
    result.end = clock_.now();
    result.connection_open = !started.exchange.last_on_connection;
    if (change) {
      change(started, result);
    }
    events.on_exchange_end(started.user, result);
  }

 private:
  const SizedSource& source_;
  const ManualClock& clock_;
};

/// Everything together.
struct CrowdRig {
  WebPlan plan;
  SizedSource source;
  ManualClock clock;
  ScriptedTransport transport{source, clock};
  std::unique_ptr<Crowd> crowd;

  CrowdRig(std::vector<std::uint64_t> sizes, std::vector<std::uint32_t> mix)
      : source(std::move(sizes), std::move(mix)) {
    plan.connections = 1;
    plan.phases.window = std::chrono::seconds(10);
    plan.verify = Verify::none;
  }

  void begin(UserShare share) {
    crowd = std::make_unique<Crowd>(plan, source, share, 1, clock);
    crowd->attach(transport);
    crowd->begin(Schedule::plan(plan.phases, true, clock.now()));
  }
  void begin() { begin({0, 1, plan.connections}); }

  /// Lets time pass up to `until` (since the clock's origin), event by event.
  void run_until(Duration until) {
    const TimePoint last = TimePoint{} + until;
    while (!crowd->done()) {
      const TimePoint next = std::min(crowd->next_due(), transport.next());
      if (next > last) {
        break;
      }
      clock.set(std::max(clock.now(), next));
      transport.deliver(*crowd);
      crowd->wake();
    }
    clock.set(std::max(clock.now(), last));
    crowd->settle_phase(clock.now());
  }
  /// Until everybody has stopped.
  void run() { run_until(std::chrono::hours(24)); }

  Tally& tally() { return crowd->tally(); }
  [[nodiscard]] double rate(std::size_t connection = 0) const {
    return crowd->tally().connections[connection].bits / to_seconds(crowd->tally().window);
  }
};

}  // namespace scalemark::web

// Who has to do something when: the queue behind all pacing.
//
// A priority queue of (instant, user). One timer per thread serves all its users: it is set to the earliest
// entry and on firing takes everything that is due, so the cost per operation is a push and a pop in an array
// that fits the cache, not a timer per user. Pure: instants in, users out. Belongs to one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <queue>
#include <tuple>
#include <vector>

#include "core/clock.h"

namespace scalemark {

class DueQueue {
 public:
  struct Entry {
    TimePoint due;
    std::uint32_t user;
    /// Later first, so that the queue's top is the earliest; equal instants go by the user's number.
    friend bool operator<(const Entry& a, const Entry& b) {
      return std::tie(b.due, b.user) < std::tie(a.due, a.user);
    }
  };

  void add(TimePoint due, std::uint32_t user) { entries_.push({due, user}); }

  /// Removes and returns the earliest entry that is due at `now`, if there is one.
  std::optional<Entry> take(TimePoint now) {
    if (entries_.empty() || entries_.top().due > now) {
      return std::nullopt;
    }
    const Entry entry = entries_.top();
    entries_.pop();
    return entry;
  }

  /// The earliest instant in the queue.
  [[nodiscard]] std::optional<TimePoint> next() const {
    return entries_.empty() ? std::nullopt : std::optional(entries_.top().due);
  }

 private:
  std::priority_queue<Entry> entries_;
};

}  // namespace scalemark

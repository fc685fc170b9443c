// What the simulated users ask for.
//
// A source names each thing that can be requested by a dense number, the `Item`; it knows the item's path,
// class and expected length, can check a body piece by piece, and draws the next item for a user. The file
// set and a user's own list of URLs are the two sources. Immutable after construction and shared by all
// threads; the state of a draw (the class deck, the user's Random) belongs to the caller.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/random.h"

namespace scalemark::web {

using Item = std::uint32_t;

class RequestSource {
 public:
  virtual ~RequestSource() = default;

  /// Names of the classes, "0".."3" for the file set; their number is the number of classes.
  [[nodiscard]] virtual const std::vector<std::string>& classes() const = 0;
  /// Parts per class that a deck deals.
  [[nodiscard]] virtual const std::vector<std::uint32_t>& mix() const = 0;
  /// Whether a class is too rare to be judged per connection (one error would sink a single user): it is
  /// judged over all connections.
  [[nodiscard]] virtual bool rare(std::uint32_t cls) const = 0;
  /// Mean body bytes of a request over the mix; nullopt when sizes are unknown.
  [[nodiscard]] virtual std::optional<double> mean_bytes() const = 0;

  [[nodiscard]] virtual std::uint32_t class_of(Item item) const = 0;
  /// Body length that a right answer has; nullopt when unknown.
  [[nodiscard]] virtual std::optional<std::uint64_t> size_of(Item item) const = 0;
  /// Appends the item's path relative to the base URL, without a leading slash.
  virtual void append_path(Item item, std::string& to) const = 0;
  /// Whether `bytes`, found at `offset` of the body, can belong to the item (first line and markers). Always
  /// true when the source knows nothing of the contents.
  [[nodiscard]] virtual bool content_matches(Item item, std::uint64_t offset,
                                             std::span<const char> bytes) const = 0;
  /// Whether all of `body` is the item's, byte for byte, and if not what differs (a sentence); used before
  /// any load. nullopt: right, or unknown.
  [[nodiscard]] virtual std::optional<std::string> body_fault(Item item, std::string_view body) const = 0;
  /// Draws an item of a class.
  [[nodiscard]] virtual Item draw(std::uint32_t cls, Random& random) const = 0;
  /// Items to try before any load: at least one for each class with a share.
  [[nodiscard]] virtual std::vector<Item> probes() const = 0;
};

struct WebPlan;

/// Gives a plan without `urls` the one server that its URL list names. Throws UsageError when the list names
/// several servers or none, or cannot be read. Does nothing without a list.
void take_server_from_list(WebPlan& plan);

/// The source that a plan asks for. Throws UsageError when a URL list cannot be read.
[[nodiscard]] std::unique_ptr<RequestSource> make_request_source(const WebPlan& plan);

}  // namespace scalemark::web

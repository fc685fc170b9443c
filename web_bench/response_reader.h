// Reads one HTTP/1.x response from a byte stream, in whatever pieces it comes.
//
// Heads are parsed by Boost.Beast; bodies are counted and shown to a `BodySink`, never kept. In the usual
// case (the whole head in one piece, a Content-Length) nothing is allocated and nothing copied, and the owner
// may discard `discardable()` bytes unseen and report them with skip(). All three framings are understood
// (Content-Length, chunked, until the close) and any number of 1xx heads before the final one. Belongs to one
// thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "core/outcome.h"

namespace scalemark::web {

/// Sees body bytes as they arrive, in order.
class BodySink {
 public:
  virtual ~BodySink() = default;
  virtual void on_body(std::uint64_t offset, std::span<const char> bytes) = 0;
};

class ResponseReader {
 public:
  enum class State : std::uint8_t {
    head,      ///< waiting for a (further) head
    counted,   ///< in a body of known length
    chunked,   ///< in a chunked body
    to_close,  ///< in a body that ends with the connection
    complete,  ///< the response is whole
    malformed  ///< it is not HTTP; the connection is of no more use
  };

  /// Heads longer than this are malformed.
  static constexpr std::size_t kMaxHead = std::size_t{64} * 1024;

  ResponseReader();
  ~ResponseReader();
  ResponseReader(ResponseReader&&) noexcept;
  ResponseReader& operator=(ResponseReader&&) noexcept;

  /// Gets ready for the next response.
  void reset();

  /// Takes bytes; `sink` may be null. Returns how many belonged to this response: fewer than given when it is
  /// complete (the rest is not its own) or malformed.
  std::size_t feed(std::span<const char> bytes, BodySink* sink);

  /// The connection was closed by the peer: completes a body that ends so. Returns whether the response is
  /// complete now.
  bool close();

  /// Body bytes of a counted body still to come; they may be discarded unseen and reported by skip().
  [[nodiscard]] std::uint64_t discardable() const { return state_ == State::counted ? remaining_ : 0; }
  void skip(std::uint64_t bytes);

  [[nodiscard]] State state() const { return state_; }
  /// Status of the final head; 0 before it.
  [[nodiscard]] int status() const { return status_; }
  /// Whether the connection may carry another exchange after this response.
  [[nodiscard]] bool keeps_alive() const { return keep_alive_; }
  /// Decoded body bytes so far.
  [[nodiscard]] std::uint64_t body_bytes() const { return body_bytes_; }
  /// Body bytes when complete, as far as the head tells (a Content-Length); else body_bytes().
  [[nodiscard]] std::uint64_t announced_bytes() const { return body_bytes_ + discardable(); }

 private:
  class Parser;
  struct Spill;  // what only unusual responses need: a split head, a chunked body

  std::size_t feed_head(std::span<const char> bytes);
  std::size_t parse_head(std::span<const char> bytes);
  void enter_body(const Parser& parser, std::span<const char> head);
  std::size_t feed_chunked(std::span<const char> bytes, BodySink* sink);
  std::size_t count_body(std::span<const char> bytes, BodySink* sink);
  Spill& spill();

  State state_ = State::head;
  bool keep_alive_ = false;
  std::uint16_t status_ = 0;
  std::uint64_t remaining_ = 0;
  std::uint64_t body_bytes_ = 0;
  std::unique_ptr<Spill> spill_;
};

}  // namespace scalemark::web

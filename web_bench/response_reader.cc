#include "web_bench/response_reader.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/error.hpp>

namespace scalemark::web {
namespace {

namespace http = boost::beast::http;
using boost::beast::error_code;
using boost::beast::string_view;

constexpr std::string_view kHeadEnd = "\r\n\r\n";
/// Beast asserts that it is shown a last chunk again only with at least this much of it.
constexpr std::size_t kLeastRetry = 5;

/// Whether the bytes can still become a status line; tells garbage from a slow head at once.
bool may_be_http(std::span<const char> bytes) {
  constexpr std::string_view kStart = "HTTP/1.";
  const std::size_t length = std::min(bytes.size(), kStart.size());
  return std::string_view(bytes.data(), length) == kStart.substr(0, length);
}

}  // namespace

/// Beast's parser, told to remember the status and to hand body pieces to a sink.
class ResponseReader::Parser final : public http::basic_parser<false> {
 public:
  Parser() {
    header_limit(kMaxHead);
    // Not boost::none: Beast 1.74 takes "no limit" for a limit that every length exceeds.
    body_limit(std::numeric_limits<std::uint64_t>::max());
  }

  [[nodiscard]] int status() const { return status_; }
  void sink(BodySink* sink) { sink_ = sink; }
  [[nodiscard]] std::uint64_t body_bytes() const { return body_bytes_; }

 private:
  void on_request_impl(http::verb, string_view, string_view, int, error_code&) override {}
  void on_response_impl(int code, string_view, int, error_code&) override { status_ = code; }
  void on_field_impl(http::field, string_view, string_view, error_code&) override {}
  void on_header_impl(error_code&) override {}
  void on_body_init_impl(const boost::optional<std::uint64_t>&, error_code&) override {}
  std::size_t on_body_impl(string_view bytes, error_code&) override { return take(bytes); }
  void on_chunk_header_impl(std::uint64_t, string_view, error_code&) override {}
  std::size_t on_chunk_body_impl(std::uint64_t, string_view bytes, error_code&) override {
    return take(bytes);
  }
  void on_finish_impl(error_code&) override {}

  std::size_t take(string_view bytes) {
    if (sink_ != nullptr) {
      sink_->on_body(body_bytes_, {bytes.data(), bytes.size()});
    }
    body_bytes_ += bytes.size();
    return bytes.size();
  }

  int status_ = 0;
  BodySink* sink_ = nullptr;
  std::uint64_t body_bytes_ = 0;
};

struct ResponseReader::Spill {
  std::string pending;            // bytes that the parser wants to see again, with more behind them
  std::optional<Parser> chunked;  // alive while a chunked body is read
};

ResponseReader::ResponseReader() = default;
ResponseReader::~ResponseReader() = default;
ResponseReader::ResponseReader(ResponseReader&&) noexcept = default;
ResponseReader& ResponseReader::operator=(ResponseReader&&) noexcept = default;

ResponseReader::Spill& ResponseReader::spill() {
  if (!spill_) {
    spill_ = std::make_unique<Spill>();
  }
  return *spill_;
}

void ResponseReader::reset() {
  state_ = State::head;
  keep_alive_ = false;
  status_ = 0;
  remaining_ = 0;
  body_bytes_ = 0;
  if (spill_) {
    spill_.reset();
  }
}

std::size_t ResponseReader::feed(std::span<const char> bytes, BodySink* sink) {
  std::size_t used = 0;
  while (used < bytes.size() && state_ != State::complete && state_ != State::malformed) {
    const auto rest = bytes.subspan(used);
    switch (state_) {
      case State::head:
        used += feed_head(rest);
        break;
      case State::chunked:
        used += feed_chunked(rest, sink);
        break;
      default:
        used += count_body(rest, sink);
        break;
    }
  }
  return used;
}

std::size_t ResponseReader::feed_head(std::span<const char> bytes) {
  const std::size_t held = spill_ ? spill_->pending.size() : 0;
  if (held == 0) {
    const std::size_t used = parse_head(bytes);
    if (used == 0 && state_ == State::head) {  // not whole yet
      spill().pending.assign(bytes.data(), bytes.size());
      return bytes.size();
    }
    return used;
  }
  // A head in pieces: parse only once its end is there, so that a byte at a time stays linear.
  std::string& pending = spill_->pending;
  pending.append(bytes.data(), bytes.size());
  const std::size_t from = held < kHeadEnd.size() ? 0 : held - kHeadEnd.size() + 1;
  const std::size_t end = pending.find(kHeadEnd, from);
  if (end == std::string::npos) {
    if (pending.size() > kMaxHead || !may_be_http(pending)) {
      state_ = State::malformed;
    }
    return bytes.size();
  }
  const std::size_t length = end + kHeadEnd.size();
  const std::string head = pending.substr(0, length);
  pending.clear();
  parse_head(head);
  return length - held;
}

/// Parses a whole head, if it is there. Returns its length, or 0 when more bytes are needed.
std::size_t ResponseReader::parse_head(std::span<const char> bytes) {
  if (!may_be_http(bytes)) {
    state_ = State::malformed;
    return 0;
  }
  Parser parser;
  error_code error;
  const std::size_t used = parser.put(boost::asio::const_buffer(bytes.data(), bytes.size()), error);
  if (error == http::error::need_more && !parser.is_header_done()) {
    // The parser may have consumed a whole status line; it is thrown away here, so it is read again.
    if (std::string_view(bytes.data(), bytes.size()).find(kHeadEnd) != std::string_view::npos ||
        bytes.size() > kMaxHead) {
      state_ = State::malformed;
    }
    return 0;
  }
  if (error && error != http::error::need_more) {
    state_ = State::malformed;
    return 0;
  }
  if (parser.status() == 101) {
    state_ = State::malformed;  // nobody asked for another protocol
    return used;
  }
  if (parser.status() >= 100 && parser.status() < 200) {
    return used;  // an interim answer: the final head is still to come
  }
  enter_body(parser, bytes.subspan(0, used));
  return used;
}

void ResponseReader::enter_body(const Parser& parser, std::span<const char> head) {
  status_ = static_cast<std::uint16_t>(parser.status());
  keep_alive_ = parser.keep_alive();
  if (status_ == 204 || status_ == 304) {
    state_ = State::complete;
  } else if (parser.chunked()) {
    state_ = State::chunked;
    // Rare enough to read the head a second time, into a parser that stays alive for the chunks.
    Parser& chunked = spill().chunked.emplace();
    error_code ignored;
    chunked.put(boost::asio::const_buffer(head.data(), head.size()), ignored);
    chunked.eager(true);
  } else if (parser.content_length()) {
    remaining_ = *parser.content_length();
    state_ = remaining_ == 0 ? State::complete : State::counted;
  } else {
    keep_alive_ = false;
    state_ = State::to_close;
  }
}

std::size_t ResponseReader::feed_chunked(std::span<const char> bytes, BodySink* sink) {
  Parser& parser = *spill_->chunked;
  std::string& pending = spill_->pending;
  const std::size_t held = pending.size();
  std::string joined;
  std::span<const char> input = bytes;
  if (held > 0) {
    joined = std::move(pending);
    joined.append(bytes.data(), bytes.size());
    pending.clear();
    if (joined.size() < kLeastRetry) {
      pending = std::move(joined);
      return bytes.size();
    }
    input = joined;
  }
  parser.sink(sink);
  std::size_t used = 0;
  error_code error;
  while (used < input.size() && !parser.is_done()) {
    const auto rest = input.subspan(used);
    const std::size_t step = parser.put(boost::asio::const_buffer(rest.data(), rest.size()), error);
    used += step;
    if (error || step == 0) {
      break;
    }
  }
  body_bytes_ = parser.body_bytes();
  if (error && error != http::error::need_more) {
    state_ = State::malformed;
    return bytes.size();
  }
  if (parser.is_done()) {
    state_ = State::complete;
    return used - std::min(used, held);
  }
  pending.assign(input.data() + used, input.size() - used);
  if (pending.size() > kMaxHead) {  // a chunk's head or trailers without an end
    state_ = State::malformed;
  }
  return bytes.size();
}

std::size_t ResponseReader::count_body(std::span<const char> bytes, BodySink* sink) {
  std::size_t taken = bytes.size();
  if (state_ == State::counted) {
    taken = static_cast<std::size_t>(std::min<std::uint64_t>(taken, remaining_));
  }
  if (sink != nullptr) {
    sink->on_body(body_bytes_, bytes.subspan(0, taken));
  }
  if (state_ == State::counted) {
    skip(taken);
  } else {
    body_bytes_ += taken;
  }
  return taken;
}

void ResponseReader::skip(std::uint64_t bytes) {
  body_bytes_ += bytes;
  remaining_ -= bytes;
  if (remaining_ == 0) {
    state_ = State::complete;
  }
}

bool ResponseReader::close() {
  if (state_ == State::to_close) {
    state_ = State::complete;
  }
  return state_ == State::complete;
}

}  // namespace scalemark::web

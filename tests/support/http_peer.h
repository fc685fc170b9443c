// What an HTTP/1.x server may say, right and wrong, as bytes for a ScriptedPeer to send.
//
// Builders only put texts together: nothing here keeps a caller from saying something illegal, since that is
// what tests want. All functions are pure and thread-safe.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/support/scripted_peer.h"

namespace scalemark::test_support {

using HttpHeaders = std::vector<std::pair<std::string, std::string>>;

/// Ends a request without a body.
inline constexpr const char* kHttpRequestEnd = "\r\n\r\n";

/// Status line and headers, with the empty line. `protocol` is "HTTP/1.1" or "HTTP/1.0".
[[nodiscard]] std::string http_head(int status, const HttpHeaders& headers = {},
                                    std::string_view protocol = "HTTP/1.1");
/// A response whose Content-Length is that of `body`; `headers` come before it.
[[nodiscard]] std::string http_with_length(std::string_view body, const HttpHeaders& headers = {},
                                           int status = 200, std::string_view protocol = "HTTP/1.1");
/// A response without any framing: its body lasts until the connection is closed.
[[nodiscard]] std::string http_until_close(std::string_view body, const HttpHeaders& headers = {},
                                           int status = 200, std::string_view protocol = "HTTP/1.1");
/// A head with Transfer-Encoding: chunked and nothing after it.
[[nodiscard]] std::string http_chunked_head(const HttpHeaders& headers = {}, int status = 200);
/// One chunk: its size in hexadecimal, `extension` (";name=value" or nothing), the data.
[[nodiscard]] std::string http_chunk(std::string_view data, std::string_view extension = {});
/// The last chunk with its trailers.
[[nodiscard]] std::string http_last_chunk(const HttpHeaders& trailers = {});
/// A whole chunked response with one chunk for each piece.
[[nodiscard]] std::string http_chunked(const std::vector<std::string>& pieces,
                                       const HttpHeaders& headers = {});
/// A head of at least `bytes` bytes: 200, Content-Length: 0, and as many padding headers as it takes.
[[nodiscard]] std::string http_huge_head(std::size_t bytes);
/// `bytes` bytes that are no HTTP, always the same.
[[nodiscard]] std::string http_garbage(std::size_t bytes);

/// Cuts a text after every LF.
[[nodiscard]] std::vector<std::string> lines_of(std::string_view text);
/// Cuts a text into pieces of `length` bytes; the last one may be shorter.
[[nodiscard]] std::vector<std::string> pieces_of(std::string_view text, std::size_t length);
/// The requests (without bodies) in what a connection received.
[[nodiscard]] std::vector<std::string> http_requests_in(std::string_view received);

/// Reads one request and sends `response`.
[[nodiscard]] Script http_answer(std::string response);

}  // namespace scalemark::test_support

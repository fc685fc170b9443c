#include "tests/support/http_peer.h"

#include <fmt/format.h>

#include <algorithm>

namespace scalemark::test_support {
namespace {

std::string_view reason_of(int status) {
  switch (status) {
    case 100:
      return "Continue";
    case 103:
      return "Early Hints";
    case 200:
      return "OK";
    case 204:
      return "No Content";
    case 304:
      return "Not Modified";
    case 404:
      return "Not Found";
    case 408:
      return "Request Timeout";
    case 500:
      return "Internal Server Error";
    default:
      return "Whatever";
  }
}

std::string header_lines(const HttpHeaders& headers) {
  std::string lines;
  for (const auto& [name, value] : headers) {
    lines += fmt::format("{}: {}\r\n", name, value);
  }
  return lines;
}

HttpHeaders with(HttpHeaders headers, std::string name, std::string value) {
  headers.emplace_back(std::move(name), std::move(value));
  return headers;
}

}  // namespace

std::string http_head(int status, const HttpHeaders& headers, std::string_view protocol) {
  return fmt::format("{} {} {}\r\n{}\r\n", protocol, status, reason_of(status), header_lines(headers));
}

std::string http_with_length(std::string_view body, const HttpHeaders& headers, int status,
                             std::string_view protocol) {
  return http_head(status, with(headers, "Content-Length", std::to_string(body.size())), protocol)
      .append(body);
}

std::string http_until_close(std::string_view body, const HttpHeaders& headers, int status,
                             std::string_view protocol) {
  return http_head(status, headers, protocol).append(body);
}

std::string http_chunked_head(const HttpHeaders& headers, int status) {
  return http_head(status, with(headers, "Transfer-Encoding", "chunked"));
}

std::string http_chunk(std::string_view data, std::string_view extension) {
  return fmt::format("{:x}{}\r\n{}\r\n", data.size(), extension, data);
}

std::string http_last_chunk(const HttpHeaders& trailers) {
  return fmt::format("0\r\n{}\r\n", header_lines(trailers));
}

std::string http_chunked(const std::vector<std::string>& pieces, const HttpHeaders& headers) {
  std::string response = http_chunked_head(headers);
  for (const std::string& piece : pieces) {
    response += http_chunk(piece);
  }
  return response + http_last_chunk();
}

std::string http_huge_head(std::size_t bytes) {
  HttpHeaders headers{{"Content-Length", "0"}};
  constexpr std::size_t kPadding = 1000;
  for (std::size_t size = 0; size < bytes; size += kPadding) {
    headers.emplace_back(fmt::format("X-Padding-{}", headers.size()), std::string(kPadding, 'p'));
  }
  return http_head(200, headers);
}

std::string http_garbage(std::size_t bytes) {
  std::string garbage(bytes, '\0');
  unsigned state = 1;
  for (char& byte : garbage) {
    state = state * 1'103'515'245U + 12'345U;
    byte = static_cast<char>(state >> 16U);
  }
  return garbage;
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t length = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.emplace_back(text.substr(0, length));
    text.remove_prefix(length);
  }
  return lines;
}

std::vector<std::string> pieces_of(std::string_view text, std::size_t length) {
  std::vector<std::string> pieces;
  for (std::size_t at = 0; at < text.size(); at += length) {
    pieces.emplace_back(text.substr(at, length));
  }
  return pieces;
}

std::vector<std::string> http_requests_in(std::string_view received) {
  const std::string_view end = kHttpRequestEnd;
  std::vector<std::string> requests;
  while (!received.empty()) {
    const std::size_t at = received.find(end);
    const std::size_t length = at == std::string_view::npos ? received.size() : at + end.size();
    requests.emplace_back(received.substr(0, length));
    received.remove_prefix(length);
  }
  return requests;
}

Script http_answer(std::string response) {
  Script script;
  script.expect(kHttpRequestEnd).send(std::move(response));
  return script;
}

}  // namespace scalemark::test_support

#include "web_bench/curl_outcome.h"

#include <cerrno>

#include "core/tcp_socket.h"

namespace scalemark::web {
namespace {

bool is_success(int status) {
  return status >= 200 && status < 300;
}

/// A transfer that is whole as far as HTTP is concerned.
Outcome outcome_of_answer(const CurlEnding& ending) {
  if (ending.status == 0) {
    // libcurl takes the end of the connection for the end of the head.
    return Outcome::closed_early;
  }
  if (!is_success(ending.status)) {
    return Outcome::bad_status;
  }
  if (ending.expected_bytes && ending.body_bytes != *ending.expected_bytes) {
    return ending.body_bytes < *ending.expected_bytes ? Outcome::short_body : Outcome::long_body;
  }
  if (ending.wrong_content) {
    return Outcome::wrong_content;
  }
  return ending.surplus ? Outcome::long_body : Outcome::good;
}

/// The connection failed while the exchange was on it.
Outcome outcome_of_exchange_error(const CurlEnding& ending) {
  switch (ending.os_error) {
    case 0:
      break;
    case ENOMEM:
    case ENOBUFS:
      return Outcome::local;
    case ETIMEDOUT:
      return Outcome::read_timeout;
    default:
      return Outcome::reset;
  }
  // No socket call failed. TLS calls a FIN without its own farewell an error; anything else is an illegal
  // chunk, which libcurl reports in the same way.
  if (ending.code == CURLE_RECV_ERROR) {
    return ending.secure && ending.peer_closed ? Outcome::closed_early : Outcome::malformed;
  }
  return Outcome::reset;
}

}  // namespace

Outcome outcome_of(const CurlEnding& ending) {
  if (ending.local_fault) {
    return Outcome::local;
  }
  switch (ending.code) {
    case CURLE_OK:
      return outcome_of_answer(ending);
    case CURLE_COULDNT_CONNECT:
      return outcome_of_connect_error(ending.os_error);
    case CURLE_OPERATION_TIMEDOUT:
      return ending.request_sent ? Outcome::read_timeout : Outcome::connect_timeout;
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_CIPHER:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_SSL_INVALIDCERTSTATUS:
    case CURLE_SSL_PINNEDPUBKEYNOTMATCH:
      return Outcome::tls_failed;
    case CURLE_GOT_NOTHING:
    case CURLE_PARTIAL_FILE:
      return Outcome::closed_early;
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
      return ending.request_sent ? outcome_of_exchange_error(ending) : Outcome::connect_reset;
    case CURLE_HTTP2_STREAM:
      // Nearly always RST_STREAM from the server, HTTP/2's way to break off one answer.
      return Outcome::reset;
    case CURLE_WRITE_ERROR:
      // Our own callbacks gave the answer up.
      return ending.too_long ? Outcome::long_body : Outcome::malformed;
    case CURLE_UNSUPPORTED_PROTOCOL:  // no status line: HTTP/0.9, or not HTTP at all
    case CURLE_WEIRD_SERVER_REPLY:
    case CURLE_HTTP2:
    case CURLE_BAD_CONTENT_ENCODING:
    case CURLE_FILESIZE_EXCEEDED:  // a Content-Length beyond all bounds
      return Outcome::malformed;
    case CURLE_OUT_OF_MEMORY:
      // Also what libcurl 7.88 says of a header line beyond its limit of 100 KB.
      return ending.request_sent ? Outcome::malformed : Outcome::local;
    default:
      // What is left (memory, handles, a CA file that cannot be read, a path that is no URL) lies on this
      // side.
      return Outcome::local;
  }
}

}  // namespace scalemark::web

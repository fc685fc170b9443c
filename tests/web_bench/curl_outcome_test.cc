// What the curl engine makes of heads and of libcurl's codes; the whole engine is tested by the transport
// tests, which cannot bring about everything that is listed here.
#include "web_bench/curl_outcome.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <string_view>
#include <utility>
#include <vector>

#include "web_bench/curl_head.h"

namespace scalemark::web {
namespace {

CurlHead head_of(const std::vector<std::string_view>& lines) {
  CurlHead head;
  for (const std::string_view line : lines) {
    EXPECT_TRUE(head.take(line)) << line;
  }
  return head;
}

TEST(CurlHead, IsCompleteWithTheEmptyLineOfTheFinalHead) {
  CurlHead head = head_of({"HTTP/1.1 103 Early Hints\r\n", "Content-Length: 7\r\n", "\r\n"});
  EXPECT_FALSE(head.complete());
  EXPECT_EQ(head.status(), 0);
  EXPECT_TRUE(head.take("HTTP/1.1 404 Not Found\r\n"));
  EXPECT_EQ(head.status(), 0);
  EXPECT_EQ(head.announced_bytes(), std::nullopt) << "the interim head's";
  EXPECT_TRUE(head.take("\r\n"));
  EXPECT_TRUE(head.complete());
  EXPECT_EQ(head.status(), 404);
  EXPECT_FALSE(head.success());
  EXPECT_EQ(head.bytes(), 26U + 19U + 2U + 24U + 2U);
}

TEST(CurlHead, KnowsWhetherTheConnectionLivesOn) {
  const auto keeps = [](const std::vector<std::string_view>& lines) {
    return head_of(lines).keeps_connection();
  };
  EXPECT_TRUE(keeps({"HTTP/1.1 200 OK\r\n", "Content-Length: 5\r\n", "\r\n"}));
  EXPECT_TRUE(keeps({"HTTP/1.1 200 OK\r\n", "transfer-encoding: chunked\r\n", "\r\n"}));
  EXPECT_TRUE(keeps({"HTTP/1.1 204 No Content\r\n", "\r\n"}));
  EXPECT_TRUE(keeps({"HTTP/1.0 200 OK\r\n", "Content-Length: 5\r\n", "Connection: Keep-Alive\r\n", "\r\n"}));
  EXPECT_FALSE(keeps({"HTTP/1.1 200 OK\r\n", "\r\n"}));
  EXPECT_FALSE(keeps({"HTTP/1.1 200 OK\r\n", "Content-Length: 5\r\n", "CONNECTION: Close\r\n", "\r\n"}));
  EXPECT_FALSE(keeps({"HTTP/1.0 200 OK\r\n", "Content-Length: 5\r\n", "\r\n"}));
}

TEST(CurlHead, RefusesLengthsThatCannotBe) {
  for (const std::string_view length : {"-1", "many", "", "5, 6", "99999999999999999999999", "+5", "5x"}) {
    CurlHead head = head_of({"HTTP/1.1 200 OK\r\n"});
    EXPECT_FALSE(head.take("Content-Length: " + std::string(length) + "\r\n")) << length;
  }
  CurlHead twice = head_of({"HTTP/1.1 200 OK\r\n", "Content-Length: 5\r\n", "Content-Length: 5\r\n"});
  EXPECT_FALSE(twice.take("Content-Length: 6\r\n"));
  CurlHead both = head_of({"HTTP/1.1 200 OK\r\n", "Content-Length: 5\r\n", "Transfer-Encoding: chunked\r\n"});
  EXPECT_FALSE(both.take("\r\n"));
}

TEST(CurlHead, TakesTrailersAsTheyAre) {
  CurlHead head = head_of({"HTTP/2 200 \r\n", "content-length: 5\r\n", "\r\n"});
  EXPECT_TRUE(head.is_http2());
  EXPECT_TRUE(head.take("content-length: 6\r\n"));
  EXPECT_EQ(head.announced_bytes(), 5U);
}

/// An ending whose request was sent, over http, without any answer.
CurlEnding sent(CURLcode code, int os_error = 0) {
  CurlEnding ending;
  ending.code = code;
  ending.os_error = os_error;
  ending.request_sent = true;
  return ending;
}

/// An ending with an answer that is whole by its own framing.
CurlEnding answered(int status, std::uint64_t body_bytes) {
  CurlEnding ending = sent(CURLE_OK);
  ending.status = status;
  ending.body_bytes = body_bytes;
  ending.expected_bytes = 100;
  return ending;
}

TEST(CurlOutcome, OfAWholeAnswerIsJudgedByStatusThenLengthThenContent) {
  EXPECT_EQ(outcome_of(answered(200, 100)), Outcome::good);
  EXPECT_EQ(outcome_of(answered(200, 99)), Outcome::short_body);
  EXPECT_EQ(outcome_of(answered(200, 101)), Outcome::long_body);
  EXPECT_EQ(outcome_of(answered(204, 0)), Outcome::short_body);
  EXPECT_EQ(outcome_of(answered(301, 100)), Outcome::bad_status);
  EXPECT_EQ(outcome_of(answered(500, 1)), Outcome::bad_status);
  CurlEnding ending = answered(206, 100);
  ending.wrong_content = true;
  EXPECT_EQ(outcome_of(ending), Outcome::wrong_content);
  ending.body_bytes = 99;
  EXPECT_EQ(outcome_of(ending), Outcome::short_body);
  ending = answered(200, 100);
  ending.surplus = true;
  EXPECT_EQ(outcome_of(ending), Outcome::long_body);
  ending = answered(200, 12345);
  ending.expected_bytes.reset();
  EXPECT_EQ(outcome_of(ending), Outcome::good) << "nothing is known of its length";
}

TEST(CurlOutcome, OfASuccessWithoutAWholeHeadIsClosedEarly) {
  EXPECT_EQ(outcome_of(sent(CURLE_OK)), Outcome::closed_early);
}

TEST(CurlOutcome, OfConnectingGoesByTheSystemsError) {
  const std::vector<std::pair<int, Outcome>> cases = {
      {ECONNREFUSED, Outcome::connect_refused},
      {ETIMEDOUT, Outcome::connect_timeout},
      {ECONNRESET, Outcome::connect_reset},
      {EHOSTUNREACH, Outcome::connect_reset},
      {ENETUNREACH, Outcome::connect_reset},
      {0, Outcome::connect_reset},
      {EADDRNOTAVAIL, Outcome::local},
      {EADDRINUSE, Outcome::local},
      {EMFILE, Outcome::local},
      {ENFILE, Outcome::local},
      {ENOBUFS, Outcome::local},
      {ENOMEM, Outcome::local},
      {EPERM, Outcome::local},
  };
  for (const auto& [error, outcome] : cases) {
    CurlEnding ending;
    ending.code = CURLE_COULDNT_CONNECT;
    ending.os_error = error;
    EXPECT_EQ(name_of(outcome_of(ending)), name_of(outcome)) << error;
    ending.local_fault = true;
    EXPECT_EQ(outcome_of(ending), Outcome::local);
  }
}

TEST(CurlOutcome, OfATimeOutDependsOnHowFarItWas) {
  CurlEnding ending = sent(CURLE_OPERATION_TIMEDOUT);
  EXPECT_EQ(outcome_of(ending), Outcome::read_timeout);
  ending.request_sent = false;
  EXPECT_EQ(outcome_of(ending), Outcome::connect_timeout);
}

TEST(CurlOutcome, OfABrokenConnectionTellsResetFromCloseFromNonsense) {
  EXPECT_EQ(outcome_of(sent(CURLE_RECV_ERROR, ECONNRESET)), Outcome::reset);
  EXPECT_EQ(outcome_of(sent(CURLE_SEND_ERROR, EPIPE)), Outcome::reset);
  EXPECT_EQ(outcome_of(sent(CURLE_RECV_ERROR, ETIMEDOUT)), Outcome::read_timeout);
  EXPECT_EQ(outcome_of(sent(CURLE_SEND_ERROR, ENOBUFS)), Outcome::local);
  EXPECT_EQ(outcome_of(sent(CURLE_GOT_NOTHING)), Outcome::closed_early);
  EXPECT_EQ(outcome_of(sent(CURLE_PARTIAL_FILE)), Outcome::closed_early);
  EXPECT_EQ(outcome_of(sent(CURLE_HTTP2_STREAM)), Outcome::reset);
  EXPECT_EQ(outcome_of(sent(CURLE_RECV_ERROR)), Outcome::malformed) << "a chunk without a size";
  CurlEnding secure = sent(CURLE_RECV_ERROR);
  secure.secure = true;
  EXPECT_EQ(outcome_of(secure), Outcome::malformed);
  secure.peer_closed = true;
  EXPECT_EQ(outcome_of(secure), Outcome::closed_early) << "a close without TLS' farewell";
}

TEST(CurlOutcome, OfNoHttpIsMalformed) {
  for (const CURLcode code : {CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_HTTP2,
                              CURLE_WRITE_ERROR, CURLE_FILESIZE_EXCEEDED, CURLE_OUT_OF_MEMORY}) {
    EXPECT_EQ(name_of(outcome_of(sent(code))), "malformed") << code;
  }
  CurlEnding given_up = sent(CURLE_WRITE_ERROR);
  given_up.too_long = true;
  EXPECT_EQ(outcome_of(given_up), Outcome::long_body);
}

TEST(CurlOutcome, OfTlsIsItsOwn) {
  for (const CURLcode code : {CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CIPHER}) {
    CurlEnding ending;
    ending.code = code;
    EXPECT_EQ(name_of(outcome_of(ending)), "tls_failed") << code;
  }
}

TEST(CurlOutcome, OfWhatOnlyThisSideCanDoIsLocal) {
  for (const CURLcode code : {CURLE_OUT_OF_MEMORY, CURLE_FAILED_INIT, CURLE_SSL_CACERT_BADFILE,
                              CURLE_URL_MALFORMAT, CURLE_INTERFACE_FAILED}) {
    CurlEnding ending;
    ending.code = code;
    EXPECT_EQ(name_of(outcome_of(ending)), "local") << code;
  }
}

}  // namespace
}  // namespace scalemark::web

// Every legal form of a response, for both engines: each must be read the same whether it comes in one
// segment, in a few or a byte at a time, and must leave the connection ready for the next exchange exactly
// where the protocol says so.
#include <gtest/gtest.h>

#include <cstddef>
#include <ostream>
#include <string>
#include <tuple>
#include <vector>

#include "tests/support/http_peer.h"
#include "tests/support/scripted_peer.h"
#include "tests/web_bench/transport_rig.h"

namespace scalemark::web {
namespace {

using namespace test_support;

/// What a server says for one request, and what a client must make of it.
struct Form {
  std::string name;
  std::string response;
  std::string body;
  bool server_closes = false;   ///< right after the response
  bool connection_open = true;  ///< what the client must conclude
  bool chunked = false;
  int status = 200;
  Outcome outcome = Outcome::good;
};

std::ostream& operator<<(std::ostream& out, const Form& form) {
  return out << form.name;
}

const std::string body_of_files = body_of(150);

std::string replace(std::string text, const std::string& what, const std::string& with) {
  text.replace(text.find(what), what.size(), with);
  return text;
}

std::string chunked_with(const std::string& size_prefix, const std::string& extension,
                         const HttpHeaders& trailers) {
  return http_chunked_head() + size_prefix + http_chunk(body_of_files.substr(0, 20), extension) +
         http_chunk(body_of_files.substr(20)) + http_last_chunk(trailers);
}

std::vector<Form> length_forms() {
  const std::string plain = http_with_length(body_of_files, {{"Server", "peer"}});
  return {
      {.name = "content_length", .response = plain, .body = body_of_files},
      {.name = "content_length_zero", .response = http_with_length(""), .body = ""},
      {.name = "lower_case_names",
       .response = replace(plain, "Content-Length", "content-length"),
       .body = body_of_files},
      {.name = "odd_case_names",
       .response = replace(plain, "Content-Length", "cOnTENT-leNGth"),
       .body = body_of_files},
      {.name = "no_space_after_colon",
       .response = replace(plain, "Content-Length: ", "Content-Length:"),
       .body = body_of_files},
      {.name = "spaces_around_value",
       .response = replace(plain, "Content-Length: 150", "Content-Length: \t 150 \t"),
       .body = body_of_files},
      {.name = "empty_header", .response = replace(plain, "Server: peer", "Server:"), .body = body_of_files},
      {.name = "folded_header",
       .response = replace(plain, "peer", "peer\r\n  and\r\n\tmore"),
       .body = body_of_files},
      {.name = "no_reason", .response = replace(plain, "200 OK", "200 "), .body = body_of_files},
      {.name = "long_reason", .response = replace(plain, "OK", std::string(500, 'o')), .body = body_of_files},
      {.name = "latin1_header",
       .response = replace(plain, "peer",
                           "p\xe9"
                           "er"),
       .body = body_of_files},
      {.name = "equal_lengths_twice",
       .response = http_with_length(body_of_files, {{"Content-Length", "150"}}),
       .body = body_of_files},
      {.name = "big_head",
       .response = http_with_length(body_of_files, {{"X-Big", std::string(2000, 'b')}}),
       .body = body_of_files},
      {.name = "no_content", .response = http_head(204), .body = "", .status = 204},
      {.name = "not_modified_with_length",
       .response = http_head(304, {{"Content-Length", "150"}}),
       .body = "",
       .status = 304,
       .outcome = Outcome::bad_status},
  };
}

std::vector<Form> chunked_forms() {
  return {
      {.name = "one_chunk",
       .response = http_chunked({body_of_files}),
       .body = body_of_files,
       .chunked = true},
      {.name = "many_chunks",
       .response = http_chunked(pieces_of(body_of_files, 7)),
       .body = body_of_files,
       .chunked = true},
      {.name = "no_chunk", .response = http_chunked({}), .body = "", .chunked = true},
      {.name = "chunk_extension",
       .response = chunked_with("", ";name=value;other=\"quoted\"", {}),
       .body = body_of_files,
       .chunked = true},
      {.name = "chunk_size_with_zeros",
       .response = chunked_with("000", "", {}),
       .body = body_of_files,
       .chunked = true},
      {.name = "chunk_size_in_capitals",
       .response = http_chunked_head() + "4B\r\n" + body_of_files.substr(0, 75) + "\r\n4b\r\n" +
                   body_of_files.substr(75) + "\r\n" + http_last_chunk(),
       .body = body_of_files,
       .chunked = true},
      {.name = "trailers",
       .response = chunked_with("", "", {{"X-Checksum", "1234"}, {"X-More", "5678"}}),
       .body = body_of_files,
       .chunked = true},
      {.name = "chunked_then_close",
       .response = http_chunked({body_of_files}, {{"Connection", "close"}}),
       .body = body_of_files,
       .server_closes = true,
       .connection_open = false,
       .chunked = true},
  };
}

std::vector<Form> connection_forms() {
  const std::string plain = http_with_length(body_of_files);
  const std::string interim = http_head(100) + http_head(103, {{"Link", "</a.css>; rel=preload"}});
  return {
      {.name = "continue_first", .response = http_head(100) + plain, .body = body_of_files},
      {.name = "several_interim", .response = interim + http_head(102) + plain, .body = body_of_files},
      {.name = "interim_then_chunked",
       .response = interim + http_chunked({body_of_files}),
       .body = body_of_files,
       .chunked = true},
      {.name = "until_close",
       .response = http_until_close(body_of_files),
       .body = body_of_files,
       .server_closes = true,
       .connection_open = false},
      {.name = "http10_until_close",
       .response = http_until_close(body_of_files, {}, 200, "HTTP/1.0"),
       .body = body_of_files,
       .server_closes = true,
       .connection_open = false},
      {.name = "http10_length",
       .response = http_with_length(body_of_files, {}, 200, "HTTP/1.0"),
       .body = body_of_files,
       .server_closes = true,
       .connection_open = false},
      {.name = "http10_keep_alive",
       .response = http_with_length(body_of_files, {{"Connection", "keep-alive"}}, 200, "HTTP/1.0"),
       .body = body_of_files},
      {.name = "http11_close",
       .response = http_with_length(body_of_files, {{"Connection", "close"}}),
       .body = body_of_files,
       .server_closes = true,
       .connection_open = false},
      {.name = "http11_close_in_capitals",
       .response = http_with_length(body_of_files, {{"CONNECTION", "Close"}}),
       .body = body_of_files,
       .server_closes = true,
       .connection_open = false},
      {.name = "http11_keep_alive",
       .response = http_with_length(body_of_files,
                                    {{"Connection", "Keep-Alive"}, {"Keep-Alive", "timeout=5, max=100"}}),
       .body = body_of_files},
      {.name = "server_says_close_but_lingers",
       .response = http_with_length(body_of_files, {{"Connection", "close"}}),
       .body = body_of_files,
       .connection_open = false},
      {.name = "not_found",
       .response = http_with_length("no such file", {}, 404),
       .body = "no such file",
       .status = 404,
       .outcome = Outcome::bad_status},
      {.name = "server_error_chunked",
       .response = replace(http_chunked({"trouble"}), "200 OK", "500 Oh"),
       .body = "trouble",
       .chunked = true,
       .status = 500,
       .outcome = Outcome::bad_status},
  };
}

std::vector<Form> all_forms() {
  std::vector<Form> forms = length_forms();
  for (const auto& more : {chunked_forms(), connection_forms()}) {
    forms.insert(forms.end(), more.begin(), more.end());
  }
  return forms;
}

class LegalForm : public testing::TestWithParam<std::tuple<Engine, Form>> {
 protected:
  static Engine engine() { return std::get<0>(GetParam()); }
  static const Form& form() { return std::get<1>(GetParam()); }

  /// Does two exchanges in a row, each answered in `segments`, and checks all there is to know about them:
  /// the second proves that the first was read to its last byte and not further.
  void check(const char* delivery, const std::vector<std::string>& segments) {
    SCOPED_TRACE(delivery);
    Script answer;
    answer.expect(kHttpRequestEnd).send_segments(segments, gate_);
    if (form().server_closes) {
      answer.close();
    }
    const ScriptedPeer peer(Script().repeat_forever(answer));
    TransportRig rig(engine(), peer.endpoint());
    rig.keep_in_step_with(gate_);
    const Item item = form().outcome == Outcome::good ? rig.add_item(form().body) : rig.add_unknown_item();

    for (const bool first : {true, false}) {
      SCOPED_TRACE(first ? "first exchange" : "second exchange");
      const ExchangeResult result = rig.run({.item = item, .check_content = true});
      check(result);
      EXPECT_EQ(result.connect.has_value(), first || !form().connection_open);
    }
    EXPECT_EQ(rig.idle_closes(), 0U);
    const auto connections = peer.connections();
    ASSERT_EQ(connections.size(), form().connection_open ? 1U : 2U);
    EXPECT_EQ(connections[0].expected, form().connection_open ? 2U : 1U);
  }

 private:
  static void check(const ExchangeResult& result) {
    EXPECT_EQ(name_of(result.outcome), name_of(form().outcome));
    EXPECT_EQ(result.status, form().status);
    EXPECT_EQ(result.body_bytes, form().body.size());
    EXPECT_EQ(result.connection_open, form().connection_open);
    EXPECT_FALSE(result.stale || result.retried);
    EXPECT_LE(result.first_byte, result.end);
    if (engine() == Engine::native || !form().chunked) {
      EXPECT_EQ(result.wire_bytes, form().response.size());
    } else {
      // libcurl does not show the framing of chunks.
      EXPECT_LT(result.wire_bytes, form().response.size());
      EXPECT_GT(result.wire_bytes, form().body.size());
    }
  }

  Gate gate_;
};

TEST_P(LegalForm, IsReadAlikeInAnySegments) {
  const std::string& response = form().response;
  const std::size_t head = response.find("\r\n\r\n", response.rfind("HTTP/1.")) + 4;
  check("one segment", {response});
  check("head and body apart", {response.substr(0, head), response.substr(head)});
  check("a line at a time", lines_of(response));
  check("a byte at a time", pieces_of(response, 1));
}

INSTANTIATE_TEST_SUITE_P(Transports, LegalForm,
                         testing::Combine(testing::Values(Engine::native, Engine::curl),
                                          testing::ValuesIn(all_forms())),
                         [](const auto& instance) {
                           return engine_name(std::get<0>(instance.param)) + "_" +
                                  std::get<1>(instance.param).name;
                         });

class BigResponse : public testing::TestWithParam<Engine> {
 protected:
  /// The answer for `body`, read to its last byte twice over one connection, or over two if the server
  /// closes.
  static void check(const std::string& body, const std::string& response, bool server_closes = false) {
    const Script answer = http_answer(response);
    const ScriptedPeer peer(server_closes ? Script(answer).close() : Script().repeat_forever(answer));
    TransportRig rig(GetParam(), peer.endpoint());
    const Item item = rig.add_item(body);
    for (const bool check_content : {false, true}) {
      const ExchangeResult result = rig.run({.item = item, .check_content = check_content});
      EXPECT_EQ(name_of(result.outcome), "good");
      EXPECT_EQ(result.body_bytes, body.size());
      if (GetParam() == Engine::native) {
        EXPECT_EQ(result.wire_bytes, response.size());
      }
      EXPECT_EQ(result.connection_open, !server_closes);
    }
    EXPECT_EQ(peer.connections().size(), server_closes ? 2U : 1U);
  }
};

INSTANTIATE_TEST_SUITE_P(Transports, BigResponse, testing::Values(Engine::native, Engine::curl),
                         [](const auto& instance) { return engine_name(instance.param); });

TEST_P(BigResponse, IsReadWholeInEveryFraming) {
  const std::string body = body_of(900'000);
  check(body, http_with_length(body));
  check(body, http_chunked(pieces_of(body, 9'999)));
  check(body, http_chunked({body}));
  check(body, http_until_close(body), true);
}

TEST_P(BigResponse, MayHaveAHeadOfNearly64KiB) {
  check("", http_huge_head(60'000));
}

}  // namespace
}  // namespace scalemark::web

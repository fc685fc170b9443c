#include "web_bench/response_reader.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "core/random.h"

namespace scalemark::web {
namespace {

using State = ResponseReader::State;

class Collect final : public BodySink {
 public:
  std::string body;
  void on_body(std::uint64_t offset, std::span<const char> bytes) override {
    EXPECT_EQ(offset, body.size());
    body.append(bytes.data(), bytes.size());
  }
};

struct Legal {
  const char* name;
  std::string text;
  int status;
  std::string body;
  bool keeps_alive;
  bool ends_with_close;
};

const std::vector<Legal>& legal_responses() {
  static const std::vector<Legal> kResponses = {
      {"Counted", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", 200, "hello", true, false},
      {"Empty", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", 200, "", true, false},
      {"Closing", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi", 200, "hi", false,
       false},
      {"Old", "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nhi", 200, "hi", false, false},
      {"OldKept", "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nhi", 200, "hi", true,
       false},
      {"Chunked",
       "HTTP/1.1 200 OK\r\nTransfer-Encoding: "
       "chunked\r\n\r\n3;x=y\r\nabc\r\n10\r\n0123456789abcdef\r\n0\r\nT: v\r\n\r\n",
       200, "abc0123456789abcdef", true, false},
      {"ToClose", "HTTP/1.1 200 OK\r\n\r\neverything", 200, "everything", false, true},
      {"Interim",
       "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 "
       "OK\r\ncontent-length:1\r\n\r\n.",
       200, ".", true, false},
      {"NoContent", "HTTP/1.1 204 No Content\r\n\r\n", 204, "", true, false},
      {"NotModified", "HTTP/1.1 304 Not Modified\r\nContent-Length: 99\r\n\r\n", 304, "", true, false},
      {"NotFound", "HTTP/1.1 404 Not Found\r\nContent-Length: 3\r\n\r\nno!", 404, "no!", true, false},
      {"NoReason", "HTTP/1.1 200 \r\nContent-Length: 1\r\n\r\nx", 200, "x", true, false},
  };
  return kResponses;
}

void expect_read(const Legal& response, ResponseReader& reader, const Collect& sink) {
  if (response.ends_with_close) {
    EXPECT_TRUE(reader.close()) << response.name;
  }
  EXPECT_EQ(reader.state(), State::complete) << response.name;
  EXPECT_EQ(reader.status(), response.status) << response.name;
  EXPECT_EQ(sink.body, response.body) << response.name;
  EXPECT_EQ(reader.body_bytes(), response.body.size()) << response.name;
  EXPECT_EQ(reader.keeps_alive(), response.keeps_alive) << response.name;
}

TEST(ResponseReader, ReadsEveryLegalFormInOnePiece) {
  for (const Legal& response : legal_responses()) {
    ResponseReader reader;
    Collect sink;
    EXPECT_EQ(reader.feed(response.text, &sink), response.text.size()) << response.name;
    expect_read(response, reader, sink);
  }
}

TEST(ResponseReader, ReadsEveryLegalFormAByteAtATime) {
  for (const Legal& response : legal_responses()) {
    ResponseReader reader;
    Collect sink;
    for (const char& byte : response.text) {
      EXPECT_EQ(reader.feed({&byte, 1}, &sink), 1U) << response.name;
    }
    expect_read(response, reader, sink);
  }
}

TEST(ResponseReader, ReadsEveryLegalFormCutAnywhereAndIsReusable) {
  Random random(3);
  ResponseReader reader;
  for (int round = 0; round < 300; ++round) {
    const Legal& response = legal_responses()[random.below(legal_responses().size())];
    reader.reset();
    Collect sink;
    std::string_view rest = response.text;
    while (!rest.empty()) {
      const std::size_t length = 1 + random.below(rest.size());
      EXPECT_EQ(reader.feed(rest.substr(0, length), &sink), length) << response.name;
      rest.remove_prefix(length);
    }
    expect_read(response, reader, sink);
  }
}

TEST(ResponseReader, LeavesWhatIsNotItsOwn) {
  for (const Legal& response : legal_responses()) {
    if (response.ends_with_close) {
      continue;
    }
    ResponseReader reader;
    Collect sink;
    EXPECT_EQ(reader.feed(response.text + "HTTP/1.1", &sink), response.text.size()) << response.name;
    expect_read(response, reader, sink);
  }
}

TEST(ResponseReader, ACountedBodyMayBeDiscardedUnseen) {
  ResponseReader reader;
  const std::string_view head = "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nab";
  reader.feed(head, nullptr);
  EXPECT_EQ(reader.discardable(), 998U);
  EXPECT_EQ(reader.announced_bytes(), 1000U);
  reader.skip(900);
  EXPECT_EQ(reader.state(), State::counted);
  reader.skip(98);
  EXPECT_EQ(reader.state(), State::complete);
  EXPECT_EQ(reader.body_bytes(), 1000U);
}

TEST(ResponseReader, WhatIsNotHttpIsMalformedAsSoonAsItCanBeKnown) {
  const std::vector<std::string> texts = {
      "SSH-2.0-OpenSSH_9.2\r\n",
      "hello",
      "HTTP/2 200 OK\r\n\r\n",
      "HTTP/1.1 abc OK\r\n\r\n",
      "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
      "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999999\r\n\r\n",
      "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
      "HTTP/1.1 200 OK\r\nbad header\r\n\r\n",
      "HTTP/1.1 101 Switching Protocols\r\n\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nabcd\r\n0\r\n\r\n",
  };
  for (const std::string& text : texts) {
    ResponseReader whole;
    whole.feed(text, nullptr);
    EXPECT_EQ(whole.state(), State::malformed) << text;
    ResponseReader pieces;
    for (const char& byte : text) {
      pieces.feed({&byte, 1}, nullptr);
    }
    EXPECT_EQ(pieces.state(), State::malformed) << text;
  }
}

TEST(ResponseReader, AHeadWithoutAnEndIsMalformed) {
  ResponseReader whole;
  const std::string text = "HTTP/1.1 200 OK\r\n" + std::string(ResponseReader::kMaxHead, 'x');
  whole.feed(text, nullptr);
  EXPECT_EQ(whole.state(), State::malformed);
  ResponseReader pieces;
  for (std::size_t at = 0; at < text.size() && pieces.state() == State::head; at += 1000) {
    pieces.feed(std::string_view(text).substr(at, 1000), nullptr);
  }
  EXPECT_EQ(pieces.state(), State::malformed);
}

TEST(ResponseReader, ACloseInTheMiddleCompletesNothing) {
  for (const std::string_view text :
       {"", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n"}) {
    ResponseReader reader;
    reader.feed(text, nullptr);
    EXPECT_FALSE(reader.close()) << text;
  }
}

}  // namespace
}  // namespace scalemark::web

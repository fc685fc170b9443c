// Everything that a server, a network or this machine can do wrong, for both engines: each ends the exchange
// once, with the outcome that says what it was.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <cstddef>
#include <ostream>
#include <string>
#include <tuple>
#include <vector>

#include "tests/support/http_peer.h"
#include "tests/support/scripted_peer.h"
#include "tests/support/sockets.h"
#include "tests/web_bench/transport_rig.h"

namespace scalemark::web {
namespace {

using namespace std::chrono_literals;
using namespace test_support;

constexpr std::size_t kSize = 150;
const std::string file_body = body_of(kSize);

enum class Then : std::uint8_t { stall, close, reset };

/// A wrong answer to a request for file_body, what the server does after it, and how it must be classed.
struct Fault {
  std::string name;
  std::string response;
  Then then = Then::stall;
  Outcome outcome = Outcome::malformed;
  int status = 0;
  std::size_t body_bytes = 0;
};

std::ostream& operator<<(std::ostream& out, const Fault& fault) {
  return out << fault.name;
}

HttpHeaders length_of(const std::string& value) {
  return {{"Content-Length", value}};
}

std::vector<Fault> malformed_heads() {
  std::string endless;
  while (endless.size() < 200'000) {
    endless += "X-Endless: and so on and so on\r\n";
  }
  return {
      {.name = "lengths_that_differ", .response = http_with_length(file_body, length_of("151"))},
      {.name = "negative_length", .response = http_head(200, length_of("-1")) + file_body},
      {.name = "length_beyond_64_bits",
       .response = http_head(200, length_of("99999999999999999999999")) + file_body},
      {.name = "length_no_number", .response = http_head(200, length_of("many")) + file_body},
      {.name = "garbage", .response = http_garbage(500)},
      {.name = "garbage_then_close", .response = http_garbage(5), .then = Then::close},
      {.name = "status_no_number", .response = "HTTP/1.1 abc OK\r\nContent-Length: 0\r\n\r\n"},
      {.name = "status_too_short", .response = "HTTP/1.1 20 OK\r\nContent-Length: 0\r\n\r\n"},
      {.name = "other_protocol", .response = "ICY 200 OK\r\nContent-Length: 0\r\n\r\n"},
      {.name = "http09", .response = "<html>" + file_body + "</html>\n", .then = Then::close},
      {.name = "header_without_colon",
       .response = "HTTP/1.1 200 OK\r\nno colon here\r\nContent-Length: 0\r\n\r\n"},
      {.name = "head_beyond_64_kib", .response = http_huge_head(70'000)},
      {.name = "head_never_ends", .response = "HTTP/1.1 200 OK\r\n" + endless},
      {.name = "line_never_ends", .response = "HTTP/1.1 200 OK\r\nX-Endless: " + std::string(200'000, 'x')},
      {.name = "switches_protocols", .response = http_head(101, {{"Upgrade", "h2c"}})},
  };
}

std::vector<Fault> malformed_chunks() {
  const std::string head = http_chunked_head();
  const std::string chunk = http_chunk(file_body.substr(0, 20));
  return {
      {.name = "chunk_size_no_number",
       .response = head + chunk + "xyz\r\n" + file_body,
       .status = 200,
       .body_bytes = 20},
      {.name = "chunk_size_beyond_64_bits",
       .response = head + chunk + "10000000000000000\r\n" + file_body,
       .status = 200,
       .body_bytes = 20},
      {.name = "chunk_longer_than_its_size",
       .response = head + chunk + "5\r\n123456789\r\n" + http_last_chunk(),
       .status = 200,
       .body_bytes = 25},
  };
}

std::vector<Fault> cut_short() {
  const std::string whole = http_with_length(file_body);
  const std::string head = http_head(200, length_of(std::to_string(kSize)));
  const std::string chunks = http_chunked_head() + http_chunk(file_body.substr(0, 20));
  return {
      {.name = "closes_at_once", .response = "", .then = Then::close, .outcome = Outcome::closed_early},
      {.name = "closes_in_status_line",
       .response = "HTTP/1.1 2",
       .then = Then::close,
       .outcome = Outcome::closed_early},
      {.name = "closes_in_head",
       .response = head.substr(0, head.size() - 2),
       .then = Then::close,
       .outcome = Outcome::closed_early},
      {.name = "closes_after_interim",
       .response = http_head(100),
       .then = Then::close,
       .outcome = Outcome::closed_early},
      {.name = "closes_in_body",
       .response = whole.substr(0, whole.size() - 1),
       .then = Then::close,
       .outcome = Outcome::closed_early,
       .status = 200,
       .body_bytes = kSize - 1},
      {.name = "closes_between_chunks",
       .response = chunks,
       .then = Then::close,
       .outcome = Outcome::closed_early,
       .status = 200,
       .body_bytes = 20},
      {.name = "closes_in_trailers",
       .response = chunks + "0\r\nX-Trailer: 1\r\n",
       .then = Then::close,
       .outcome = Outcome::closed_early,
       .status = 200,
       .body_bytes = 20},
      {.name = "resets_at_once", .response = "", .then = Then::reset, .outcome = Outcome::reset},
  };
}

std::vector<Fault> wrong_bodies() {
  std::string other = file_body;
  other.back() = '!';
  return {
      {.name = "one_byte_wrong",
       .response = http_with_length(other),
       .outcome = Outcome::wrong_content,
       .status = 200,
       .body_bytes = kSize},
      {.name = "one_byte_wrong_in_chunks",
       .response = http_chunked(pieces_of(other, 40)),
       .outcome = Outcome::wrong_content,
       .status = 200,
       .body_bytes = kSize},
      {.name = "length_shorter_than_file",
       .response = http_with_length(file_body.substr(1)),
       .outcome = Outcome::short_body,
       .status = 200,
       .body_bytes = kSize - 1},
      {.name = "chunks_shorter_than_file",
       .response = http_chunked({file_body.substr(0, 20)}),
       .outcome = Outcome::short_body,
       .status = 200,
       .body_bytes = 20},
      {.name = "until_close_shorter_than_file",
       .response = http_until_close(file_body.substr(0, 20)),
       .then = Then::close,
       .outcome = Outcome::short_body,
       .status = 200,
       .body_bytes = 20},
      {.name = "nothing_instead_of_file",
       .response = http_head(204),
       .outcome = Outcome::short_body,
       .status = 204},
      {.name = "chunks_longer_than_file",
       .response = http_chunked({file_body, "x"}),
       .outcome = Outcome::long_body,
       .status = 200,
       .body_bytes = kSize + 1},
      {.name = "until_close_longer_than_file",
       .response = http_until_close(file_body + "x"),
       .then = Then::close,
       .outcome = Outcome::long_body,
       .status = 200,
       .body_bytes = kSize + 1},
  };
}

std::vector<Fault> all_faults() {
  std::vector<Fault> faults = malformed_heads();
  for (const auto& more : {malformed_chunks(), cut_short(), wrong_bodies()}) {
    faults.insert(faults.end(), more.begin(), more.end());
  }
  return faults;
}

Script answer_of(const std::string& response, Then then) {
  Script answer = http_answer(response);
  switch (then) {
    case Then::close:
      answer.close();
      break;
    case Then::reset:
      answer.reset();
      break;
    case Then::stall:
      break;
  }
  return answer;
}

class FaultyAnswer : public testing::TestWithParam<std::tuple<Engine, Fault>> {};

TEST_P(FaultyAnswer, IsClassedAndDoesNotHarmTheNextExchange) {
  const auto& [engine, fault] = GetParam();
  const bool whole = fault.outcome == Outcome::wrong_content || fault.outcome == Outcome::short_body;
  const Script right = http_answer(http_with_length(file_body));
  const Script faulty = answer_of(fault.response, fault.then).repeat(1, right);
  const ScriptedPeer peer({faulty, right});
  TransportRig rig(engine, peer.endpoint());
  const Item item = rig.add_item(file_body);

  const ExchangeResult result = rig.run({.item = item, .check_content = true});
  EXPECT_EQ(name_of(result.outcome), name_of(fault.outcome));
  EXPECT_EQ(result.status, fault.status);
  EXPECT_EQ(result.body_bytes, fault.body_bytes);
  if (fault.outcome != Outcome::long_body) {  // may be given up before its end, or read to it
    EXPECT_EQ(result.connection_open, whole && fault.then == Then::stall);
  }
  EXPECT_FALSE(result.stale) << "the connection was fresh";
  EXPECT_TRUE(result.connect.has_value());

  const ExchangeResult next = rig.run({.item = item, .check_content = true});
  EXPECT_EQ(name_of(next.outcome), "good");
  EXPECT_EQ(next.connect.has_value(), !result.connection_open);
  EXPECT_EQ(rig.idle_closes(), 0U);
}

INSTANTIATE_TEST_SUITE_P(Transports, FaultyAnswer,
                         testing::Combine(testing::Values(Engine::native, Engine::curl),
                                          testing::ValuesIn(all_faults())),
                         [](const auto& instance) {
                           return engine_name(std::get<0>(instance.param)) + "_" +
                                  std::get<1>(instance.param).name;
                         });

class Trouble : public testing::TestWithParam<Engine> {
 protected:
  /// One exchange for file_body with a server that sends `response` and then does `then`.
  static ExchangeResult run_one(const std::string& response, Then then, bool check_content = false) {
    const ScriptedPeer peer(answer_of(response, then));
    TransportRig rig(GetParam(), peer.endpoint());
    return rig.run({.item = rig.add_item(file_body), .check_content = check_content});
  }
  static void expect_no_response(const ExchangeResult& result, Outcome outcome) {
    EXPECT_EQ(name_of(result.outcome), name_of(outcome));
    EXPECT_EQ(result.status, 0);
    EXPECT_EQ(result.wire_bytes, 0U);
    EXPECT_FALSE(result.connection_open);
    EXPECT_FALSE(result.stale);
  }
};

INSTANTIATE_TEST_SUITE_P(Transports, Trouble, testing::Values(Engine::native, Engine::curl),
                         [](const auto& instance) { return engine_name(instance.param); });

TEST_P(Trouble, ARefusedConnectionIsRefused) {
  for (const Loopback family : {Loopback::v4, Loopback::v6}) {
    const RefusedPort port(family);
    TransportRig rig(GetParam(), port.endpoint());
    const ExchangeResult result = rig.run({.item = rig.add_item(file_body)});
    expect_no_response(result, Outcome::connect_refused);
    EXPECT_FALSE(result.connect.has_value());
  }
}

TEST_P(Trouble, AnUnreachableAddressCountsAsReset) {
  // The system refuses to connect to loopback's broadcast address; nothing leaves the machine.
  TransportRig rig(GetParam(), endpoint_at("127.255.255.255", 9));
  expect_no_response(rig.run({.item = rig.add_item(file_body)}), Outcome::connect_reset);
}

TEST_P(Trouble, AServerThatDoesNotAcceptTimesOutWhileConnecting) {
  const FullBacklogPort port;
  TransportRig rig(GetParam(), port.endpoint(), {.connect_timeout = 300ms});
  const TimePoint start = rig.now();
  const ExchangeResult result = rig.run({.item = rig.add_item(file_body)});
  expect_no_response(result, Outcome::connect_timeout);
  EXPECT_GE(result.end - start, 300ms);
  EXPECT_FALSE(result.connect.has_value());
}

TEST_P(Trouble, AServerThatNeverAnswersTimesOutAfterTheReadTimeout) {
  const ScriptedPeer peer(Script().expect(kHttpRequestEnd).stall());
  TransportRig rig(GetParam(), peer.endpoint(), {.read_timeout = 60s});
  rig.start({.item = rig.add_item(file_body)});
  rig.run_until([&] { return !peer.connections().empty() && peer.connections()[0].expected == 1; });
  rig.skip(50s);
  rig.settle();
  EXPECT_TRUE(rig.results().empty()) << "ended before its time";
  rig.skip(11s);
  expect_no_response(rig.finish(), Outcome::read_timeout);
  rig.run_until([&] { return peer.connections()[0].end == ConnectionEnd::closed_by_client; });
}

TEST_P(Trouble, AStallInTheHeadOrBodyTimesOutWithWhatWasReceived) {
  const std::string whole = http_with_length(file_body);
  const std::string chunks = http_chunked_head() + http_chunk(file_body.substr(0, 100));
  const std::string counted = whole.substr(0, whole.size() - 50);
  for (const std::string& part : {counted, chunks}) {
    const ScriptedPeer peer(http_answer(part).stall());
    TransportRig rig(GetParam(), peer.endpoint(), {.read_timeout = 60s});
    rig.start({.item = rig.add_item(file_body)});
    rig.run_until([&] { return rig.received() >= 100; });
    rig.settle();
    rig.skip(61s);
    const ExchangeResult result = rig.finish();
    EXPECT_EQ(name_of(result.outcome), "read_timeout");
    EXPECT_EQ(result.status, 200);
    EXPECT_EQ(result.body_bytes, 100U);
    EXPECT_GE(result.wire_bytes, 100U);
    EXPECT_FALSE(result.connection_open);
  }
}

TEST_P(Trouble, OnlySilenceTimesOutNotASlowAnswer) {
  Gate gate;
  const auto pieces = pieces_of(file_body, 30);
  const ScriptedPeer peer(
      http_answer(http_head(200, length_of(std::to_string(kSize)))).send_segments(pieces, gate));
  TransportRig rig(GetParam(), peer.endpoint(), {.read_timeout = 60s});
  rig.start({.item = rig.add_item(file_body)});
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const std::uint64_t before = rig.received();
    gate.open();
    rig.run_until([&] { return rig.received() > before || !rig.results().empty(); });
    if (rig.results().empty()) {
      rig.skip(50s);
    }
  }
  EXPECT_EQ(name_of(rig.finish().outcome), "good");
}

TEST_P(Trouble, AResetInTheBodyIsAReset) {
  // The reset may overtake the data before it, so the number of bytes is not ours to know.
  const ExchangeResult result = run_one(http_head(200, length_of("150")) + "part", Then::reset);
  EXPECT_EQ(name_of(result.outcome), "reset");
  EXPECT_FALSE(result.connection_open);
}

TEST_P(Trouble, ContentIsCheckedOnlyWhenAskedFor) {
  EXPECT_EQ(name_of(run_one(http_with_length(std::string(kSize, '!')), Then::stall, false).outcome), "good");
  EXPECT_EQ(name_of(run_one(http_with_length(std::string(kSize, '!')), Then::stall, true).outcome),
            "wrong_content");
}

TEST_P(Trouble, AnAnswerBeyondTheFileIsTooLongWithoutWaitingForItsEnd) {
  const std::string more = file_body + file_body;
  for (const std::string& endless : {http_head(200, length_of("1000000")) + file_body, http_until_close(more),
                                     http_chunked_head() + http_chunk(more)}) {
    const ExchangeResult result = run_one(endless, Then::stall);
    EXPECT_EQ(name_of(result.outcome), "long_body");
    EXPECT_EQ(result.status, 200);
    EXPECT_FALSE(result.connection_open);
  }
}

TEST_P(Trouble, BytesBehindTheAnswerAreTooLong) {
  for (const bool check_content : {false, true}) {
    const ExchangeResult result = run_one(http_with_length(file_body) + "more", Then::stall, check_content);
    EXPECT_EQ(name_of(result.outcome), "long_body");
    EXPECT_FALSE(result.connection_open) << "nobody knows what the next bytes belong to";
  }
}

TEST_P(Trouble, AnAnswerWithBothChunkedAndALength) {
  // RFC 9112, 6.3: chunked overrides the length, but such an answer "ought to be handled as an error".
  const std::string both = http_chunked({file_body}, length_of("150"));
  const ExchangeResult result = run_one(both, Then::stall);
  EXPECT_EQ(name_of(result.outcome), "malformed");
  EXPECT_FALSE(result.connection_open);
}

TEST_P(Trouble, ASourceAddressThatIsNotOursIsALocalFault) {
  const ScriptedPeer peer(http_answer(http_with_length(file_body)));
  TransportRig rig(GetParam(), peer.endpoint(), {.source_address = "198.51.100.1"});
  expect_no_response(rig.run({.item = rig.add_item(file_body)}), Outcome::local);
  EXPECT_TRUE(peer.connections().empty());
}

/// Leaves this process without a single free descriptor for as long as it lives.
class NoDescriptors {
 public:
  NoDescriptors() {
    getrlimit(RLIMIT_NOFILE, &before_);
    // All below the lowest free descriptor are in use, so a limit there leaves none.
    const int lowest_free = checked(open("/dev/null", O_RDONLY | O_CLOEXEC), "open");
    close(lowest_free);
    rlimit none = before_;
    none.rlim_cur = static_cast<rlim_t>(lowest_free);
    checked(setrlimit(RLIMIT_NOFILE, &none), "setrlimit");
  }
  ~NoDescriptors() { setrlimit(RLIMIT_NOFILE, &before_); }
  NoDescriptors(const NoDescriptors&) = delete;
  NoDescriptors& operator=(const NoDescriptors&) = delete;

 private:
  rlimit before_{};
};

TEST_P(Trouble, RunningOutOfDescriptorsIsALocalFaultAndPasses) {
  const ScriptedPeer peer(http_answer(http_with_length(file_body)));
  TransportRig rig(GetParam(), peer.endpoint());
  const Item item = rig.add_item(file_body);
  {
    const NoDescriptors none;
    expect_no_response(rig.run({.item = item}), Outcome::local);
  }
  EXPECT_TRUE(peer.connections().empty());
  EXPECT_EQ(name_of(rig.run({.item = item}).outcome), "good");
}

}  // namespace
}  // namespace scalemark::web

#include "tests/support/scripted_peer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <string>

#include "tests/support/http_peer.h"

namespace scalemark::test_support {
namespace {

using Logs = std::vector<ConnectionLog>;

/// A blocking client, connected from construction on.
class Client {
 public:
  explicit Client(const Endpoint& to)
      : socket_(checked(::socket(to.storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0), "socket")) {
    checked(connect(socket_.get(), to.get(), to.length), "connect");
  }

  void send(const std::string& bytes) {
    ASSERT_EQ(::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(bytes.size()));
  }
  /// The next `count` bytes, fewer when the connection ends.
  std::string read(std::size_t count) {
    std::string text(count, '\0');
    const ssize_t got = recv(socket_.get(), text.data(), count, MSG_WAITALL);
    text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    return text;
  }
  /// 0 at a close in good order, else the error.
  int end() {
    char byte = 0;
    const ssize_t got = recv(socket_.get(), &byte, 1, 0);
    EXPECT_LE(got, 0) << "a byte where the end was expected";
    return got == 0 ? 0 : errno;
  }
  bool readable() const {
    pollfd polled{socket_.get(), POLLIN, 0};
    return poll(&polled, 1, 0) > 0;
  }
  void close() { socket_.close(); }

 private:
  Descriptor socket_;
};

TEST(ScriptedPeer, PlaysExpectAndSendAndRecordsWhatItReceived) {
  const ScriptedPeer peer(Script().send("220 hello\r\n").expect("\r\n").send("250 yes\r\n").close());
  Client client(peer.endpoint());
  EXPECT_EQ(client.read(11), "220 hello\r\n");
  client.send("EHLO");
  client.send(" me\r\n");
  EXPECT_EQ(client.read(9), "250 yes\r\n");
  EXPECT_EQ(client.end(), 0);
  ASSERT_TRUE(peer.wait_until([](const Logs& logs) { return logs[0].end == ConnectionEnd::closed; }));
  EXPECT_EQ(peer.connections()[0].received, "EHLO me\r\n");
  EXPECT_EQ(peer.connections()[0].expected, 1U);
}

TEST(ScriptedPeer, AnswersFromWhatItReceivedAndRepeats) {
  const ScriptedPeer peer(Script().repeat_forever(
      Script().answer("\n", [](std::string_view line) { return std::string(line) + "!"; })));
  Client client(peer.endpoint());
  client.send("a\nb\n");
  EXPECT_EQ(client.read(6), "a\n!b\n!");
  client.close();
  EXPECT_TRUE(
      peer.wait_until([](const Logs& logs) { return logs[0].end == ConnectionEnd::closed_by_client; }));
  EXPECT_EQ(peer.connections()[0].expected, 2U);
}

TEST(ScriptedPeer, GivesEachConnectionItsScriptAndFurtherOnesTheLast) {
  const ScriptedPeer peer({Script().send("1").close(), Script().send("2").close()}, Loopback::v6);
  EXPECT_EQ(peer.endpoint().host(), "::1");
  for (const char* expected : {"1", "2", "2"}) {
    EXPECT_EQ(Client(peer.endpoint()).read(1), expected);
  }
  EXPECT_EQ(peer.connections().size(), 3U);
}

TEST(ScriptedPeer, WaitsAtAGateBeforeEachSegment) {
  Gate gate;
  const ScriptedPeer peer(Script().send_byte_by_byte("abc", gate));
  Client client(peer.endpoint());
  for (const char* expected : {"a", "b", "c"}) {
    EXPECT_FALSE(client.readable());
    gate.open();
    EXPECT_EQ(client.read(1), expected);
  }
  EXPECT_FALSE(gate.open_if_awaited());
}

TEST(ScriptedPeer, ResetsAndHalfCloses) {
  const ScriptedPeer peer({Script().expect("x").reset(), Script().half_close().expect("y").close()});
  Client reset(peer.endpoint());
  reset.send("x");
  EXPECT_EQ(reset.end(), ECONNRESET);
  Client half(peer.endpoint());
  EXPECT_EQ(half.end(), 0);
  half.send("y");
  EXPECT_TRUE(peer.wait_until([](const Logs& logs) { return logs[1].end == ConnectionEnd::closed; }));
  EXPECT_EQ(peer.connections()[1].received, "y");
}

TEST(ScriptedPeer, NotesAClientThatClosesBeforeTheScriptDoes) {
  Gate gate;
  const ScriptedPeer peer(Script().wait(gate).close());
  Client client(peer.endpoint());
  client.close();
  gate.open();
  EXPECT_TRUE(peer.wait_until(
      [](const Logs& logs) { return !logs.empty() && logs[0].end == ConnectionEnd::closed_by_client; }));
}

TEST(ScriptedPeer, StopsInTheMiddleOfEveryStep) {
  Gate never;
  const std::string big(std::size_t{64} << 20U, 'x');  // more than the socket buffers take
  for (const Script& script :
       {Script().stall(), Script().wait(never), Script().expect("never"), Script().send(big)}) {
    ScriptedPeer peer(script);
    const Client client(peer.endpoint());
    ASSERT_TRUE(peer.wait_until([](const Logs& logs) { return logs.size() == 1; }));
  }
}

TEST(DeadPorts, RefuseOrNeverAnswer) {
  const RefusedPort refused;
  EXPECT_THROW(Client{refused.endpoint()}, std::system_error);

  const FullBacklogPort full;
  const Descriptor socket(
      checked(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), "socket"));
  EXPECT_EQ(connect(socket.get(), full.endpoint().get(), full.endpoint().length), -1);
  EXPECT_EQ(errno, EINPROGRESS);
  pollfd polled{socket.get(), POLLOUT, 0};
  EXPECT_EQ(poll(&polled, 1, 0), 0) << "neither connected nor refused";
}

TEST(HttpPeer, PutsResponsesTogether) {
  EXPECT_EQ(http_with_length("abc", {{"A", "b"}}), "HTTP/1.1 200 OK\r\nA: b\r\nContent-Length: 3\r\n\r\nabc");
  EXPECT_EQ(http_until_close("abc", {}, 404, "HTTP/1.0"), "HTTP/1.0 404 Not Found\r\n\r\nabc");
  EXPECT_EQ(
      http_chunked({"abcdefghijklmnop", "q"}),
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n10\r\nabcdefghijklmnop\r\n1\r\nq\r\n0\r\n\r\n");
  EXPECT_EQ(http_chunk("ab", ";x=y") + http_last_chunk({{"T", "1"}}), "2;x=y\r\nab\r\n0\r\nT: 1\r\n\r\n");
  EXPECT_GE(http_huge_head(70'000).size(), 70'000U);
}

TEST(HttpPeer, CutsTexts) {
  EXPECT_THAT(lines_of("a\nb\n\nc"), testing::ElementsAre("a\n", "b\n", "\n", "c"));
  EXPECT_THAT(pieces_of("abcde", 2), testing::ElementsAre("ab", "cd", "e"));
  EXPECT_THAT(http_requests_in("GET 1\r\n\r\nGET 2\r\n\r\nGE"),
              testing::ElementsAre("GET 1\r\n\r\n", "GET 2\r\n\r\n", "GE"));
}

}  // namespace
}  // namespace scalemark::test_support

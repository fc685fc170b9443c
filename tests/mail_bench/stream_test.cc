// What a stream tells its owner, when, and what the owner may do meanwhile.
#include "mail_bench/stream.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "tests/mail_bench/mail_rig.h"
#include "tests/support/scripted_peer.h"
#include "tests/support/sockets.h"

namespace scalemark::mail {
namespace {

using namespace test_support;

/// A stream with notes of what it told.
class StreamRig final : public MailRig, private StreamEvents {
 public:
  StreamRig() {
    StreamEvents& events = *this;
    stream = std::make_unique<Stream>(loop.base(), events);
  }

  void connect(const Endpoint& server, const Address* from = nullptr) {
    within_call_ = true;
    stream->connect(peer_at(server), from);
    within_call_ = false;
  }
  Outcome end_of_it() {
    run_until([&] { return !ends.empty(); });
    return ends.empty() ? Outcome::good : ends.back();
  }
  bool wait_for_data(std::size_t bytes) {
    return run_until([&] { return data.size() >= bytes; });
  }

  std::unique_ptr<Stream> stream;
  std::size_t connects = 0;
  std::size_t flushes = 0;
  std::string data;
  std::vector<Outcome> ends;
  /// Called from within the event after it was noted.
  std::function<void()> at_connected;
  std::function<void()> at_data;
  std::function<void()> at_end;

 private:
  void note(const std::function<void()>& call) {
    EXPECT_FALSE(within_call_) << "an event within a call";
    if (const std::function<void()> copy = call) {
      copy();  // it may replace itself
    }
  }
  void on_connected() override {
    ++connects;
    note(at_connected);
  }
  void on_secured() override {}
  void on_data(std::string_view bytes) override {
    EXPECT_FALSE(bytes.empty());
    data += bytes;
    note(at_data);
  }
  void on_flushed() override {
    EXPECT_TRUE(stream->flushed());
    ++flushes;
  }
  void on_end(Outcome why) override {
    EXPECT_TRUE(stream == nullptr || !stream->open());
    ends.push_back(why);
    note(at_end);
  }

  bool within_call_ = false;
};

/// More than a connection's buffers hold.
std::string more_than_fits() {
  std::string text;
  text.resize(32'000'000, 'a');
  return text;
}

TEST(Stream, CarriesBytesBothWays) {
  ScriptedPeer peer(Script().send("hello\r\n").expect("there\r\n").send("bye\r\n").close());
  StreamRig rig;
  EXPECT_FALSE(rig.stream->open());
  rig.connect(peer.endpoint());
  EXPECT_TRUE(rig.stream->open());
  rig.wait_for_data(7);
  EXPECT_EQ(rig.connects, 1U);
  rig.stream->write("there\r\n");
  EXPECT_TRUE(rig.stream->flushed());
  EXPECT_EQ(rig.end_of_it(), Outcome::closed_early);
  EXPECT_EQ(rig.data, "hello\r\nbye\r\n") << "bytes before the end come before it";
  EXPECT_EQ(rig.flushes, 0U);
  rig.settle();
  EXPECT_EQ(rig.ends.size(), 1U);
}

TEST(Stream, SaysWhyThereIsNoConnection) {
  StreamRig rig;
  const RefusedPort refused;
  rig.connect(refused.endpoint());
  EXPECT_EQ(rig.end_of_it(), Outcome::connect_refused);

  const Address foreign{endpoint_at("192.0.2.1", 0).storage, sizeof(sockaddr_in)};
  rig.ends.clear();
  rig.connect(refused.endpoint(), &foreign);
  EXPECT_EQ(rig.end_of_it(), Outcome::local) << "an address that is not this machine's";
  EXPECT_EQ(rig.connects, 0U);
}

TEST(Stream, LackOfDescriptorsIsLocal) {
  ScriptedPeer peer(Script().stall());
  StreamRig rig;
  rlimit before{};
  getrlimit(RLIMIT_NOFILE, &before);
  const int next = checked(dup(STDOUT_FILENO), "dup");
  ::close(next);
  const rlimit none{static_cast<rlim_t>(next), before.rlim_max};
  setrlimit(RLIMIT_NOFILE, &none);
  rig.connect(peer.endpoint());
  setrlimit(RLIMIT_NOFILE, &before);
  EXPECT_EQ(rig.end_of_it(), Outcome::local);
}

TEST(Stream, ConnectsFromTheGivenAddress) {
  ScriptedPeer peer(Script().send("x").stall());
  StreamRig rig;
  const Address from{endpoint_at("127.0.0.2", 0).storage, sizeof(sockaddr_in)};
  rig.connect(peer.endpoint(), &from);
  rig.wait_for_data(1);
  EXPECT_EQ(peer.connections()[0].client.host(), "127.0.0.2");
}

TEST(Stream, WorksOverIpv6) {
  ScriptedPeer peer(Script().send("x").close(), Loopback::v6);
  StreamRig rig;
  rig.connect(peer.endpoint());
  EXPECT_EQ(rig.end_of_it(), Outcome::closed_early);
  EXPECT_EQ(rig.data, "x");
}

TEST(Stream, AResetIsToldFromAClose) {
  ScriptedPeer peer(Script().send("x").reset());
  StreamRig rig;
  rig.connect(peer.endpoint());
  EXPECT_EQ(rig.end_of_it(), Outcome::reset);
}

TEST(Stream, LongTextsComeWholeAndInOrder) {
  std::string text;
  for (int i = 0; text.size() < 5'000'000; ++i) {
    text += std::to_string(i) + " ";
  }
  ScriptedPeer peer(Script().send(text).close());
  StreamRig rig;
  rig.connect(peer.endpoint());
  EXPECT_EQ(rig.end_of_it(), Outcome::closed_early);
  EXPECT_TRUE(rig.data == text);
}

TEST(Stream, WhatHasToWaitGoesOutInOrderAndIsTold) {
  const std::string much = more_than_fits();
  Gate gate;
  ScriptedPeer peer(Script().wait(gate).expect("end").send("x").stall());
  StreamRig rig;
  rig.at_connected = [&] {
    rig.stream->write(much);
    rig.stream->write("end");
  };
  rig.connect(peer.endpoint());
  rig.run_until([&] { return gate.arrivals() == 1 && rig.connects == 1; });
  rig.settle();
  EXPECT_FALSE(rig.stream->flushed());
  EXPECT_EQ(rig.flushes, 0U);
  gate.open();
  rig.wait_for_data(1);
  EXPECT_EQ(rig.flushes, 1U);
  EXPECT_TRUE(peer.connections()[0].received == much + "end");
}

TEST(Stream, WhatCameBeforeAFailedWriteIsStillRead) {
  ScriptedPeer peer(Script().expect("x").send("421 bye\r\n").reset());
  StreamRig rig;
  rig.at_connected = [&] { rig.stream->write("x"); };
  rig.connect(peer.endpoint());
  ASSERT_TRUE(peer.wait_until([](const auto& log) { return !log.empty(); }));
  // The loop is not turned while the server resets the connection, so that the write is the first to see it.
  rig.run_until([&] { return rig.connects == 1; });
  ASSERT_TRUE(peer.wait_until([](const auto& log) { return log[0].end == ConnectionEnd::reset; }));
  if (rig.ends.empty()) {
    rig.stream->write("more");
    rig.stream->write("and more");
    EXPECT_FALSE(rig.stream->flushed());
  }
  EXPECT_EQ(rig.end_of_it(), Outcome::reset);
  EXPECT_EQ(rig.data, "421 bye\r\n");
  EXPECT_EQ(rig.ends.size(), 1U);
}

TEST(Stream, IsStaleOnceThePeerHasSpokenOrGone) {
  for (const Script& change : {Script().send("421 bye\r\n"), Script().half_close()}) {
    Gate before;
    Gate after;
    ScriptedPeer peer(Script().wait(before).add(change).wait(after));
    StreamRig rig;
    EXPECT_TRUE(rig.stream->stale());
    rig.connect(peer.endpoint());
    rig.run_until([&] { return rig.connects == 1 && before.arrivals() == 1; });
    EXPECT_FALSE(rig.stream->stale());
    before.open();
    while (after.arrivals() == 0) {
      std::this_thread::yield();  // the loop must not see it first
    }
    EXPECT_TRUE(rig.stream->stale());
    after.open();
  }
}

TEST(Stream, LetsThePeerCloseFirstAtParting) {
  Gate gate;
  ScriptedPeer peer(
      {Script().send("bye").wait(gate).send("unheard").close(), Script().send("hello").close()});
  StreamRig rig;
  rig.at_data = [&] { rig.stream->part(); };
  rig.connect(peer.endpoint());
  rig.wait_for_data(3);
  EXPECT_FALSE(rig.stream->open());
  rig.at_data = nullptr;
  rig.connect(peer.endpoint());
  EXPECT_EQ(rig.end_of_it(), Outcome::closed_early);
  gate.open();
  rig.run_until([&] { return peer.connections()[0].end != ConnectionEnd::none; });
  EXPECT_EQ(peer.connections()[0].end, ConnectionEnd::closed);
  rig.settle();
  EXPECT_EQ(rig.data, "byehello");
  EXPECT_EQ(rig.ends.size(), 1U) << "no event of the old connection";
}

TEST(Stream, MayBeClosedFromWithinAnEventAndSaysNoMore) {
  ScriptedPeer peer(Script().send("hello").close());
  StreamRig rig;
  rig.at_data = [&] { rig.stream->close(); };
  rig.connect(peer.endpoint());
  rig.wait_for_data(1);
  rig.settle();
  EXPECT_TRUE(rig.ends.empty());
  EXPECT_FALSE(rig.stream->open());

  rig.at_connected = [&] { rig.stream->close(); };
  rig.connect(peer.endpoint());
  rig.run_until([&] { return rig.connects == 2; });
  rig.settle();
  EXPECT_TRUE(rig.ends.empty());
}

TEST(Stream, MayBeDestroyedFromWithinAnEvent) {
  ScriptedPeer peer(Script().send("hello").close());
  const RefusedPort refused;
  using Place = std::function<void()> StreamRig::*;
  for (const Place place : {&StreamRig::at_connected, &StreamRig::at_data, &StreamRig::at_end}) {
    StreamRig rig;
    rig.*place = [&] { rig.stream.reset(); };
    rig.connect(peer.endpoint());
    rig.run_until([&] { return rig.stream == nullptr; });
    rig.settle();
  }
  StreamRig rig;
  rig.at_end = [&] { rig.stream.reset(); };
  rig.connect(refused.endpoint());
  EXPECT_EQ(rig.end_of_it(), Outcome::connect_refused);
  rig.settle();
}

TEST(Stream, ConnectsAgainFromWithinAnyEvent) {
  ScriptedPeer peer({Script().stall(), Script().send("first").close(), Script().send("second").close(),
                     Script().send("third").close()});
  StreamRig rig;
  rig.at_connected = [&] {
    rig.at_connected = nullptr;
    rig.connect(peer.endpoint());
  };
  rig.at_data = [&] {
    rig.at_data = nullptr;
    rig.data.clear();
    rig.connect(peer.endpoint());
  };
  rig.at_end = [&] {
    rig.at_end = nullptr;
    EXPECT_EQ(rig.data, "second");
    rig.connect(peer.endpoint());
  };
  rig.connect(peer.endpoint());
  rig.run_until([&] { return rig.ends.size() == 2; });
  EXPECT_EQ(rig.data, "secondthird");
  EXPECT_EQ(rig.connects, 4U);
}

TEST(Stream, ANewConnectionKnowsNothingOfTheOldOne) {
  const std::string much = more_than_fits();
  Gate gate;
  ScriptedPeer peer({Script().wait(gate), Script().expect("end").send("x").stall()});
  StreamRig rig;
  rig.at_connected = [&] { rig.stream->write(much); };
  rig.connect(peer.endpoint());
  rig.run_until([&] { return rig.connects == 1; });
  EXPECT_FALSE(rig.stream->flushed());
  rig.at_connected = [&] { rig.stream->write("end"); };
  rig.connect(peer.endpoint());
  rig.wait_for_data(1);
  EXPECT_TRUE(rig.stream->flushed());
  EXPECT_EQ(peer.connections()[1].received, "end");
  gate.open();
}

}  // namespace
}  // namespace scalemark::mail

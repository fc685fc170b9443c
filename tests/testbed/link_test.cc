// The node behind a link of known speed. Time is what is tested here, so these tests take some; they bound it
// from below only, where the link's promise lies.
#include <gtest/gtest.h>
#include <poll.h>

#include <algorithm>
#include <array>

#include "tests/testbed/node_under_test.h"

namespace scalemark::testbed {
namespace {

constexpr std::size_t kLarge = 300'000;

class LinkTest : public ::testing::Test {
 protected:
  LinkTest() {
    files_.write("large", std::string(kLarge, 'x'));
    files_.write_zeros("huge", 20'000'000);
    files_.write("small", "small");
    plan_.link_rate = BitsPerSecond{8e6};  // 1 MB/s
  }

  TempFolder files_;
  NodePlan plan_;
  SteadyClock clock_;
};

// Reads what has come on any of the connections; the number of bytes received on each is kept in `received`.
template <std::size_t N>
void read_what_came(std::array<std::unique_ptr<Client>, N>& clients, std::array<std::size_t, N>& received) {
  std::array<pollfd, N> polled{};
  for (std::size_t i = 0; i < N; ++i) {
    polled[i] = {clients[i]->descriptor(), POLLIN, 0};
  }
  ASSERT_GT(::poll(polled.data(), polled.size(), 10'000), 0) << "nothing came for ten seconds";
  for (std::size_t i = 0; i < N; ++i) {
    if (polled[i].revents != 0) {
      const std::string part = clients[i]->read_some(65536);
      ASSERT_FALSE(part.empty()) << "connection " << i << " ended";
      received[i] += part.size();
    }
  }
}

TEST_F(LinkTest, IsNeverFasterThanItsRate) {
  NodeUnderTest node(files_, plan_);
  Client client(node.address());
  const TimePoint start = clock_.now();
  const auto answer = client.get("/large");
  const Duration took = clock_.now() - start;
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->body, std::string(kLarge, 'x'));
  // The last turn (1,460 bytes) leaves as soon as those before it are paid for.
  EXPECT_GE(took + BuiltinNode::kLinkAllowance, time_on_line(answer->wire_bytes - 1460, *plan_.link_rate));
  node.stop();
  EXPECT_EQ(node.node().counters().wire_bytes, answer->wire_bytes);
}

TEST_F(LinkTest, CountsHeadsAndRefusalsToo) {
  NodeUnderTest node(files_, plan_);
  Client client(node.address());
  const TimePoint start = clock_.now();
  std::size_t wire = 0;
  while (wire < 150'000) {
    for (int i = 0; i < 50; ++i) {
      client.request("/large", "HEAD");
      client.request("/nothing");
    }
    for (int i = 0; i < 50; ++i) {
      wire += client.answer(true)->wire_bytes;
      wire += client.answer()->wire_bytes;
    }
  }
  EXPECT_GE(clock_.now() - start + BuiltinNode::kLinkAllowance, time_on_line(wire - 1460, *plan_.link_rate));
}

TEST_F(LinkTest, GivesGreedyConnectionsEqualShares) {
  NodeUnderTest node(files_, plan_);
  std::array<std::unique_ptr<Client>, 3> clients;
  std::array<std::size_t, 3> received{};
  for (auto& client : clients) {
    client = std::make_unique<Client>(node.address());
    client->request("/large");
  }
  while (*std::max_element(received.begin(), received.end()) < kLarge) {
    ASSERT_NO_FATAL_FAILURE(read_what_came(clients, received));
  }
  // The first to ask may have had the allowance (50,000 bytes) for itself before the others came.
  EXPECT_GT(*std::min_element(received.begin(), received.end()), kLarge * 3 / 4);
}

TEST_F(LinkTest, LetsASmallFileThroughBesideALargeOne) {
  NodeUnderTest node(files_, plan_);
  Client large(node.address());
  Client small(node.address());
  large.request("/huge");
  ASSERT_FALSE(large.read_some(1000).empty());
  EXPECT_EQ(small.get("/small")->body, "small");
  node.stop();
  EXPECT_EQ(node.node().counters().responses, 1U);  // the large one was still on its way
}

TEST_F(LinkTest, IsNotHeldByAClientThatDoesNotRead) {
  plan_.link_rate = BitsPerSecond{8e8};
  NodeUnderTest node(files_, plan_);
  Client lazy(node.address());
  lazy.request("/huge");
  Client other(node.address());
  EXPECT_EQ(other.get("/huge")->body.size(), 20'000'000U);
  EXPECT_EQ(lazy.answer()->body.size(), 20'000'000U);
}

}  // namespace
}  // namespace scalemark::testbed

// What clients do to a node, and that it serves the others all the same.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <algorithm>
#include <vector>

#include "tests/testbed/node_under_test.h"

namespace scalemark::testbed {
namespace {

class NodeSurvivalTest : public ::testing::Test {
 protected:
  NodeSurvivalTest() {
    files_.write("small", "small");
    files_.write_zeros("huge", 20'000'000);
  }

  // Asks until the node has met `accepted` connections and noticed that all but `client`'s have gone. Each
  // answer lets it look at its connections.
  static bool left_alone(NodeUnderTest& node, Client& client, std::uint64_t accepted) {
    for (int tries = 0; tries < 10'000; ++tries) {
      const NodeCounters counters = node.node().counters();
      if (counters.connections_accepted == accepted && counters.connections_open == 1) {
        return true;
      }
      const auto answer = client.get("/small");
      if (!answer || answer->body != "small") {
        return false;
      }
    }
    return false;
  }

  TempFolder files_;
};

TEST_F(NodeSurvivalTest, ClientsThatResetInTheMiddle) {
  for (const bool linked : {false, true}) {
    NodePlan plan;
    if (linked) {
      plan.link_rate = BitsPerSecond{1e9};
    }
    NodeUnderTest node(files_, plan);
    Client steady(node.address());
    for (int i = 0; i < 100; ++i) {
      Client broken(node.address());
      broken.request("/huge");
      if (i % 2 == 0) {
        ASSERT_FALSE(broken.read_some(1000).empty());
      }
      broken.reset();
    }
    EXPECT_TRUE(left_alone(node, steady, 101));
    EXPECT_EQ(steady.get("/huge")->body.size(), 20'000'000U);
  }
}

TEST_F(NodeSurvivalTest, ClientsThatLeaveDuringTheLatency) {
  NodePlan plan;
  plan.latency = std::chrono::milliseconds(20);
  NodeUnderTest node(files_, plan);
  Client steady(node.address());
  for (int i = 0; i < 20; ++i) {
    Client broken(node.address());
    broken.request("/small");
    if (i % 2 == 0) {
      broken.reset();
    }
  }
  EXPECT_TRUE(left_alone(node, steady, 21));
}

TEST_F(NodeSurvivalTest, ClientsThatLeaveWhileTheirTurnIsDue) {
  NodePlan plan;
  plan.link_rate = BitsPerSecond{8e6};
  NodeUnderTest node(files_, plan);
  Client steady(node.address());
  std::vector<std::unique_ptr<Client>> others;
  for (int i = 0; i < 50; ++i) {
    others.push_back(std::make_unique<Client>(node.address()));
    others.back()->request("/huge");
  }
  EXPECT_EQ(steady.get("/small")->body, "small");
  others.clear();
  EXPECT_TRUE(left_alone(node, steady, 51));
}

TEST_F(NodeSurvivalTest, AStopInTheMiddleOfResponses) {
  for (const double rate : {8e6, 1e9}) {
    NodePlan plan;
    plan.link_rate = BitsPerSecond{rate};
    NodeUnderTest node(files_, plan);
    std::vector<std::unique_ptr<Client>> clients;
    for (int i = 0; i < 20; ++i) {
      clients.push_back(std::make_unique<Client>(node.address()));
      clients.back()->request("/huge");
    }
    ASSERT_FALSE(clients.front()->read_some(1000).empty());
    node.stop();
    EXPECT_LT(node.node().counters().responses, 20U);
  }
}

TEST_F(NodeSurvivalTest, HalfSentRequestsBlockNobody) {
  NodeUnderTest node(files_);
  std::vector<std::unique_ptr<Client>> halves;
  for (const char* half :
       {"", "G", "GET /small HTT", "GET /small HTTP/1.1\r\nHost: ", "GET /small HTTP/1.1\r\n"}) {
    halves.push_back(std::make_unique<Client>(node.address()));
    halves.back()->send(half);
  }
  EXPECT_EQ(Client(node.address()).get("/small")->body, "small");
  halves.back()->send("\r\n");
  EXPECT_EQ(halves.back()->answer()->body, "small");
}

TEST_F(NodeSurvivalTest, HeaderFloodsAreCutOff) {
  NodeUnderTest node(files_);
  Client steady(node.address());
  for (const char* flood : {"X: ", "GET /"}) {
    Client client(node.address());
    client.send(*flood == 'X' ? "GET /small HTTP/1.1\r\n" : "");
    client.send(flood + std::string(1'000'000, 'a'));
    const std::string answer = client.read_to_end();  // closed by the node, with an answer or a reset
    EXPECT_EQ(answer.find(" 200 "), std::string::npos) << answer;
  }
  Client lines(node.address());
  lines.send("GET /small HTTP/1.1\r\n");
  std::string many;
  for (int i = 0; i < 20'000; ++i) {
    many += "X: y\r\n";
  }
  lines.send(many + "\r\n");
  EXPECT_EQ(lines.read_to_end().find(" 200 "), std::string::npos);
  EXPECT_TRUE(left_alone(node, steady, 4));
  EXPECT_EQ(steady.get("/small")->body, "small");
}

TEST_F(NodeSurvivalTest, GarbageIsRefused) {
  NodeUnderTest node(files_);
  for (const std::string& garbage :
       {std::string("NONSENSE\r\n\r\n"), std::string("GET\r\n\r\n"),
        std::string("\x16\x03\x01\x00\x05\r\n\r\n", 9), std::string("GET /small HTTP/9\r\n\r\n")}) {
    Client client(node.address());
    client.send(garbage);
    EXPECT_EQ(client.read_to_end().find(" 200 "), std::string::npos);
  }
  EXPECT_EQ(Client(node.address()).get("/small")->body, "small");
}

TEST_F(NodeSurvivalTest, ManyConnectionsAtOnce) {
  NodeUnderTest node(files_);  // has raised the limit
  rlimit limit{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &limit), 0);
  const std::size_t count = std::min<std::size_t>(2000, (limit.rlim_cur - 100) / 2);
  ASSERT_GE(count, 100U) << "too few descriptors for this test";
  std::vector<std::unique_ptr<Client>> clients;
  for (std::size_t i = 0; i < count; ++i) {
    clients.push_back(std::make_unique<Client>(node.address()));
  }
  for (int round = 0; round < 2; ++round) {
    for (auto& client : clients) {
      client->request("/small");
    }
    for (auto& client : clients) {
      ASSERT_EQ(client->answer()->body, "small");
    }
  }
  EXPECT_EQ(node.node().counters().connections_open, count);
  node.stop();
  EXPECT_EQ(node.node().counters().responses, 2 * count);
}

TEST_F(NodeSurvivalTest, ConnectionsBeyondTheLimitWaitForAPlace) {
  NodePlan plan;
  plan.max_connections = 2;
  NodeUnderTest node(files_, plan);
  Client first(node.address());
  auto second = std::make_unique<Client>(node.address());
  EXPECT_EQ(first.get("/small")->body, "small");
  EXPECT_EQ(second->get("/small")->body, "small");
  Client third(node.address());
  third.request("/small");
  EXPECT_EQ(first.get("/small")->body, "small");
  EXPECT_EQ(node.node().counters().connections_accepted, 2U);
  second.reset();
  EXPECT_EQ(third.answer()->body, "small");
  EXPECT_EQ(node.node().counters().connections_accepted, 3U);
}

TEST_F(NodeSurvivalTest, OpensNoDescriptorsThatItDoesNotClose) {
  NodeUnderTest node(files_);
  Client steady(node.address());
  const auto descriptors = [] {
    return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {});
  };
  EXPECT_EQ(steady.get("/small")->body, "small");
  const auto before = descriptors();
  for (int i = 0; i < 200; ++i) {
    Client client(node.address());
    client.request(i % 2 == 0 ? "/small" : "/nothing", "GET", i % 3 == 0 ? "Connection: close\r\n" : "");
    ASSERT_TRUE(client.answer());
  }
  ASSERT_TRUE(left_alone(node, steady, 201));
  EXPECT_EQ(steady.get("/small")->body, "small");
  EXPECT_EQ(descriptors(), before);
}

}  // namespace
}  // namespace scalemark::testbed

#include "testbed/builtin_node.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <fstream>
#include <sstream>
#include <vector>

#include "core/error.h"
#include "tests/testbed/node_under_test.h"

namespace scalemark::testbed {
namespace {

using std::chrono::milliseconds;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class BuiltinNodeTest : public ::testing::Test {
 protected:
  BuiltinNodeTest() {
    files_.write("dir/small", "small file\n");
    files_.write("dir/large", std::string(900'000, 'x') + "end");
    files_.write("a b", "blank");
    files_.write("empty", "");
  }

  TempFolder files_;
};

TEST_F(BuiltinNodeTest, ServesFilesWholeOnOneConnection) {
  NodeUnderTest node(files_);
  Client client(node.address());
  const std::vector<std::pair<std::string, std::string>> expected = {
      {"/dir/small", "small file\n"},
      {"/dir/large", std::string(900'000, 'x') + "end"},
      {"/a%20b?x=1", "blank"},
      {"/empty", ""},
      {"/dir/small", "small file\n"}};
  for (const auto& [path, body] : expected) {
    const auto answer = client.get(path);
    ASSERT_TRUE(answer) << path;
    EXPECT_EQ(answer->status, 200) << path;
    EXPECT_EQ(answer->body, body) << path;
  }
  node.stop();
  EXPECT_EQ(node.node().counters().connections_accepted, 1U);
  EXPECT_EQ(node.node().counters().requests, 5U);
  EXPECT_EQ(node.node().counters().responses, 5U);
}

TEST_F(BuiltinNodeTest, AnswersHeadWithTheHeadAlone) {
  NodeUnderTest node(files_);
  Client client(node.address());
  client.request("/dir/large", "HEAD");
  const auto head = client.answer(true);
  ASSERT_TRUE(head);
  EXPECT_EQ(head->status, 200);
  EXPECT_EQ(head->headers.at("Content-Length"), "900003");
  EXPECT_EQ(client.get("/dir/small")->body, "small file\n");
}

TEST_F(BuiltinNodeTest, RefusesWithTheRightStatusAndStaysOpen) {
  NodeUnderTest node(files_);
  Client client(node.address());
  EXPECT_EQ(client.get("/nothing")->status, 404);
  EXPECT_EQ(client.get("/")->status, 404);
  EXPECT_EQ(client.get("/dir/")->status, 404);
  EXPECT_EQ(client.get("/a%zz")->status, 400);
  client.request("/dir/small", "POST", "Content-Length: 3\r\n");
  client.send("abc");
  const auto refused = client.answer();
  EXPECT_EQ(refused->status, 405);
  EXPECT_EQ(refused->headers.at("Allow"), "GET, HEAD");
  EXPECT_EQ(client.get("/dir/small")->status, 200);
}

TEST_F(BuiltinNodeTest, NeverLeavesItsFolder) {
  const TempFolder outside;
  outside.write("secret", "no");
  std::filesystem::create_symlink(outside.path() / "secret", files_.path() / "link");
  NodeUnderTest node(files_);
  Client client(node.address());
  const std::string out = outside.path().filename();
  for (const std::string& path :
       {"/../" + out + "/secret", "/%2e%2e/" + out + "/secret", "/dir/..%2f../" + out + "/secret",
        "/dir/%2e%2e/%2E%2E%2f" + out + "/secret"}) {
    EXPECT_EQ(client.get(path)->status, 400) << path;
  }
  EXPECT_EQ(client.get("/link")->status, 404);
}

TEST_F(BuiltinNodeTest, ClosesFirstWhenAskedTo) {
  NodeUnderTest node(files_);
  Client client(node.address());
  client.request("/dir/small", "GET", "Connection: close\r\n");
  const auto answer = client.answer();
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->headers.at("Connection"), "close");
  EXPECT_EQ(answer->body, "small file\n");
  EXPECT_EQ(client.read_to_end(), "");
  Client old(node.address());
  old.send("GET /dir/small HTTP/1.0\r\n\r\n");
  EXPECT_THAT(old.read_to_end(), HasSubstr("\r\n\r\nsmall file\n"));
}

TEST_F(BuiltinNodeTest, AnswersPipelinedRequestsInOrder) {
  NodeUnderTest node(files_);
  Client client(node.address());
  client.send("GET /dir/small HTTP/1.1\r\n\r\nGET /nothing HTTP/1.1\r\n\r\nGET /a%20b HTTP/1.1\r\n\r\n");
  EXPECT_EQ(client.answer()->body, "small file\n");
  EXPECT_EQ(client.answer()->status, 404);
  EXPECT_EQ(client.answer()->body, "blank");
}

TEST_F(BuiltinNodeTest, AcceptsRequestsAByteAtATime) {
  NodeUnderTest node(files_);
  Client client(node.address());
  for (const char c : std::string("GET /dir/small HTTP/1.1\r\nHost: node\r\n\r\n")) {
    client.send(std::string(1, c));
  }
  EXPECT_EQ(client.answer()->body, "small file\n");
}

TEST_F(BuiltinNodeTest, DelaysEachResponseByTheLatencyWithoutBlockingOthers) {
  NodePlan plan;
  plan.latency = milliseconds(100);
  NodeUnderTest node(files_, plan);
  const SteadyClock clock;
  const TimePoint start = clock.now();
  std::vector<std::unique_ptr<Client>> clients;
  for (int i = 0; i < 50; ++i) {
    clients.push_back(std::make_unique<Client>(node.address()));
    clients.back()->request("/dir/small");
  }
  EXPECT_EQ(clients.front()->answer()->body, "small file\n");
  EXPECT_GE(clock.now() - start, milliseconds(100));
  for (std::size_t i = 1; i < clients.size(); ++i) {
    EXPECT_EQ(clients[i]->answer()->status, 200);
  }
  EXPECT_LT(clock.now() - start, milliseconds(50 * 100));  // what they would take one after another
}

TEST_F(BuiltinNodeTest, KeepsAnAccessLogThatAddsUp) {
  const TempFolder logs;
  NodePlan plan;
  plan.access_log = logs.path() / "access.log";
  NodeUnderTest node(files_, plan);
  std::size_t wire = 0;
  {
    Client client(node.address());
    wire += client.get("/dir/small")->wire_bytes;
    wire += client.get("/nothing?x=1")->wire_bytes;
    client.request("/dir/large", "HEAD");
    wire += client.answer(true)->wire_bytes;
  }
  Client bad(node.address());
  bad.send("NONSENSE\r\n\r\n");
  wire += bad.read_to_end().size();
  node.stop();
  std::vector<std::string> rests;
  std::size_t logged = 0;
  std::ifstream log(plan.access_log);
  for (std::string line; std::getline(log, line);) {
    std::istringstream fields(line);
    std::string time, client, method, path, status, body, bytes, requests;
    fields >> time >> client >> method >> path >> status >> body >> bytes >> requests;
    EXPECT_THAT(client, StartsWith("127.0.0.1:"));
    std::string rest = method;
    for (const std::string& field : {path, status, body, requests}) {
      rest.append(" ").append(field);
    }
    rests.push_back(rest);
    logged += std::stoul(bytes);
  }
  EXPECT_THAT(rests, ::testing::ElementsAre("GET /dir/small 200 11 1", "GET /nothing?x=1 404 14 2",
                                            "HEAD /dir/large 200 0 3", "- - 400 0 0"));
  EXPECT_EQ(logged, wire);
  EXPECT_EQ(node.node().counters().wire_bytes, wire);
  EXPECT_EQ(node.node().counters().malformed, 1U);
}

TEST_F(BuiltinNodeTest, ListensAtIpv6) {
  std::unique_ptr<BuiltinNode> node;
  try {
    NodePlan plan;
    plan.files = files_.path();
    plan.listen = "[::1]:0";
    node = std::make_unique<BuiltinNode>(plan);
  } catch (const std::exception& error) {
    GTEST_SKIP() << "no IPv6 loopback here: " << error.what();
  }
  std::thread thread([&node] { node->run(); });
  EXPECT_THAT(node->address(), StartsWith("[::1]:"));
  EXPECT_EQ(Client(node->address()).get("/dir/small")->body, "small file\n");
  node->stop();
  thread.join();
}

TEST_F(BuiltinNodeTest, AStopBeforeRunEndsItAtOnce) {
  NodePlan plan;
  plan.files = files_.path();
  plan.listen = "127.0.0.1:0";
  BuiltinNode node(plan);
  node.stop();
  node.run();
  EXPECT_EQ(node.counters().requests, 0U);
}

BuiltinNode* signalled = nullptr;

TEST_F(BuiltinNodeTest, CanBeStoppedByASignal) {
  NodePlan plan;
  plan.files = files_.path();
  plan.listen = "127.0.0.1:0";
  BuiltinNode node(plan);
  std::thread thread([&node] { node.run(); });
  Client client(node.address());
  EXPECT_EQ(client.get("/dir/small")->status, 200);
  signalled = &node;
  auto* const before = std::signal(SIGUSR1, [](int) { signalled->stop(); });
  std::raise(SIGUSR1);
  thread.join();
  std::signal(SIGUSR1, before);
  EXPECT_EQ(node.counters().responses, 1U);
}

TEST_F(BuiltinNodeTest, RefusesPlansItCannotKeep) {
  NodePlan plan;
  plan.files = files_.path();
  plan.listen = "127.0.0.1:0";
  NodePlan wrong = plan;
  wrong.files = files_.path() / "nothing";
  EXPECT_THROW(BuiltinNode{wrong}, UsageError);
  wrong = plan;
  wrong.link_rate = BitsPerSecond{0};
  EXPECT_THROW(BuiltinNode{wrong}, UsageError);
  wrong = plan;
  wrong.latency = milliseconds(-1);
  EXPECT_THROW(BuiltinNode{wrong}, UsageError);
  wrong = plan;
  wrong.max_connections = 4'000'000'000;
  EXPECT_THROW(BuiltinNode{wrong}, UsageError);
  wrong = plan;
  const BuiltinNode first(plan);
  wrong.listen = first.address();
  EXPECT_THROW(BuiltinNode{wrong}, RunError);
}

}  // namespace
}  // namespace scalemark::testbed

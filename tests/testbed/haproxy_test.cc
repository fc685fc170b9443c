// HAProxy as a dispatcher: what is written for it and what is said to it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <thread>

#include "core/error.h"
#include "testbed/dispatcher.h"
#include "tests/support/sockets.h"
#include "tests/testbed/node_under_test.h"

namespace scalemark::testbed {
namespace {

using test_support::checked;
using test_support::Descriptor;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<NodePlace> nodes(const std::vector<unsigned>& numbers) {
  std::vector<NodePlace> places;
  for (const unsigned number : numbers) {
    places.push_back(topology_of("web").node(number));
  }
  return places;
}

Dispatch to(const std::vector<unsigned>& active, const std::vector<unsigned>& draining = {}) {
  return {.vip = "10.78.0.100", .router_mac = "", .active = nodes(active), .draining = nodes(draining)};
}

TEST(HaproxySetup, KnowsAllNodesThatThereMayBe) {
  const ServiceSetup setup =
      setup_haproxy(to({1}), nodes({1, 2}), 8000, "/run/x/router", "/usr/sbin/haproxy");
  ASSERT_EQ(setup.files.size(), 1U);
  EXPECT_THAT(setup.files[0].second,
              AllOf(HasSubstr("mode tcp\n"), HasSubstr("nbthread 1\n"), HasSubstr("maxconn 8000\n"),
                    HasSubstr("bind 10.78.0.100:80 backlog 4096\n"),
                    HasSubstr("  server n1 10.77.0.11:80\n  server n2 10.77.0.12:80 disabled\n"),
                    HasSubstr("stats socket \"/run/x/router/control\" mode 600 level admin\n")));
  EXPECT_THAT(setup.argv, ElementsAre("/usr/sbin/haproxy", "-db", "-f", "/run/x/router/haproxy.conf"));
  EXPECT_EQ(haproxy_socket("/run/x/router"), "/run/x/router/control");
}

TEST(HaproxySetup, TakesNoMoreConnectionsThanDescriptorsAllow) {
  EXPECT_EQ(haproxy_connections(1'000'000), 8000U);
  EXPECT_EQ(haproxy_connections(20'000), 8000U);
  EXPECT_EQ(haproxy_connections(4096), 1948U);
  EXPECT_EQ(haproxy_connections(10), 1U);
}

TEST(HaproxySetup, AChangeSaysOfEveryNodeWhatItIs) {
  EXPECT_THAT(haproxy_change(to({1}, {2}), nodes({1, 2, 3})),
              ElementsAre("set server nodes-80/n1 state ready", "set server nodes-80/n2 state drain",
                          "set server nodes-80/n3 state maint", "shutdown sessions server nodes-80/n3"));
}

TEST(HaproxySetup, EachPortHasAFrontAndABackOfItsOwn) {
  Dispatch dispatch = to({1});
  dispatch.ports = {25, 110};
  const ServiceSetup setup =
      setup_haproxy(dispatch, nodes({1, 2}), 8000, "/run/x/router", "/usr/sbin/haproxy");
  EXPECT_THAT(setup.files.at(0).second,
              AllOf(HasSubstr("frontend service-25\n  bind 10.78.0.100:25 backlog 4096\n"
                              "  default_backend nodes-25\nbackend nodes-25\n"),
                    HasSubstr("  server n1 10.77.0.11:25\n  server n2 10.77.0.12:25 disabled\n"),
                    HasSubstr("frontend service-110\n  bind 10.78.0.100:110 backlog 4096\n"),
                    HasSubstr("  server n1 10.77.0.11:110\n")));
  EXPECT_THAT(haproxy_change(dispatch, nodes({1})),
              ElementsAre("set server nodes-25/n1 state ready", "set server nodes-110/n1 state ready"));
}

/// Answers each connection on a local socket with the next of the given texts.
class FakeProxy {
 public:
  FakeProxy(const std::filesystem::path& path, std::vector<std::string> answers)
      : listener_(checked(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), "socket")) {
    sockaddr_un at{};
    at.sun_family = AF_UNIX;
    std::strncpy(at.sun_path, path.c_str(), sizeof at.sun_path - 1);
    checked(::bind(listener_.get(), reinterpret_cast<const sockaddr*>(&at), sizeof at), "bind");
    checked(::listen(listener_.get(), 8), "listen");
    thread_ = std::thread([this, answers = std::move(answers)] { answer(answers); });
  }
  ~FakeProxy() { heard(); }

  /// What was said to it; waits until all answers are given.
  const std::string& heard() {
    if (thread_.joinable()) {
      thread_.join();
    }
    return heard_;
  }

 private:
  void answer(const std::vector<std::string>& answers) {
    for (const std::string& text : answers) {
      const Descriptor peer(::accept(listener_.get(), nullptr, nullptr));
      std::array<char, 256> question{};
      const ssize_t got = ::read(peer.get(), question.data(), question.size());
      heard_.append(question.data(), got > 0 ? static_cast<std::size_t>(got) : 0);
      (void)::write(peer.get(), text.data(), text.size());
    }
  }

  Descriptor listener_;
  std::string heard_;
  std::thread thread_;
};

TEST(HaproxyTalk, SaysLineAfterLine) {
  const TempFolder folder;
  FakeProxy proxy(folder.path() / "control", {"\n", "\n"});
  tell_haproxy(folder.path() / "control", {"one", "two"}, std::chrono::seconds(10));
  EXPECT_EQ(proxy.heard(), "one\ntwo\n");
}

TEST(HaproxyTalk, ARefusalIsPassedOn) {
  const TempFolder folder;
  const FakeProxy proxy(folder.path() / "control", {"No such server.\n\n"});
  try {
    tell_haproxy(folder.path() / "control", {"set server nodes/n9 state ready"}, std::chrono::seconds(10));
    FAIL() << "took a refusal for success";
  } catch (const RunError& error) {
    EXPECT_STREQ(error.what(), "HAProxy refuses 'set server nodes/n9 state ready': No such server.");
  }
}

TEST(HaproxyTalk, AProxyThatIsNotThereIsAnError) {
  const TempFolder folder;
  EXPECT_THROW(tell_haproxy(folder.path() / "control", {"one"}, std::chrono::seconds(1)), RunError);
  EXPECT_THROW(tell_haproxy(folder.path() / std::string(200, 'x'), {"one"}, std::chrono::seconds(1)),
               RunError);
}

}  // namespace
}  // namespace scalemark::testbed

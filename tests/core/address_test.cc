#include "core/address.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/error.h"
#include "tests/core/usage_error.h"

namespace scalemark {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

std::vector<std::string> texts_of(const std::vector<Address>& addresses) {
  std::vector<std::string> texts;
  texts.reserve(addresses.size());
  for (const Address& address : addresses) {
    texts.push_back(address.text());
  }
  return texts;
}

TEST(Address, IsReadFromFiguresAndWrittenBack) {
  const auto v4 = numeric_address("127.0.0.1", 8080);
  ASSERT_TRUE(v4);
  EXPECT_EQ(v4->family(), AF_INET);
  EXPECT_EQ(v4->host(), "127.0.0.1");
  EXPECT_EQ(v4->port(), 8080);
  EXPECT_EQ(v4->text(), "127.0.0.1:8080");
  const auto v6 = numeric_address("::1", 80);
  ASSERT_TRUE(v6);
  EXPECT_EQ(v6->family(), AF_INET6);
  EXPECT_EQ(v6->host(), "::1");
  EXPECT_EQ(v6->port(), 80);
  EXPECT_EQ(v6->text(), "[::1]:80");
}

TEST(Address, IsNoNameWhenFiguresAreAskedFor) {
  for (const std::string host : {"localhost", "127.0.0.256", "[::1]", "::g"}) {
    EXPECT_FALSE(numeric_address(host, 80)) << host;
  }
}

TEST(Address, IsResolvedFromFiguresAndNames) {
  EXPECT_EQ(resolve_address("127.0.0.2", 25, "a test").text(), "127.0.0.2:25");
  EXPECT_THAT(resolve_address("localhost", 25, "a test").text(), testing::AnyOf("127.0.0.1:25", "[::1]:25"));
}

TEST(Address, NamesTheHostThatDoesNotResolveAndWhereItWasNamed) {
  // A label of 64 characters cannot be a name, so no resolver is asked.
  const std::string host = std::string(64, 'x') + ".invalid";
  EXPECT_THAT([&] { (void)resolve_address(host, 25, "the list"); },
              ThrowsMessage<RunError>(AllOf(HasSubstr('"' + host + '"'), HasSubstr("of the list"))));
}

TEST(HostAndPort, AreSplitAndJoined) {
  for (const std::string text : {"server:25", "127.0.0.1:0", "[::1]:65535", "[fe80::1%eth0]:80"}) {
    const auto parts = split_host_and_port(text);
    ASSERT_TRUE(parts) << text;
    EXPECT_EQ(host_and_port(parts->host, parts->port), text);
  }
  EXPECT_EQ(split_host_and_port("[::1]:80")->host, "::1");
}

TEST(HostAndPort, AreNotReadIntoOtherTexts) {
  for (const std::string text : {"", "8080", ":8080", "127.0.0.1", "::1:8080", "[127.0.0.1]:8080", "[]:80"}) {
    EXPECT_FALSE(split_host_and_port(text)) << text;
  }
  EXPECT_THAT(usage_error([] { (void)split_host_and_port("server:65536"); }), HasSubstr("port"));
  EXPECT_THAT(usage_error([] { (void)split_host_and_port("server:"); }), HasSubstr("port"));
}

TEST(BindAddresses, AreSingleOrRanges) {
  EXPECT_TRUE(bind_addresses({}).empty());
  EXPECT_EQ(
      texts_of(bind_addresses({"127.0.0.9", "127.0.0.2-127.0.0.4", "::1-::1"})),
      (std::vector<std::string>{"127.0.0.9:0", "127.0.0.2:0", "127.0.0.3:0", "127.0.0.4:0", "[::1]:0"}));
}

TEST(BindAddresses, CarryFromOneByteIntoTheNext) {
  EXPECT_EQ(texts_of(bind_addresses({"127.0.255.254-127.1.0.1"})),
            (std::vector<std::string>{"127.0.255.254:0", "127.0.255.255:0", "127.1.0.0:0", "127.1.0.1:0"}));
}

TEST(BindAddresses, MustBeWellFormed) {
  for (const std::string text : {"", "-", "localhost", "127.0.0.1-", "-127.0.0.1", "127.0.0", "127.0.0.256",
                                 "127.0.0.1:80", "127.0.0.1-127.0.0.2-127.0.0.3", "[::1]", "127.0.0.1-::1"}) {
    EXPECT_THROW((void)bind_addresses({text}), UsageError) << text;
  }
}

TEST(BindAddresses, MustNotBeEmptyOrHuge) {
  EXPECT_THROW((void)bind_addresses({"127.0.0.2-127.0.0.1"}), UsageError);
  EXPECT_THAT(usage_error([] { (void)bind_addresses({"127.0.0.0-127.255.255.255"}); }), HasSubstr("65536"));
  EXPECT_THROW((void)bind_addresses({"::-ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"}), UsageError);
}

TEST(BindAddresses, MustBelongToThisMachine) {
  // 192.0.2.0/24 and 2001:db8::/32 are kept for documentation: no machine has them.
  EXPECT_THAT(usage_error([] { (void)bind_addresses({"192.0.2.1"}); }), HasSubstr("192.0.2.1"));
  EXPECT_THROW((void)bind_addresses({"2001:db8::1"}), UsageError);
}

}  // namespace
}  // namespace scalemark

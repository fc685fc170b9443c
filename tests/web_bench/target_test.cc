#include "web_bench/target.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/error.h"

namespace scalemark::web {
namespace {

using testing::HasSubstr;

Target one_target(const std::string& url) {
  const std::vector<Target> targets = resolve_targets({url});
  EXPECT_EQ(targets.size(), 1U);
  return targets.at(0);
}

template <typename Error, typename Call>
std::string message_of(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  ADD_FAILURE() << "no such error was thrown";
  return {};
}

TEST(Target, HoldsThePartsOfAUrl) {
  const Target target = one_target("http://127.0.0.1:8080/site/");
  EXPECT_EQ(target.url, "http://127.0.0.1:8080/site/");
  EXPECT_EQ(target.scheme, "http");
  EXPECT_EQ(target.host, "127.0.0.1");
  EXPECT_EQ(target.port, 8080);
  EXPECT_EQ(target.base_path, "/site/");
  EXPECT_EQ(target.host_header, "127.0.0.1:8080");
  EXPECT_EQ(target.address.text(), "127.0.0.1:8080");
}

TEST(Target, TakesTheSchemesOwnPortAndLeavesItOutOfTheHostHeader) {
  for (const std::string url : {"http://127.0.0.1/", "http://127.0.0.1:80/", "HTTP://127.0.0.1"}) {
    const Target target = one_target(url);
    EXPECT_EQ(target.scheme, "http");
    EXPECT_EQ(target.port, 80);
    EXPECT_EQ(target.host_header, "127.0.0.1");
  }
  const Target secure = one_target("https://127.0.0.1");
  EXPECT_EQ(secure.port, 443);
  EXPECT_EQ(secure.host_header, "127.0.0.1");
  EXPECT_EQ(one_target("https://127.0.0.1:80").host_header, "127.0.0.1:80");
}

TEST(Target, HasABasePathThatBeginsAndEndsWithASlash) {
  EXPECT_EQ(one_target("http://127.0.0.1").base_path, "/");
  EXPECT_EQ(one_target("http://127.0.0.1/").base_path, "/");
  EXPECT_EQ(one_target("http://127.0.0.1/a/b").base_path, "/a/b/");
  EXPECT_EQ(one_target("http://127.0.0.1/with%20space/").base_path, "/with%20space/");
}

TEST(Target, KeepsBracketsOfIpv6InTheHeaderOnly) {
  const Target target = one_target("http://[::1]:8080/");
  EXPECT_EQ(target.host, "::1");
  EXPECT_EQ(target.host_header, "[::1]:8080");
  EXPECT_EQ(target.address.family(), AF_INET6);
  EXPECT_EQ(target.address.text(), "[::1]:8080");
  EXPECT_EQ(one_target("http://[::1]/").host_header, "[::1]");
}

TEST(Target, ResolvesANameOnceAndKeepsIt) {
  const Target target = one_target("http://localhost:8080/");
  EXPECT_EQ(target.host, "localhost");
  EXPECT_EQ(target.host_header, "localhost:8080");
  EXPECT_THAT(target.address.text(), testing::AnyOf("127.0.0.1:8080", "[::1]:8080"));
}

TEST(Target, KeepsTheOrderOfSeveralUrls) {
  const auto targets = resolve_targets({"http://127.0.0.2/", "http://127.0.0.1/"});
  ASSERT_EQ(targets.size(), 2U);
  EXPECT_EQ(targets[0].host, "127.0.0.2");
  EXPECT_EQ(targets[1].host, "127.0.0.1");
}

TEST(Target, SaysHowToWriteAUrlWithoutScheme) {
  const auto message = [](const std::string& url) {
    return message_of<UsageError>([&] { (void)resolve_targets({url}); });
  };
  EXPECT_THAT(message("localhost:8080"), HasSubstr("write http://localhost:8080/"));
  EXPECT_THAT(message("server/path"), HasSubstr("write http://server/"));
  EXPECT_THAT(message("ftp://server/"), HasSubstr("ftp://"));
}

TEST(Target, RefusesWhatABaseUrlCannotHold) {
  for (const std::string url :
       {"http://127.0.0.1/?a=1", "http://127.0.0.1/a?", "http://127.0.0.1/#part", "http://user@127.0.0.1/",
        "http://user:secret@127.0.0.1/", "http://", "http:///path", "http://127.0.0.1:0/",
        "http://127.0.0.1:70000/", "http://127.0.0.1:http/", "http://[::1/", "http://a b/", ""}) {
    EXPECT_THROW((void)resolve_targets({url}), UsageError) << url;
  }
}

TEST(Target, NamesTheHostThatDoesNotResolve) {
  // A label of 64 characters cannot be a name, so no resolver is asked.
  const std::string host = std::string(64, 'x') + ".invalid";
  EXPECT_THAT(message_of<RunError>([&] { (void)resolve_targets({"http://" + host + "/"}); }),
              HasSubstr(host));
}

}  // namespace
}  // namespace scalemark::web

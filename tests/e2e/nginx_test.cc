#include "tests/e2e/nginx.h"

#include <curl/curl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace scalemark::e2e {
namespace {

using test_support::Loopback;
using ::testing::HasSubstr;

// A folder with one file, "greeting".
class NginxTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!Nginx::available()) {
      GTEST_SKIP() << "no nginx on this machine";
    }
    std::filesystem::create_directories(root_);
    std::ofstream(root_ / "greeting") << "good morning\n";
  }
  void TearDown() override { std::filesystem::remove_all(root_); }

  // Status of each GET, one after another on one handle, hence on one connection where that is allowed.
  static std::vector<long> get(const Nginx& nginx, const std::vector<std::string>& paths) {
    std::vector<long> statuses;
    CURL* curl = curl_easy_init();
    const std::string authority = nginx.ca_file();
    curl_easy_setopt(curl, CURLOPT_CAINFO, authority.c_str());
    curl_easy_setopt(curl, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
    curl_easy_setopt(curl, CURLOPT_NOPROXY, "*");
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, &discard);
    for (const std::string& path : paths) {
      curl_easy_setopt(curl, CURLOPT_URL, (nginx.url() + path).c_str());
      long status = 0;
      EXPECT_EQ(curl_easy_perform(curl), CURLE_OK) << path;
      curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
      statuses.push_back(status);
    }
    curl_easy_cleanup(curl);
    return statuses;
  }

  const std::filesystem::path root_ = std::filesystem::path(::testing::TempDir()) /
                                      (std::string("scalemark-nginx-root-") +
                                       ::testing::UnitTest::GetInstance()->current_test_info()->name());

 private:
  static std::size_t discard(char*, std::size_t size, std::size_t count, void*) { return size * count; }
};

TEST_F(NginxTest, LogsEveryRequestThatItAnswered) {
  Nginx nginx({.root = root_});
  EXPECT_EQ(get(nginx, {"greeting", "absent", "greeting?again"}), (std::vector<long>{200, 404, 200}));
  const std::vector<NginxLine> log = nginx.stop();
  ASSERT_EQ(log.size(), 3U);
  EXPECT_EQ(log[0].status, 200);
  EXPECT_EQ(log[0].body_bytes_sent, 13U);
  EXPECT_GT(log[0].bytes_sent, log[0].body_bytes_sent);
  EXPECT_EQ(log[0].path, "/greeting");
  EXPECT_EQ(log[0].method, "GET");
  EXPECT_EQ(log[0].protocol, "HTTP/1.1");
  EXPECT_EQ(log[0].client, "127.0.0.1");
  EXPECT_EQ(log[1].status, 404);
  EXPECT_EQ(log[2].path, "/greeting?again");
  EXPECT_EQ(log[2].connection, log[0].connection);
  EXPECT_EQ(log[2].connection_requests, 3U);
}

TEST_F(NginxTest, ExtraDirectivesReachTheServer) {
  Nginx nginx({.root = root_, .workers = 2, .extra = "keepalive_requests 1;"});
  get(nginx, {"greeting", "greeting"});
  const std::vector<NginxLine> log = nginx.stop();
  ASSERT_EQ(log.size(), 2U);
  EXPECT_NE(log[0].connection, log[1].connection);
}

TEST_F(NginxTest, ServesHttpsOnIpv6WithACertificateThatCanBeTrusted) {
  Nginx nginx({.root = root_, .family = Loopback::v6, .https = true});
  EXPECT_THAT(nginx.url(), HasSubstr("https://[::1]:"));
  EXPECT_EQ(get(nginx, {"greeting"}), std::vector<long>{200});
  const std::vector<NginxLine> log = nginx.stop();
  ASSERT_EQ(log.size(), 1U);
  EXPECT_EQ(log[0].client, "::1");
}

TEST_F(NginxTest, SaysWhyItDoesNotStart) {
  try {
    const Nginx nginx({.root = root_, .extra = "no_such_directive;"});
    FAIL() << "started with a configuration that is none";
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), HasSubstr("no_such_directive"));
  }
}

TEST(NginxLineTest, ReadsEveryField) {
  const NginxLine line = NginxLine::parse("200 1334 1024 17 3 127.0.0.1 HTTP/1.1 GET /a b?c");
  EXPECT_EQ(line.status, 200);
  EXPECT_EQ(line.bytes_sent, 1334U);
  EXPECT_EQ(line.body_bytes_sent, 1024U);
  EXPECT_EQ(line.connection, 17U);
  EXPECT_EQ(line.connection_requests, 3U);
  EXPECT_EQ(line.client, "127.0.0.1");
  EXPECT_EQ(line.protocol, "HTTP/1.1");
  EXPECT_EQ(line.method, "GET");
  EXPECT_EQ(line.path, "/a b?c");
}

TEST(NginxLineTest, RefusesWhatIsNoLine) {
  EXPECT_THROW((void)NginxLine::parse("200 many"), std::runtime_error);
}

}  // namespace
}  // namespace scalemark::e2e

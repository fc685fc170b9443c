#include "testbed/request_target.h"

#include <gtest/gtest.h>

namespace scalemark::testbed {
namespace {

TEST(RequestTarget, NamesAFileBelowTheFolder) {
  EXPECT_EQ(relative_path_of("/file_set/dir00000/class0_0"), "file_set/dir00000/class0_0");
  EXPECT_EQ(relative_path_of("/"), "");
  EXPECT_EQ(relative_path_of("/a/"), "a/");
  EXPECT_EQ(relative_path_of("//a///b"), "a/b");
  EXPECT_EQ(relative_path_of("/./a/./b/."), "a/b");
}

TEST(RequestTarget, DropsQueryAndAuthority) {
  EXPECT_EQ(relative_path_of("/a?b=/../c"), "a");
  EXPECT_EQ(relative_path_of("/a#b"), "a");
  EXPECT_EQ(relative_path_of("http://host:80/a/b"), "a/b");
  EXPECT_EQ(relative_path_of("http://host"), "");
}

TEST(RequestTarget, DecodesEscapes) {
  EXPECT_EQ(relative_path_of("/a%20b%2Fc%2f%41"), "a b/c/A");
  EXPECT_EQ(relative_path_of("/a%3Fb"), "a?b");
  EXPECT_EQ(relative_path_of("/a%252e"), "a%2e");
}

TEST(RequestTarget, RefusesWhatIsMalformed) {
  for (const char* target : {"", "a", "*", "host:80", "/a%", "/a%2", "/a%zz", "/a%00b", "ftp://host/a"}) {
    EXPECT_EQ(relative_path_of(target), std::nullopt) << target;
  }
}

TEST(RequestTarget, NeverClimbsAboveTheFolder) {
  EXPECT_EQ(relative_path_of("/a/../b"), "b");
  for (const char* target : {"/..", "/../a", "/a/../../b", "/%2e%2e/a", "/.%2E/a", "/%2e%2e%2fa",
                             "/a/..%2f..%2fb", "http://host/../a"}) {
    EXPECT_EQ(relative_path_of(target), std::nullopt) << target;
  }
}

}  // namespace
}  // namespace scalemark::testbed

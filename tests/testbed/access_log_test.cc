#include "testbed/access_log.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "core/error.h"
#include "tests/testbed/node_under_test.h"

namespace scalemark::testbed {
namespace {

std::string text_of(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

AccessLine example() {
  return {TimePoint(std::chrono::microseconds(1'234'567)),
          "127.0.0.1:4000",
          "GET",
          "/a b\n%41",
          200,
          15250,
          15329,
          3};
}

TEST(AccessLog, WritesOneLinePerResponseAndAppends) {
  const TempFolder folder;
  const std::string path = folder.path() / "access.log";
  for (int round = 0; round < 2; ++round) {
    AccessLog log(path);
    log.write(example());
    log.finish();
  }
  const std::string line = "1234567 127.0.0.1:4000 GET /a%20b%0A%41 200 15250 15329 3\n";
  EXPECT_EQ(text_of(path), line + line);
}

TEST(AccessLog, KeepsNoneWithoutAName) {
  AccessLog log("");
  EXPECT_FALSE(log.kept());
  log.write(example());
  log.finish();
}

TEST(AccessLog, RefusesAFileThatCannotBeWritten) {
  EXPECT_THROW(AccessLog("/no/such/folder/access.log"), UsageError);
}

TEST(AccessLog, SaysWhenTheDiskIsFull) {
  if (!std::filesystem::exists("/dev/full")) {
    GTEST_SKIP() << "no /dev/full here";
  }
  AccessLog log("/dev/full");
  log.write(example());
  EXPECT_THROW(log.finish(), RunError);
}

}  // namespace
}  // namespace scalemark::testbed

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include <string>

#include "core/run_record.h"

namespace scalemark {
namespace {

using ::testing::MatchesRegex;
using ::testing::StartsWith;

TEST(MachineContext, SaysWhereAndWithWhatARunWasMade) {
  const Json context = machine_context();
  std::string host(256, '\0');
  ASSERT_EQ(gethostname(host.data(), host.size()), 0);
  EXPECT_EQ(context.at("host"), host.c_str());
  EXPECT_THAT(context.at("kernel").get<std::string>(), StartsWith("Linux "));
  EXPECT_GT(context.at("memory_bytes").get<std::uint64_t>(), 1'000'000U);
  EXPECT_THAT(context.at("scalemark").get<std::string>(), MatchesRegex("[0-9]+\\.[0-9]+\\.[0-9]+"));
  EXPECT_THAT(context.at("compiler").get<std::string>(), MatchesRegex("(GCC|Clang) [0-9.]+"));
  EXPECT_THAT(context.at("libevent").get<std::string>(), StartsWith("2."));
  EXPECT_THAT(context.at("started_utc").get<std::string>(), MatchesRegex("20[0-9]{2}-.*T.*Z"));
  EXPECT_TRUE(context.at("build_type").is_string());
  EXPECT_TRUE(context.contains("processor_model"));
}

TEST(MachineContext, CountsOnlyTheProcessorsThatThisProcessMayUse) {
  cpu_set_t before;
  ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  EXPECT_EQ(machine_context().at("processors"), CPU_COUNT(&before));

  std::size_t first = 0;
  while (!CPU_ISSET(first, &before)) {
    ++first;
  }
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(first, &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  const Json processors = machine_context().at("processors");
  ASSERT_EQ(sched_setaffinity(0, sizeof before, &before), 0);
  EXPECT_EQ(processors, 1);
}

TEST(MachineContext, NamesSanitizersOnlyWhenBuiltWithThem) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  EXPECT_NE(machine_context().at("sanitizers"), "");
#else
  EXPECT_FALSE(machine_context().contains("sanitizers") &&
               machine_context()["sanitizers"].get<std::string>().find("address") != std::string::npos);
#endif
}

}  // namespace
}  // namespace scalemark

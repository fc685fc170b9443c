#include "testbed/kernel_counters.h"

#include <gtest/gtest.h>

namespace scalemark::testbed {
namespace {

TEST(NetDev, GivesEveryInterfacesBytes) {
  const auto cards = parse_net_dev(
      "Inter-|   Receive                                                |  Transmit\n"
      " face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo "
      "colls "
      "carrier compressed\n"
      "    lo:     100       2    0    0    0     0          0         0      100       2    0    0    0     "
      "0       "
      "0          0\n"
      "    p1:5000000000      10    0    0    0     0          0         0      7000      20    0    0    0  "
      "   0   "
      "    0          0\n");
  ASSERT_EQ(cards.size(), 2U);
  EXPECT_EQ(cards.at("p1").received_bytes, 5'000'000'000U);
  EXPECT_EQ(cards.at("p1").sent_bytes, 7000U);
}

TEST(NetDev, PassesOverWhatIsNoInterface) {
  EXPECT_TRUE(parse_net_dev("").empty());
  EXPECT_TRUE(parse_net_dev("eth0: 1 2 3\n").empty());
}

TEST(ProcessorTicks, TellIdleFromStolen) {
  const auto ticks = parse_processor_ticks("cpu  100 20 30 4000 50 6 7 80 9 1\ncpu0 1 2 3 4 5 6 7 8 9 10\n");
  ASSERT_TRUE(ticks);
  EXPECT_EQ(ticks->idle, 4050U);  // waiting for a disk is idling, too
  EXPECT_EQ(ticks->stolen, 80U);
  EXPECT_FALSE(parse_processor_ticks(""));
  EXPECT_FALSE(parse_processor_ticks("cpu  1 2 3\n"));
}

TEST(GroupStat, ReadsBothVersions) {
  const GroupStat first = parse_group_stat("nr_periods 500\nnr_throttled 20\nthrottled_time 123456789\n");
  ASSERT_TRUE(first.quota);
  EXPECT_EQ(first.quota->periods, 500U);
  EXPECT_EQ(first.quota->throttled, 20U);
  EXPECT_FALSE(first.cpu);
  const GroupStat second = parse_group_stat(
      "usage_usec 1500000\nuser_usec 1000000\nsystem_usec 500000\nnr_periods 5\nnr_throttled "
      "0\nthrottled_usec 0\n");
  EXPECT_EQ(second.cpu.value(), std::chrono::milliseconds(1500));
  EXPECT_EQ(second.quota.value().periods, 5U);
  EXPECT_FALSE(parse_group_stat("").quota);
}

}  // namespace
}  // namespace scalemark::testbed

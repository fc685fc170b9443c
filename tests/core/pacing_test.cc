#include "core/pacing.h"

#include <gtest/gtest.h>

namespace scalemark {
namespace {

using namespace std::chrono_literals;

constexpr BitsPerSecond kLine{400'000};
constexpr std::uint64_t kBytes = 600'000 / 8;  // 600 Kb: 1.5 s on the line
const TimePoint kStart = TimePoint{} + 10s;

TEST(Pacing, WhatArrivesFasterThanTheLineLastsAsLongAsTheLineNeeds) {
  EXPECT_EQ(paced_end(kStart, kStart + 1s, kBytes, kLine), kStart + 1500ms);
  EXPECT_EQ(paced_end(kStart, kStart, kBytes, kLine), kStart + 1500ms);
}

TEST(Pacing, WhatIsSlowerThanTheLineIsOverWithItsTransferAndEarnsNoCredit) {
  EXPECT_EQ(paced_end(kStart, kStart + 1500ms, kBytes, kLine), kStart + 1500ms);
  EXPECT_EQ(paced_end(kStart, kStart + 4s, kBytes, kLine), kStart + 4s);
}

TEST(Pacing, WithoutBytesThereIsNoWait) {
  EXPECT_EQ(paced_end(kStart, kStart + 3ms, 0, kLine), kStart + 3ms);
}

}  // namespace
}  // namespace scalemark

#include "testbed/shaped_link.h"

#include <gtest/gtest.h>

namespace scalemark::testbed {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr BitsPerSecond kRate{8'000'000};  // a byte a microsecond
constexpr Duration kAllowance = milliseconds(50);

// What a sender with `piece` bytes ready gets through in `span` when it looks at the link every `look`.
std::uint64_t carried(ShapedLink& link, TimePoint from, Duration span, Duration look, std::uint64_t piece) {
  std::uint64_t bytes = 0;
  for (TimePoint now = from; now < from + span; now += look) {
    while (link.free(now)) {
      link.carry(piece, now);
      bytes += piece;
    }
  }
  return bytes;
}

TEST(ShapedLink, IsBusyForAsLongAsTheBytesNeed) {
  ShapedLink link(kRate, Duration::zero());
  const TimePoint now{seconds(5)};
  EXPECT_TRUE(link.free(now));
  EXPECT_EQ(link.wait(now), Duration::zero());
  link.carry(1500, now);
  EXPECT_FALSE(link.free(now));
  EXPECT_EQ(link.wait(now + microseconds(500)), microseconds(1000));
  EXPECT_TRUE(link.free(now + microseconds(1500)));
}

TEST(ShapedLink, PaysForWhatWasPutOnItWhileBusy) {
  ShapedLink link(kRate, Duration::zero());
  const TimePoint now{seconds(5)};
  link.carry(1000, now);
  link.carry(1000, now);
  EXPECT_EQ(link.wait(now), microseconds(2000));
}

TEST(ShapedLink, CatchesUpAfterALateLook) {
  ShapedLink link(kRate, kAllowance);
  const TimePoint start{seconds(5)};
  carried(link, start, seconds(1), milliseconds(1), 1460);
  // A sender that looks only every 20 ms gets the rate all the same: within one piece of 2,000,000 bytes.
  const std::uint64_t bytes = carried(link, start + seconds(1), seconds(2), milliseconds(20), 1460);
  EXPECT_NEAR(static_cast<double>(bytes), 2e6, 20'000 + 1460);
}

TEST(ShapedLink, NeverCarriesMoreThanRateAllowanceAndOnePiece) {
  for (const auto look : {microseconds(100), microseconds(1000), microseconds(70'000)}) {
    for (const std::uint64_t piece : {100U, 1460U, 100'000U}) {
      ShapedLink link(kRate, kAllowance);
      const std::uint64_t bytes = carried(link, TimePoint{seconds(5)}, seconds(1), look, piece);
      EXPECT_LE(bytes, 1'000'000U + 50'000U + piece) << look.count() << " " << piece;
    }
  }
}

TEST(ShapedLink, SavesNoMoreThanTheAllowanceWhileIdle) {
  ShapedLink link(kRate, kAllowance);
  const TimePoint late{seconds(3600)};
  std::uint64_t burst = 0;
  while (link.free(late)) {
    link.carry(1000, late);
    burst += 1000;
  }
  EXPECT_EQ(burst, 51'000U);
}

}  // namespace
}  // namespace scalemark::testbed

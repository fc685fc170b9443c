#include "core/split.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "core/random.h"

namespace scalemark {
namespace {

void expect_exact_cover(std::uint32_t users, std::uint32_t workers) {
  SCOPED_TRACE(testing::Message() << users << " users over " << workers << " workers");
  std::vector<std::uint32_t> carried(users);
  std::uint32_t least = users;
  std::uint32_t most = 0;
  for (std::uint32_t worker = 0; worker < workers; ++worker) {
    const UserShare share{worker, workers, users};
    least = std::min(least, share.count());
    most = std::max(most, share.count());
    for (std::uint32_t local = 0; local < share.count(); ++local) {
      ASSERT_LT(share.global(local), users);
      ++carried[share.global(local)];
    }
  }
  EXPECT_TRUE(std::all_of(carried.begin(), carried.end(), [](std::uint32_t times) { return times == 1; }));
  EXPECT_LE(most - least, 1U);
}

TEST(UserShare, CarriesEveryUserExactlyOnceInSharesThatDifferByAtMostOne) {
  for (std::uint32_t users = 0; users <= 40; ++users) {
    for (std::uint32_t workers = 1; workers <= 20; ++workers) {
      expect_exact_cover(users, workers);
    }
  }
  Random random(1);
  for (int i = 0; i < 100; ++i) {
    expect_exact_cover(static_cast<std::uint32_t>(random.below(20000)),
                       static_cast<std::uint32_t>(1 + random.below(300)));
  }
}

TEST(UserShare, DealsRoundRobinSoThatEveryStretchOfUsersTouchesAllWorkers) {
  const UserShare second{1, 4, 10};
  ASSERT_EQ(second.count(), 3U);
  EXPECT_EQ(second.global(0), 1U);
  EXPECT_EQ(second.global(1), 5U);
  EXPECT_EQ(second.global(2), 9U);
}

TEST(UserShare, CountsRightUpToTheLargestNumberOfUsers) {
  constexpr std::uint32_t kUsers = std::numeric_limits<std::uint32_t>::max();
  EXPECT_EQ((UserShare{0, 1, kUsers}.count()), kUsers);
  EXPECT_EQ((UserShare{0, 2, kUsers}.count()), kUsers / 2 + 1);
  EXPECT_EQ((UserShare{1, 2, kUsers}.count()), kUsers / 2);
  EXPECT_EQ((UserShare{kUsers - 1, kUsers, kUsers}.count()), 1U);
}

}  // namespace
}  // namespace scalemark

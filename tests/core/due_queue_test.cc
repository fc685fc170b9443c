#include "core/due_queue.h"

#include <gtest/gtest.h>

#include <vector>

namespace scalemark {
namespace {

using namespace std::chrono_literals;

std::vector<std::uint32_t> take_all(DueQueue& queue, TimePoint now) {
  std::vector<std::uint32_t> users;
  while (const auto entry = queue.take(now)) {
    users.push_back(entry->user);
  }
  return users;
}

TEST(DueQueue, GivesTheEarliestFirstWhateverTheOrderOfAdding) {
  DueQueue queue;
  queue.add(TimePoint{} + 3s, 1);
  queue.add(TimePoint{} + 1s, 2);
  queue.add(TimePoint{} + 2s, 3);
  EXPECT_EQ(queue.next(), TimePoint{} + 1s);
  EXPECT_EQ(take_all(queue, TimePoint{} + 10s), (std::vector<std::uint32_t>{2, 3, 1}));
  EXPECT_EQ(queue.next(), std::nullopt);
}

TEST(DueQueue, EqualInstantsGoByTheUsersNumber) {
  DueQueue queue;
  for (const std::uint32_t user : {7U, 2U, 9U, 0U, 5U}) {
    queue.add(TimePoint{} + 1s, user);
  }
  EXPECT_EQ(take_all(queue, TimePoint{} + 1s), (std::vector<std::uint32_t>{0, 2, 5, 7, 9}));
}

TEST(DueQueue, TakesOnlyWhatIsDue) {
  DueQueue queue;
  EXPECT_EQ(queue.take(TimePoint::max()), std::nullopt);
  queue.add(TimePoint{} + 1s, 1);
  queue.add(TimePoint{} + 2s, 2);
  EXPECT_EQ(queue.take(TimePoint{} + 1s - 1ns), std::nullopt);
  EXPECT_EQ(take_all(queue, TimePoint{} + 1s), std::vector<std::uint32_t>{1});
  EXPECT_EQ(queue.next(), TimePoint{} + 2s);
  const auto entry = queue.take(TimePoint{} + 5s);
  ASSERT_TRUE(entry);
  EXPECT_EQ(entry->due, TimePoint{} + 2s);  // when it was due, not when it was taken
}

}  // namespace
}  // namespace scalemark

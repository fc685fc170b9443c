#include "core/event_loop.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

namespace scalemark {
namespace {

using namespace std::chrono_literals;

TEST(ExactTimer, NeverFiresBeforeItsInstant) {
  const SteadyClock clock;
  for (const Duration grain : {Duration(1us), Duration(1ms)}) {
    EventLoop loop;
    int fired = 0;
    TimePoint due = clock.now();
    ExactTimer timer(loop, grain, [&] {
      EXPECT_GE(clock.now(), due);
      if (++fired == 20) {
        loop.stop();
        return;
      }
      due = clock.now() + 300us;
      timer.set(due);
    });
    timer.set(due);
    loop.run();
    EXPECT_EQ(fired, 20);
  }
}

TEST(ExactTimer, AnInstantThatIsOverFiresAtOnceAndALaterSettingReplacesAnEarlierOne) {
  const SteadyClock clock;
  EventLoop loop;
  std::vector<int> order;
  ExactTimer far(loop, 1us, [&] { order.push_back(1); });
  ExactTimer over(loop, 1us, [&] { order.push_back(2); });
  Timer end(loop, [&] { loop.stop(); });
  far.set(clock.now() + 1ms);
  far.set(clock.now() + 24h);
  over.set(TimePoint{});
  end.set(20ms);
  loop.run();
  EXPECT_EQ(order, std::vector<int>{2});
}

TEST(EventLoop, WhatATimersCallThrowsComesOutOfRun) {
  EventLoop loop;
  Timer timer(loop, [] { throw std::runtime_error("no more"); });
  timer.set(1ms);
  EXPECT_THROW(loop.run(), std::runtime_error);
  Timer end(loop, [&] { loop.stop(); });
  end.set(1ms);
  loop.run();  // and the loop can go on
}

TEST(ExactTimer, AnInstantThatNeverComesIsAllowed) {
  EventLoop loop;
  ExactTimer never(loop, 1ms, [] { FAIL(); });
  never.set(TimePoint::max());
  Timer end(loop, [&] { loop.stop(); });
  end.set(5ms);
  loop.run();
}

TEST(Timer, FiresOncePerSettingAndNotAfterItsEnd) {
  EventLoop loop;
  int fired = 0;
  Timer end(loop, [&] { loop.stop(); });
  {
    Timer gone(loop, [&] { ++fired; });
    gone.set(1ms);
  }
  Timer timer(loop, [&] {
    ++fired;
    end.set(20ms);
  });
  timer.set(1ms);
  loop.run();
  EXPECT_EQ(fired, 1);
}

}  // namespace
}  // namespace scalemark

#include "app/stop_signals.h"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>

namespace scalemark::app {
namespace {

void count(void* calls) {
  ++*static_cast<int*>(calls);
}

TEST(StopSignalsTest, TheFirstSignalOfAKindSetsTheFlagAndCallsTheHook) {
  for (const int signal : {SIGINT, SIGTERM}) {
    int calls = 0;
    const StopSignals signals(count, &calls);
    EXPECT_FALSE(StopSignals::stopped());
    std::raise(signal);
    EXPECT_TRUE(StopSignals::stopped());
    EXPECT_EQ(calls, 1);
  }
}

TEST(StopSignalsTest, TheFlagIsClearForTheNextWork) {
  {
    const StopSignals signals;
    std::raise(SIGINT);
  }
  const StopSignals signals;
  EXPECT_FALSE(StopSignals::stopped());
}

TEST(StopSignalsTest, AnInheritedIgnoreDoesNotHold) {
  // Shells start background jobs with SIGINT ignored.
  std::signal(SIGINT, SIG_IGN);
  {
    const StopSignals signals;
    std::raise(SIGINT);
    EXPECT_TRUE(StopSignals::stopped());
  }
  EXPECT_EQ(std::signal(SIGINT, SIG_DFL), SIG_IGN) << "it is given back as it was";
}

TEST(StopSignalsTest, AHangUpStopsUnlessItWasIgnored) {
  {
    const StopSignals signals;
    std::raise(SIGHUP);
    EXPECT_TRUE(StopSignals::stopped());
  }
  std::signal(SIGHUP, SIG_IGN);  // as nohup does
  {
    const StopSignals signals;
    std::raise(SIGHUP);
    EXPECT_FALSE(StopSignals::stopped());
  }
  std::signal(SIGHUP, SIG_DFL);
}

TEST(StopSignalsTest, AnImpatientSecondSignalIsOverlooked) {
  int calls = 0;
  const StopSignals signals(count, &calls, std::chrono::hours(1));
  std::raise(SIGINT);
  std::raise(SIGINT);
  std::raise(SIGTERM);
  EXPECT_EQ(calls, 1);
}

TEST(StopSignalsDeathTest, ASignalAfterThePatienceEndsTheProcess) {
  EXPECT_EXIT(
      {
        const StopSignals signals(nullptr, nullptr, Duration::zero());
        std::raise(SIGINT);
        std::raise(SIGINT);
      },
      testing::KilledBySignal(SIGINT), "");
}

}  // namespace
}  // namespace scalemark::app

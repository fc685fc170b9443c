#include "app/run_measurement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace scalemark::app {
namespace {

using namespace std::chrono_literals;

TEST(ProgressTextTest, OneLineSaysWhereTheRunIsAndHowItGoes) {
  EXPECT_EQ(progress_text({.iteration = 2,
                           .iterations = 3,
                           .phase = "window",
                           .elapsed = 65s,
                           .planned = 3700s,
                           .active = 100,
                           .operations = 2000,
                           .failed = 4,
                           .operations_per_second = 327.6,
                           .bits_per_second = 38.2e6}),
            "iteration 2/3 window  1:05 of 1:01:40  100 users  328 op/s  38.2 Mb/s  4 failed");
}

}  // namespace
}  // namespace scalemark::app

#include "app/doctor_command.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "tests/app/console_capture.h"

namespace scalemark::app {
namespace {

using Level = PreflightFinding::Level;
using Findings = std::vector<PreflightFinding>;

TEST(DoctorCommandTest, FindingsAreAlignedLinesAndZeroWhenARunCouldBegin) {
  ConsoleCapture capture;
  const auto command = make_doctor_command([](const auto&) {
    return Findings{{Level::ok, "descriptors", "20,000 allowed, 1,064 needed"},
                    {Level::warning, "ports", "few"}};
  });
  EXPECT_EQ(command->run(capture.console()), 0);
  EXPECT_EQ(capture.out(),
            "ok       descriptors  20,000 allowed, 1,064 needed\n"
            "warning  ports        few\n");
}

TEST(DoctorCommandTest, OneRefusalIsAFailure) {
  ConsoleCapture capture;
  const auto command = make_doctor_command([](const auto&) {
    return Findings{{Level::refuse, "target", "no answer"}, {Level::ok, "clock", "fine"}};
  });
  EXPECT_EQ(command->run(capture.console()), 1);
  EXPECT_EQ(capture.out(), "refuse   target  no answer\nok       clock   fine\n");
}

TEST(DoctorCommandTest, ThePlanIsThatOfTheWebOptions) {
  ConsoleCapture capture;
  std::uint32_t connections = 0;
  const auto command = make_doctor_command([&connections](const web::WebPlan& plan) {
    connections = plan.connections;
    return Findings{};
  });
  command->apply({{"connections", {"5000"}, ""}});
  command->check();  // without a URL only the machine is checked
  command->run(capture.console());
  EXPECT_EQ(connections, 5000U);
}

TEST(DoctorCommandTest, APlanWithAUrlMustHoldTogether) {
  const auto command = make_doctor_command([](const auto&) { return Findings{}; });
  command->apply({{"url", {"https://a/"}, ""}});
  EXPECT_THROW(command->check(), UsageError);
}

}  // namespace
}  // namespace scalemark::app

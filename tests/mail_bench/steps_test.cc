#include "mail_bench/steps.h"

#include <gtest/gtest.h>

#include <set>

namespace scalemark::mail {
namespace {

TEST(Steps, EveryStepHasANameOfItsOwn) {
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < kSteps; ++i) {
    names.insert(name_of(static_cast<Step>(i)));
  }
  EXPECT_EQ(names.size(), kSteps);
  EXPECT_EQ(name_of(Step::operation), "operation");
}

}  // namespace
}  // namespace scalemark::mail

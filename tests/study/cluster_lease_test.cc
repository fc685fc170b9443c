#include "study/cluster_lease.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testbed/cluster_state.h"
#include "tests/core/usage_error.h"

namespace scalemark::study {
namespace {

using ::testing::HasSubstr;

TEST(ClusterLease, OneStudyAtATimeHasTheName) {
  const std::string name = "lease1";
  {
    const ClusterLease first(name);
    EXPECT_THAT(usage_error([&] { const ClusterLease second(name); }), HasSubstr("another study"));
  }
  EXPECT_NO_THROW(ClusterLease{name}) << "given back";
}

TEST(ClusterLease, AClusterThatNoStudyHasMadeIsLeftAlone) {
  testbed::ClusterState state;
  state.plan.name = "lease2";
  testbed::write_state(state);
  EXPECT_THAT(usage_error([] { const ClusterLease lease("lease2"); }), HasSubstr("no study has made it"));
  testbed::forget_state("lease2");
}

TEST(ClusterLease, WhatAKilledStudyHasLeftIsTakenUp) {
  testbed::ClusterState state;
  state.plan.name = "lease3";
  {
    const ClusterLease study("lease3");
    testbed::write_state(state);
    // Another process that did not get to give the name back leaves exactly this: the mark, without its lock.
    std::filesystem::copy_file(testbed::state_folder() / "lease3.study",
                               testbed::state_folder() / "lease3.kept");
  }
  std::filesystem::rename(testbed::state_folder() / "lease3.kept", testbed::state_folder() / "lease3.study");
  EXPECT_NO_THROW(ClusterLease("lease3"));
  testbed::forget_state("lease3");
}

}  // namespace
}  // namespace scalemark::study

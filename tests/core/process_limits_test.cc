#include "core/process_limits.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

namespace scalemark {
namespace {

/// Gives the limits back that a test changes: others may share its process.
class DescriptorLimit : public testing::Test {
 protected:
  DescriptorLimit() { ::getrlimit(RLIMIT_NOFILE, &before_); }
  ~DescriptorLimit() override { ::setrlimit(RLIMIT_NOFILE, &before_); }

  /// Lowers the soft limit only, so that it can be raised again.
  void lower_to(rlim_t soft) const {
    const rlimit lower{soft, before_.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &lower), 0);
  }

  rlimit before_{};
};

TEST_F(DescriptorLimit, IsTheSoftOneAndItsCeilingTheHardOne) {
  lower_to(100);
  EXPECT_EQ(descriptor_limit(), 100U);
  EXPECT_EQ(descriptor_ceiling(), before_.rlim_max);
}

TEST_F(DescriptorLimit, IsRaisedToWhatIsNeededAndNeverLowered) {
  lower_to(100);
  EXPECT_EQ(raise_descriptor_limit(120), 120U);
  EXPECT_EQ(descriptor_limit(), 120U);
  EXPECT_EQ(raise_descriptor_limit(110), 120U);
  EXPECT_EQ(descriptor_ceiling(), before_.rlim_max);
}

TEST_F(DescriptorLimit, CanBeRaisedToItsCeiling) {
  lower_to(100);
  EXPECT_EQ(raise_descriptor_limit(descriptor_ceiling()), before_.rlim_max);
}

TEST(Descriptors, AreCountedWhileTheyAreOpen) {
  const std::uint64_t before = open_descriptors();
  const int fd = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  ASSERT_GE(fd, 0);
  EXPECT_EQ(open_descriptors(), before + 1);
  ::close(fd);
  EXPECT_EQ(open_descriptors(), before);
}

TEST(Memory, AtItsPeakIsMoreThanNothing) {
  EXPECT_GT(peak_memory_bytes(), 100'000U);
}

}  // namespace
}  // namespace scalemark

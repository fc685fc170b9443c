#include "testbed/cpu_cap.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace scalemark::testbed {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

constexpr const char* kV1 =
    "30 20 0:26 / /sys/fs/cgroup rw,relatime shared:5 - tmpfs tmpfs rw,mode=755\n"
    "31 30 0:27 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n"
    "32 30 0:28 / /sys/fs/cgroup/cpu,cpuacct rw,relatime shared:9 master:3 - cgroup cgroup rw,cpu,cpuacct\n"
    "33 30 0:29 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw\n";
constexpr const char* kV2 =
    "25 20 0:22 / /sys rw - sysfs sysfs rw\n"
    "26 25 0:23 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n";

TEST(CpuCgroupsTest, VersionOneIsTakenWhereItHasTheProcessors) {
  const CpuCgroups groups = cpu_cgroups_of(kV1, "hugetlb\n");
  EXPECT_EQ(groups.version, CgroupVersion::v1);
  EXPECT_EQ(groups.root, "/sys/fs/cgroup/cpu,cpuacct");
}

TEST(CpuCgroupsTest, VersionTwoNeedsTheController) {
  const CpuCgroups groups = cpu_cgroups_of(kV2, "cpuset cpu io memory pids\n");
  EXPECT_EQ(groups.version, CgroupVersion::v2);
  EXPECT_EQ(groups.root, "/sys/fs/cgroup");
  const CpuCgroups without = cpu_cgroups_of(kV2, "cpuset io\n");
  EXPECT_EQ(without.version, CgroupVersion::none);
  EXPECT_THAT(without.why_not, HasSubstr("controller 'cpu'"));
  EXPECT_EQ(cpu_cgroups_of("", "").version, CgroupVersion::none);
}

TEST(CpuCapTest, APeriodIsTwentyMillisecondsUnlessTheQuotaWouldBeTooSmall) {
  EXPECT_THAT(cap_files(CgroupVersion::v1, 0.2),
              ElementsAre(Pair("cpu.cfs_period_us", "20000"), Pair("cpu.cfs_quota_us", "4000")));
  EXPECT_THAT(cap_files(CgroupVersion::v2, 0.1), ElementsAre(Pair("cpu.max", "2000 20000")));
  EXPECT_THAT(cap_files(CgroupVersion::v2, 0.01), ElementsAre(Pair("cpu.max", "1000 100000")));
  EXPECT_THAT(cap_files(CgroupVersion::v2, 1), ElementsAre(Pair("cpu.max", "20000 20000")));
}

}  // namespace
}  // namespace scalemark::testbed

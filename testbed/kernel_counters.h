// Texts in which the kernel tells its counters. Pure and thread-safe.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "core/clock.h"
#include "testbed/counters.h"

namespace scalemark::testbed {

/// /proc/net/dev: every interface's own view.
[[nodiscard]] std::map<std::string, NicCount> parse_net_dev(std::string_view text);

/// The first line of /proc/stat: processor time of the whole machine in ticks.
struct ProcessorTicks {
  std::uint64_t idle =
      0;  ///< with nothing to do, waiting for disks included; measured, where busy time is sampled
  std::uint64_t stolen = 0;  ///< wanted, but given to somebody else by the host
};
[[nodiscard]] std::optional<ProcessorTicks> parse_processor_ticks(std::string_view stat);

/// cpu.stat of a control group, of either version.
struct GroupStat {
  std::optional<QuotaCount> quota;
  std::optional<Duration> cpu;  ///< version 2 only
};
[[nodiscard]] GroupStat parse_group_stat(std::string_view text);

}  // namespace scalemark::testbed

// machine_context(), declared in core/run_record.h.
#include <event2/event.h>
#include <fmt/format.h>
#include <sched.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "core/clock.h"
#include "core/run_record.h"
#include "core/text.h"

namespace scalemark {
namespace {

/// As the kernel names it; null where it does not (some ARM machines).
Json processor_model() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    const auto colon = line.find(':');
    if (line.starts_with("model name") && colon != std::string::npos) {
      return std::string(trimmed(std::string_view(line).substr(colon + 1)));
    }
  }
  return nullptr;
}

/// Those that this process may run on: in a container or under taskset fewer than the machine has.
Json usable_processors() {
  // The kernel refuses (EINVAL) a set smaller than its own, and does not tell how large that is.
  for (std::size_t sets = 1; sets <= 64; sets *= 2) {
    std::vector<cpu_set_t> mask(sets);
    if (sched_getaffinity(0, sets * sizeof(cpu_set_t), mask.data()) == 0) {
      return CPU_COUNT_S(sets * sizeof(cpu_set_t), mask.data());
    }
    if (errno != EINVAL) {
      break;
    }
  }
  return nullptr;
}

Json memory_bytes() {
  const auto pages = sysconf(_SC_PHYS_PAGES);
  const auto page = sysconf(_SC_PAGESIZE);
  return pages > 0 && page > 0 ? Json(static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page))
                               : Json(nullptr);
}

std::string compiler() {
#if defined(__clang__)
  return fmt::format("Clang {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#else
  return fmt::format("GCC {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#endif
}

}  // namespace

Json machine_context() {
  utsname system{};
  uname(&system);
  Json context;
  context["host"] = system.nodename;
  context["processor_model"] = processor_model();
  context["processors"] = usable_processors();
  context["memory_bytes"] = memory_bytes();
  context["kernel"] = fmt::format("{} {} {}", system.sysname, system.release, system.machine);
  context["scalemark"] = SCALEMARK_VERSION;
  context["compiler"] = compiler();
  context["build_type"] = SCALEMARK_BUILD_TYPE;
  static constexpr char kSanitizers[] = SCALEMARK_SANITIZERS;
  if (sizeof kSanitizers > 1) {
    context["sanitizers"] = kSanitizers;
  }
  context["libevent"] = event_get_version();
  context["started_utc"] = utc_now();
  return context;
}

}  // namespace scalemark

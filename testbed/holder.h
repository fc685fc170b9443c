// Clusters without root: a process that holds user, mount and network namespaces, and joining it.
//
// In a user namespace of its own a process is root over networks, and with a mount namespace it has a /run
// where `ip netns` may keep names. Both last as long as some process is in them, so a small one that does
// nothing else stays there; commands move into its namespaces before they touch the cluster. Only processes
// without threads can: call these functions before any is started.
#pragma once

#include <functional>

#include "testbed/process.h"

namespace scalemark::testbed {

enum class Privilege : std::uint8_t {
  root,            ///< may make network namespaces as it is
  user_namespace,  ///< may do so in a user namespace of its own, or has moved into such a one
  none,
};

/// What this process may do; found out by trying in a child.
[[nodiscard]] Privilege privilege();

/// Starts a holder and moves into its namespaces. `record` is called with its identity before it does
/// anything. Throws RunError. In a process that has moved already the holder shares that process's
/// namespaces.
void start_holder(const std::function<void(const ProcessId&)>& record);

/// Moves the calling process into the holder's namespaces, unless it is in them already. Throws RunError.
void join_holder(const ProcessId& holder);

}  // namespace scalemark::testbed

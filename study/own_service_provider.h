// Services of the user's own: one whose number of nodes a command sets, and one that stays as it is.
// Used from one thread.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "study/provider.h"

namespace scalemark::study {

/// For the providers `command` and `fixed`. What cannot be seen from here, such as the nodes' counters, the
/// records leave empty.
[[nodiscard]] std::unique_ptr<ClusterProvider> make_own_service_provider(const StudyPlan& plan,
                                                                         const std::filesystem::path& folder);

/// `command` with {nodes} and {router} replaced. Pure.
[[nodiscard]] std::string command_for(std::string command, const PointSetup& point);

}  // namespace scalemark::study

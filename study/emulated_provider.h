// Clusters emulated on this machine, for studies. See testbed/cluster.h.
// Used from one thread, before the process has others: without root it moves into the cluster's namespaces.
#pragma once

#include <filesystem>
#include <memory>

#include "study/provider.h"
#include "testbed/cluster.h"

namespace scalemark::study {

/// Makes the file set in `folder` when the plan names none. The cluster goes down with the provider.
[[nodiscard]] std::unique_ptr<ClusterProvider> make_emulated_provider(const StudyPlan& plan,
                                                                      const std::filesystem::path& folder,
                                                                      const testbed::Notice& notice);

}  // namespace scalemark::study

// A workload from what was given: shared by the commands that run one and by studies.
#pragma once

#include <vector>

#include "app/given.h"
#include "study/workload.h"

namespace scalemark::app {

/// First the profile, then everything else, as the service's own command does it.
void apply_to_workload(study::Workload& workload, const std::vector<Given>& given);

/// The settings of a run with those of a search among them, where the help shows them.
[[nodiscard]] Settings with_search_settings(Settings of_run, Settings of_search);

}  // namespace scalemark::app

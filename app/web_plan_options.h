// The plan of a web run from what was given: shared by `web`, `doctor` and studies.
#pragma once

#include <vector>

#include "app/given.h"
#include "web_bench/web_plan.h"

namespace scalemark::app {

/// A plan of defaults: those of the quick profile.
[[nodiscard]] web::WebPlan default_web_plan();

/// First the profile, then everything else, so that a given time stands whatever the profile says and
/// wherever the profile was given.
void apply_to_web_plan(web::WebPlan& plan, const std::vector<Given>& given);
/// The same, without asking a list of URLs for its server.
void apply_web_settings(web::WebPlan& plan, const std::vector<Given>& given);

}  // namespace scalemark::app

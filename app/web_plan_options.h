// The plan of a web run from what was given: shared by `web` and `doctor`.
#pragma once

#include <vector>

#include "app/given.h"
#include "study/web_search.h"
#include "web_bench/web_plan.h"

namespace scalemark::app {

/// A plan of defaults: those of the quick profile.
[[nodiscard]] web::WebPlan default_web_plan();

/// First the profile, then everything else, so that a given time stands whatever the profile says and
/// wherever the profile was given.
void apply_to_web_plan(web::WebPlan& plan, const std::vector<Given>& given);
/// The same, without asking a list of URLs for its server.
void apply_web_settings(web::WebPlan& plan, const std::vector<Given>& given);

/// All that `web` can be told: the settings of a run and those of a search.
[[nodiscard]] Settings web_and_search_settings(web::WebPlan& plan, study::WebSearchPlan& search);
/// Takes over what was given, for either.
void apply_to_web_plan(web::WebPlan& plan, study::WebSearchPlan& search, const std::vector<Given>& given);

}  // namespace scalemark::app

#include "app/web_plan_options.h"

#include <algorithm>

#include "web_bench/request_source.h"

namespace scalemark::app {

web::WebPlan default_web_plan() {
  web::WebPlan plan;
  web::apply_profile(plan, plan.profile);
  return plan;
}

void apply_web_settings(web::WebPlan& plan, const std::vector<Given>& given) {
  Settings settings = web::web_settings(plan);
  if (const Given* profile = find_given(given, "profile"); profile != nullptr) {
    apply_given(settings, *profile);
    web::apply_profile(plan, plan.profile);
  }
  apply_given(settings, given);
}

void apply_to_web_plan(web::WebPlan& plan, const std::vector<Given>& given) {
  apply_web_settings(plan, given);
  web::take_server_from_list(plan);
}

Settings web_and_search_settings(web::WebPlan& plan, study::WebSearchPlan& search) {
  Settings settings = web::web_settings(plan);
  const Settings more = study::web_search_settings(search);
  // Before what is judged and written: the help shows the groups in this order.
  const auto place = std::find_if(settings.begin(), settings.end(),
                                  [](const Setting& setting) { return setting.group == "User model"; });
  settings.insert(place, more.begin(), more.end());
  return settings;
}

void apply_to_web_plan(web::WebPlan& plan, study::WebSearchPlan& search, const std::vector<Given>& given) {
  Settings of_search = study::web_search_settings(search);
  std::vector<Given> rest;
  for (const Given& entry : given) {
    const bool taken = std::any_of(of_search.begin(), of_search.end(),
                                   [&entry](const Setting& setting) { return setting.name == entry.name; });
    if (taken) {
      apply_given(of_search, entry);
    } else {
      rest.push_back(entry);
    }
  }
  apply_to_web_plan(plan, rest);
}

}  // namespace scalemark::app

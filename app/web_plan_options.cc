#include "app/web_plan_options.h"

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

}  // namespace scalemark::app

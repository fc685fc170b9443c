#include "app/workload_options.h"

#include <algorithm>
#include <iterator>

#include "app/mail_plan_options.h"
#include "app/web_plan_options.h"
#include "study/mail_workload.h"
#include "study/web_workload.h"

namespace scalemark::app {

void apply_to_workload(study::Workload& workload, const std::vector<Given>& given) {
  if (auto* mail = dynamic_cast<study::MailWorkload*>(&workload); mail != nullptr) {
    apply_to_mail_plan(mail->plan, mail->settings(), given);
  } else {
    apply_web_settings(study::web_plan(workload), given);
  }
}

Settings with_search_settings(Settings of_run, Settings of_search) {
  // Before what is judged and written: the help shows the groups in this order.
  const auto place = std::find_if(of_run.begin(), of_run.end(),
                                  [](const Setting& setting) { return setting.group == "User model"; });
  of_run.insert(place, std::make_move_iterator(of_search.begin()), std::make_move_iterator(of_search.end()));
  return of_run;
}

}  // namespace scalemark::app

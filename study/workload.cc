#include "study/workload.h"

#include <fmt/format.h>

#include <algorithm>

#include "study/mail_workload.h"
#include "study/web_workload.h"

namespace scalemark::study {

AnyWorkload make_workload(testbed::ServiceKind service) {
  AnyWorkload workload = service == testbed::ServiceKind::mail ? AnyWorkload(std::make_unique<MailWorkload>())
                                                               : AnyWorkload(std::make_unique<WebWorkload>());
  workload->take_profile(Profile::quick);
  return workload;
}

std::vector<std::string> arguments_of(const Workload& workload) {
  const auto copy = workload.clone();
  std::vector<std::string> arguments = {workload.words().command};
  for (const Setting& setting : copy->settings()) {
    if (setting.name == "json" || setting.name == "csv") {
      continue;
    }
    for (const std::string& value : setting.get()) {
      if (setting.form == SettingForm::flag) {
        if (value == "true") {
          arguments.push_back("--" + setting.name);
        }
      } else if (!value.empty()) {
        arguments.push_back(fmt::format("--{}={}", setting.name, value));
      }
    }
  }
  arguments.emplace_back("--json=-");
  return arguments;
}

void apply_overrides(Settings settings, const std::vector<Override>& overrides) {
  for (const Override& entry : overrides) {
    (void)find_setting(settings, entry.name);
  }
  for (const Setting& setting : settings) {
    const auto found = std::find_if(overrides.begin(), overrides.end(),
                                    [&setting](const Override& entry) { return entry.name == setting.name; });
    if (found != overrides.end()) {
      setting.set(found->texts);
    }
  }
}

}  // namespace scalemark::study

#include "app/mail_plan_options.h"

#include <algorithm>

namespace scalemark::app {
namespace {

constexpr const char* kTls = "tls";

/// What is left to be applied after --tls, if that was given.
std::vector<Given> without_overruled(const std::vector<Given>& given, const Given& tls) {
  std::vector<Given> rest = given;
  std::erase_if(rest, [&tls](const Given& entry) {
    const bool of_one_protocol = entry.name == "smtp-tls" || entry.name == "pop3-tls";
    return entry.name == kTls || (of_one_protocol && tls.origin.empty() && !entry.origin.empty());
  });
  return rest;
}

}  // namespace

mail::MailPlan default_mail_plan() {
  mail::MailPlan plan;
  mail::apply_profile(plan, plan.profile);
  return plan;
}

void apply_to_mail_plan(mail::MailPlan& plan, Settings settings, const std::vector<Given>& given) {
  if (const Given* profile = find_given(given, "profile"); profile != nullptr) {
    apply_given(settings, *profile);
    mail::apply_profile(plan, plan.profile);
  }
  const Given* tls = find_given(given, kTls);
  if (tls == nullptr) {
    apply_given(settings, given);
    return;
  }
  apply_given(settings, *tls);
  apply_given(settings, without_overruled(given, *tls));
}

}  // namespace scalemark::app

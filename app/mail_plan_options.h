// The plan of a mail run from what was given: shared by `mail`, `mailboxes` and studies.
#pragma once

#include <vector>

#include "app/given.h"
#include "mail_bench/mail_plan.h"

namespace scalemark::app {

/// A plan of defaults: those of the quick profile.
[[nodiscard]] mail::MailPlan default_mail_plan();

/// Applies what was given to these settings of `plan`: first the profile and --tls, then everything else, so
/// that a given time stands whatever the profile says, and so does what was given for one protocol. A --tls
/// of the command line takes the place of all that a file says about TLS.
void apply_to_mail_plan(mail::MailPlan& plan, Settings settings, const std::vector<Given>& given);

}  // namespace scalemark::app

#include "testbed/mail_office.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

namespace scalemark::testbed {

MailOffice::MailOffice(const MailSinkPlan& the_plan)
    : plan(the_plan),
      accounts(plan.accounts),
      memory(plan.max_memory),
      store(plan.visible_after),
      log(plan.log),
      uid_prefix_(fmt::format("{:x}", std::time(nullptr))) {}

std::string MailOffice::uid(std::uint64_t number) const {
  return fmt::format("{}.{}", uid_prefix_, number);
}

std::string_view MailOffice::date() {
  const std::time_t now = std::time(nullptr);
  if (now != dated_) {
    dated_ = now;
    date_ = fmt::format("{:%a, %d %b %Y %H:%M:%S} +0000", fmt::gmtime(now));
  }
  return date_;
}

std::uint64_t MailOffice::deliver(std::string_view mailbox, const std::shared_ptr<const MailText>& text) {
  const std::uint64_t number = store.deliver(mailbox, text, clock.now());
  ++counters.deliveries;
  note("delivered", mailbox, number, text->octets());
  return number;
}

void MailOffice::note(std::string_view event, std::string_view mailbox, std::uint64_t number,
                      std::uint64_t octets) {
  if (log.kept()) {
    log.write({clock.now(), event, mailbox, uid(number), octets});
  }
}

void MailOffice::note_discarded(std::string_view mailbox, std::uint64_t octets) {
  if (log.kept()) {
    log.write({clock.now(), "discarded", mailbox, "-", octets});
  }
}

}  // namespace scalemark::testbed

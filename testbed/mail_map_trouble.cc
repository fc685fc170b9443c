#include "testbed/mail_map_trouble.h"

namespace scalemark::testbed {

std::string MailMapTrouble::away(const std::string& why) {
  if (kind_ != Kind::none) {
    return "";
  }
  kind_ = Kind::away;
  return "the database is lost: " + why + "; trying again";
}

std::string MailMapTrouble::connected() {
  return kind_ == Kind::away ? passed() : "";
}

std::string MailMapTrouble::failed(TimePoint now, const std::string& why) {
  last_failure_ = now;
  if (kind_ == Kind::failing) {
    return "";
  }
  kind_ = Kind::failing;
  return "the database fails look-ups: " + why;
}

std::string MailMapTrouble::succeeded(TimePoint now) {
  return kind_ == Kind::failing && now - last_failure_ >= kCalm ? passed() : "";
}

std::string MailMapTrouble::passed() {
  kind_ = Kind::none;
  return "the database is back";
}

}  // namespace scalemark::testbed

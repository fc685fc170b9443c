#include "testbed/mail_sink.h"

#include "testbed/mail_sink_server.h"

namespace scalemark::testbed {

MailSink::MailSink(const MailSinkPlan& plan) : server_(std::make_unique<MailSinkServer>(plan)) {}

MailSink::~MailSink() = default;

std::string MailSink::smtp_address() const {
  return server_->smtp_address();
}

std::string MailSink::pop3_address() const {
  return server_->pop3_address();
}

void MailSink::run() {
  server_->run();
}

void MailSink::stop() noexcept {
  server_->stop();
}

MailSinkCounters MailSink::counters() const {
  return server_->counters();
}

}  // namespace scalemark::testbed

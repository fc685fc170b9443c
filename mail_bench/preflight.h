// What is looked up and looked at before any load, so that a run fails before it begins and with a sentence.
//
// Looks at the machine (clock, descriptors, ports) and whether every SMTP address greets. Raises the
// process's descriptor limit on the way.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "core/preflight_finding.h"
#include "filesets/mail_corpus.h"
#include "mail_bench/mail_plan.h"
#include "mail_bench/stream.h"

namespace scalemark::mail {

/// A plan with everything that a run needs looked up; immutable during the load.
struct Prepared {
  std::unique_ptr<TlsContext> tls;  ///< null when nothing uses it
  SmtpSettings smtp;
  Pop3Settings pop3;
  std::vector<Stream::Peer> smtp_peers;
  std::vector<Stream::Peer> pop3_peers;
  std::vector<Address> bind;
  std::vector<Account> accounts;
  std::unique_ptr<filesets::MailCorpus> corpus;
  std::vector<PreflightFinding> findings;
};

/// Only what mailboxes are visited with: TLS, POP3 addresses, local addresses. Throws UsageError or RunError.
[[nodiscard]] Prepared prepare_access(const MailPlan& plan);

/// Everything. Throws UsageError or RunError when something cannot even be looked up; what was found wanting
/// is a finding. A `stop` that is set ends the probing: RunError.
[[nodiscard]] Prepared prepare(const MailPlan& plan, const std::atomic<bool>* stop = nullptr);

}  // namespace scalemark::mail

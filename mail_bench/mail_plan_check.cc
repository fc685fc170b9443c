// What a mail plan must not say, as far as no single setting can see it; and whose mailboxes it is about.
#include <fmt/format.h>

#include <algorithm>

#include "core/address.h"
#include "core/error.h"
#include "core/run_settings.h"
#include "core/text.h"
#include "mail_bench/judge.h"
#include "mail_bench/mail_plan.h"
#include "mail_bench/metrics.h"

namespace scalemark::mail {
namespace {

void check_servers(const std::vector<std::string>& servers, const std::string& option,
                   const std::string& example, const std::vector<std::string>& bind) {
  refuse_if(servers.empty(),
            fmt::format("no {} server is named; give at least one --{}, as in --{} 10.0.0.1:{}",
                        option == "smtp" ? "SMTP" : "POP3", option, option, example));
  for (const std::string& server : servers) {
    const auto parts = split_host_and_port(server);
    refuse_if(!parts || parts->port == 0,
              fmt::format("--{} '{}' is no host and port; write it as in 10.0.0.1:{} or [::1]:{}", option,
                          server, example, example));
    check_bind_family(bind, parts->host, server);
  }
}

void check_accounts(const MailPlan& plan) {
  const bool file = !plan.accounts_file.empty();
  const bool pattern = !plan.addresses.empty();
  refuse_if(!file && !pattern && plan.passwords.empty(),
            "no accounts are named; give --accounts FILE, or --addresses 'user{0001..0096}@example.test' "
            "with --passwords");
  refuse_if(file && (pattern || !plan.passwords.empty()),
            "--accounts names every account, so --addresses and --passwords would do nothing; leave the one "
            "or the others out");
  refuse_if(!file && !pattern, "--passwords are of no address; give --addresses, too");
  refuse_if(pattern && plan.passwords.empty(),
            "--addresses need passwords; give --passwords, one for all or with the same range");
}

void check_certificates(const MailPlan& plan, bool any_tls) {
  refuse_if(plan.insecure && !plan.ca_file.empty(),
            "--insecure accepts any certificate, so --ca-file would do nothing; leave one of them out");
  refuse_if((plan.insecure || !plan.ca_file.empty()) && !any_tls,
            "--insecure and --ca-file are for TLS, which is off; give --tls required or --tls implicit, or "
            "leave them out");
}

void check_sharing(std::size_t servers, const char* what, const MailPlan& plan) {
  refuse_if(servers > plan.users,
            fmt::format("{} {} servers cannot share {}; raise --users or give fewer servers", servers, what,
                        counted(plan.users, "user")));
}

void check_load(const MailPlan& plan) {
  refuse_if(plan.users == 0, "--users is 0; at least 1 is needed");
  refuse_if(plan.iterations == 0, "--iterations is 0; at least 1 is needed");
  refuse_if(plan.threads == 0, "--threads is 0; at least 1 is needed");
  refuse_if(plan.threads > plan.users, fmt::format("{} threads cannot share {}; lower --threads",
                                                   plan.threads, counted(plan.users, "user")));
  refuse_if(plan.phases.window <= Duration::zero(),
            "--window is 0, so nothing would be measured; give it a time, as in --window 60s");
  refuse_if(plan.arrivals_per_hour > 0 && plan.most_per_hour > 0,
            "--arrivals says how many messages become due, so --rate-cap would do nothing; leave one of them "
            "out");
  check_sharing(plan.smtp.size(), "SMTP", plan);
  check_sharing(plan.pop3.size(), "POP3", plan);
}

bool is_default(const std::vector<filesets::SizeShare>& sizes) {
  static const MailPlan defaults;
  return filesets::format_mail_sizes(sizes) == filesets::format_mail_sizes(defaults.sizes);
}

void check_messages(const MailPlan& plan) {
  refuse_if(plan.messages_per_connection == 0,
            "--messages-per-connection is 0; an SMTP connection carries at least 1 message");
  refuse_if(plan.most_under_way == 0, "--under-way is 0, so no message could be sent; give at least 1");
  if (!plan.corpus.empty()) {
    refuse_if(!is_default(plan.sizes),
              "--corpus says what is sent, so --message-size would do nothing; leave one of them out");
    return;
  }
  refuse_if(plan.sizes.empty(), "--message-size names no size; give one, as in --message-size 2K");
  for (const filesets::SizeShare& size : plan.sizes) {
    refuse_if(size.bytes < filesets::kLeastMailBytes,
              fmt::format("--message-size: {} bytes are too few; a message's head and marks take {} already",
                          size.bytes, filesets::kMailOverhead));
  }
}

void check_hello_name(const std::string& name) {
  const bool plain =
      std::all_of(name.begin(), name.end(), [](char letter) { return letter > ' ' && letter < '\x7f'; });
  refuse_if(
      name.empty() || !plain,
      fmt::format("--hello-name '{}' is no host name; write it without blanks, as in client.example", name));
}

void check_tolerated(const std::vector<std::string>& tolerated) {
  const std::vector<std::string_view> known = misdeed_names();
  for (const std::string& name : tolerated) {
    refuse_if(std::find(known.begin(), known.end(), name) == known.end(),
              fmt::format("--tolerate '{}' is no class of messages that fails a run; those are {}", name,
                          fmt::join(known, ", ")));
  }
}

}  // namespace

std::vector<Account> all_accounts(const MailPlan& plan) {
  return plan.accounts_file.empty() ? accounts_of_pattern(plan.addresses, plan.passwords)
                                    : read_accounts(plan.accounts_file);
}

std::vector<Account> accounts_of(const MailPlan& plan) {
  std::vector<Account> accounts = all_accounts(plan);
  refuse_if(accounts.size() < plan.users,
            fmt::format("{} need an account each, and {} has {}; lower --users or add accounts",
                        counted(plan.users, "user"),
                        plan.accounts_file.empty() ? "--addresses" : "'" + plan.accounts_file + "'",
                        accounts.size()));
  accounts.resize(plan.users);
  return accounts;
}

void check_access(const MailPlan& plan) {
  check_servers(plan.pop3, "pop3", "110", plan.bind);
  check_accounts(plan);
  check_certificates(plan, plan.pop3_settings.tls != TlsUse::off);
}

void check(const MailPlan& plan) {
  check_servers(plan.smtp, "smtp", "25", plan.bind);
  check_servers(plan.pop3, "pop3", "110", plan.bind);
  check_accounts(plan);
  check_load(plan);
  check_messages(plan);
  check_certificates(plan, plan.smtp_settings.tls != TlsUse::off || plan.pop3_settings.tls != TlsUse::off);
  check_hello_name(plan.smtp_settings.hello_name);
  check_tolerated(plan.tolerate);
  check_requirements(plan.require, mail_metrics());
  check_outputs_differ(plan.json, plan.csv);
}

}  // namespace scalemark::mail

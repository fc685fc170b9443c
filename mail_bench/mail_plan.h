// Everything that a mail run is asked to do.
//
// A plain struct with the effective value of every setting, and the table that gives the settings their
// names. Nothing in mail_bench reads an option from anywhere else. Copied freely; not synchronised.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/phases.h"
#include "core/setting.h"
#include "filesets/mail_corpus.h"
#include "mail_bench/accounts.h"
#include "mail_bench/pop3_session.h"
#include "mail_bench/smtp_session.h"

namespace scalemark::mail {

enum class Profile : std::uint8_t { quick, full };
enum class Pairing : std::uint8_t {
  message,      ///< an operation is one message, delivered and then fetched
  independent,  ///< deliveries and retrievals apart; the smaller number is the score
};

struct MailPlan {
  // Target
  std::vector<std::string> smtp;  ///< HOST:PORT; user i works on smtp i mod size
  std::vector<std::string> pop3;  ///< likewise
  std::string accounts_file;      ///< accounts, one a line
  std::string addresses;          ///< a pattern instead: "user{0001..0096}@example.test"
  std::string passwords;          ///< the pattern's passwords

  // Load
  std::uint32_t users = 96;
  Profile profile = Profile::quick;
  PhaseLengths phases;  ///< ramp-down is zero: users stop sending when the window closes
  Duration drain = std::chrono::seconds(60);  ///< how long messages under way are waited for
  std::uint32_t iterations = 1;
  std::uint32_t threads = 1;
  std::uint64_t seed = 1;
  double arrivals_per_hour = 0;  ///< open arrivals of all users together; 0: closed loop
  double most_per_hour = 0;      ///< cap on what all users together begin; 0: none

  // User model
  std::vector<filesets::SizeShare> sizes = {{2048, 1}};
  std::string corpus;  ///< a folder of messages instead of sizes
  std::uint32_t messages_per_connection = 1;
  std::uint32_t most_under_way = 4;  ///< messages of a user that may be under way before it only polls
  Duration poll_pause = std::chrono::milliseconds(50);      ///< after an empty poll when nothing may be sent
  Duration lock_pause = std::chrono::milliseconds(500);     ///< about, between logins to a locked mailbox
  Duration failure_pause = std::chrono::milliseconds(250);  ///< least time that a failed attempt takes
  Duration visible_limit = std::chrono::seconds(60);        ///< a message not seen by then is late
  Pairing pairing = Pairing::message;
  bool empty_first = true;  ///< empty the mailboxes before the load

  // Transport
  SmtpSettings smtp_settings;  ///< tls_context is filled in by the run
  Pop3Settings pop3_settings;
  std::vector<std::string> bind;
  bool insecure = false;
  std::string ca_file;

  // Judging
  double most_errors = 0.01;          ///< share of settled messages that may fail before the run is void
  std::vector<std::string> tolerate;  ///< classes of the ledger that would fail the run, and shall not
  std::vector<std::string> require;   ///< requirements; see core/requirement.h

  // Output
  std::string json;
  std::string csv;
};

/// Sets phases, drain and iterations to those of a profile.
void apply_profile(MailPlan& plan, Profile profile);

/// The settings of a mail run, bound to `plan`, which must outlive them. Setting "profile" does not touch the
/// phases by itself, and "tls" sets SMTP's and POP3's: who reads the settings applies these two first (the
/// former with apply_profile) and then the rest.
[[nodiscard]] Settings mail_settings(MailPlan& plan);

/// Those that say how to reach servers and accounts, which `scalemark mailboxes` shares.
[[nodiscard]] Settings mail_access_settings(MailPlan& plan);

/// Every account of the plan's file or pattern. Throws UsageError.
[[nodiscard]] std::vector<Account> all_accounts(const MailPlan& plan);
/// The first `users` of them: those that a run uses. Throws UsageError, also when there are fewer.
[[nodiscard]] std::vector<Account> accounts_of(const MailPlan& plan);

/// Throws UsageError for what no single setting can see.
void check(const MailPlan& plan);
/// The same for what mail_access_settings() says.
void check_access(const MailPlan& plan);

}  // namespace scalemark::mail

#include "mail_bench/mail_plan.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>
#include <tuple>
#include <utility>

#include "core/run_settings.h"
#include "core/setting_types.h"

namespace scalemark::mail {
namespace {

using namespace std::chrono_literals;

constexpr Duration kLongest = 168h;
constexpr Duration kLongestDrain = 24h;
constexpr Duration kShortestTimeout = 1ms;
constexpr std::uint32_t kMostUsers = 1'000'000;
constexpr std::uint32_t kMostMessages = 1'000'000;
constexpr double kMostPerHour = 1e12;
constexpr std::uint64_t kAnySeed = std::numeric_limits<std::uint64_t>::max();

const std::vector<std::pair<std::string, TlsUse>> tls_uses = {
    {"off", TlsUse::off}, {"required", TlsUse::required}, {"implicit", TlsUse::implicit}};

void add_target(Settings& to, MailPlan& plan) {
  constexpr const char* kGroup = "Target";
  to.push_back(texts_setting("smtp",
                             "where messages are delivered; IPv6 addresses stand in brackets; the users are "
                             "spread evenly over all that are given",
                             kGroup, plan.smtp, "HOST:PORT"));
  to.push_back(texts_setting("pop3", "where messages are fetched; the users are spread likewise", kGroup,
                             plan.pop3, "HOST:PORT"));
  to.push_back(text_setting("accounts",
                            "accounts, one a line: address, password and, if wanted, node (- for an unknown "
                            "one) and login name",
                            kGroup, plan.accounts_file, "FILE"));
  to.push_back(text_setting("addresses",
                            "a pattern instead, as in 'user{0001..0096}@example.test'; goes with --passwords",
                            kGroup, plan.addresses, "PATTERN"));
  to.push_back(text_setting("passwords", "the pattern's passwords: one for all, or with the same range",
                            kGroup, plan.passwords, "PATTERN"));
}

void add_phases(Settings& to, MailPlan& plan, const char* group) {
  to.push_back(choice_setting<Profile>(
      "profile",
      "where times and iterations come from unless they are given: quick takes about two minutes, full more "
      "than three hours",
      group, plan.profile, {{"quick", Profile::quick}, {"full", Profile::full}}));
  to.push_back(duration_setting("ramp-up", "time in which the users start, evenly (full: 5m)", group,
                                plan.phases.ramp_up, 0s, kLongest));
  to.push_back(duration_setting("warm-up", "time at full load before the first window (full: 10m)", group,
                                plan.phases.warm_up, 0s, kLongest));
  to.push_back(duration_setting("window", "measured time of each iteration (full: 60m)", group,
                                plan.phases.window, 0s, kLongest));
  to.push_back(duration_setting("drain",
                                "how long messages that are under way when the window closes are waited for; "
                                "those accepted and not seen by then are lost (full: 2m)",
                                group, plan.drain, 0s, kLongestDrain));
  to.push_back(count_setting("iterations",
                             "how often the window is measured; the median iteration is the score (full: 3)",
                             group, plan.iterations, 1, 1000));
}

void add_load(Settings& to, MailPlan& plan) {
  constexpr const char* kGroup = "Load";
  to.push_back(count_setting("users", "simulated users, each with an account of its own and never idle",
                             kGroup, plan.users, 1, kMostUsers));
  add_phases(to, plan, kGroup);
  to.push_back(
      count_setting("threads", "threads that carry the users, round robin", kGroup, plan.threads, 1, 1024));
  to.push_back(count_setting("seed", "the same seed makes every user send the same messages", kGroup,
                             plan.seed, std::uint64_t{0}, kAnySeed));
  to.push_back(number_setting("arrivals",
                              "messages per hour of all users together that become due whatever the service "
                              "does; latency counts from when they were due; 0: as fast as it goes",
                              kGroup, plan.arrivals_per_hour, 0, kMostPerHour));
  to.push_back(number_setting("rate-cap", "most messages per hour of all users together; 0: no limit", kGroup,
                              plan.most_per_hour, 0, kMostPerHour));
}

std::string sizes_text(const std::vector<filesets::SizeShare>& sizes) {
  static const std::string table = filesets::format_mail_sizes(filesets::parse_mail_sizes("table"));
  const std::string text = filesets::format_mail_sizes(sizes);
  return text == table ? "table" : text;
}

void add_messages(Settings& to, MailPlan& plan, const char* group) {
  to.push_back(parsed_setting(
      "message-size", "SIZES",
      "size of the messages, head included (K = 1024 bytes): 2K, or sizes and how often each is drawn, as in "
      "'1K:10 2K:30 100K:1', or table for sizes as a provider saw them",
      group, [&plan](const std::string& text) { plan.sizes = filesets::parse_mail_sizes(text); },
      [&plan] { return sizes_text(plan.sizes); }));
  to.push_back(
      text_setting("corpus", "send what the files of this folder hold instead", group, plan.corpus, "DIR"));
}

/// Bound to the opposite of a yes, so that the usual is what no option asks for.
Setting keep_setting(MailPlan& plan, const char* group) {
  Setting setting =
      flag_setting("keep-mailboxes",
                   "do not empty the mailboxes first: what they hold is fetched, too, but counts "
                   "as left over",
                   group, plan.empty_first);
  setting.set = [&field = plan.empty_first, set = setting.set](const std::vector<std::string>& values) {
    set(values);
    field = !field;
  };
  setting.get = [&field = plan.empty_first] { return std::vector<std::string>{field ? "false" : "true"}; };
  return setting;
}

void add_user_model(Settings& to, MailPlan& plan) {
  constexpr const char* kGroup = "User model";
  add_messages(to, plan, kGroup);
  to.push_back(count_setting("messages-per-connection", "messages that an SMTP connection carries", kGroup,
                             plan.messages_per_connection, 1, kMostMessages));
  to.push_back(count_setting(
      "under-way", "messages of a user that may be accepted and not fetched yet; with so many it only polls",
      kGroup, plan.most_under_way, 1, kMostMessages));
  to.push_back(duration_setting("poll-pause", "pause after a poll that found nothing, when none may be sent",
                                kGroup, plan.poll_pause, kShortestTimeout, kLongest));
  to.push_back(duration_setting("lock-pause", "about the pause before the next login to a locked mailbox",
                                kGroup, plan.lock_pause, kShortestTimeout, kLongest));
  to.push_back(duration_setting("failure-pause", "least time that a failed attempt takes", kGroup,
                                plan.failure_pause, kShortestTimeout, kLongest));
  to.push_back(duration_setting("visible-limit", "a message that POP3 does not show by then is late", kGroup,
                                plan.visible_limit, kShortestTimeout, kLongest));
  to.push_back(choice_setting<Pairing>(
      "pairing",
      "what an operation is: one message, delivered and then fetched; or deliveries and retrievals counted "
      "apart, of which the smaller number is the score",
      kGroup, plan.pairing, {{"message", Pairing::message}, {"independent", Pairing::independent}}));
  to.push_back(keep_setting(plan, kGroup));
}

/// "tls" speaks for both protocols while they agree; each speaks for itself when they do not.
void add_tls(Settings& to, MailPlan& plan, const char* group) {
  TlsUse& smtp = plan.smtp_settings.tls;
  TlsUse& pop3 = plan.pop3_settings.tls;
  Setting both = choice_setting<TlsUse>(
      "tls", "TLS of both protocols: never, by STARTTLS and STLS, or from the first byte", group, smtp,
      tls_uses);
  both.set = [&smtp, &pop3, set = both.set](const std::vector<std::string>& values) {
    set(values);
    pop3 = smtp;
  };
  both.get = [&smtp, &pop3, get = both.get] { return smtp == pop3 ? get() : std::vector<std::string>{}; };
  to.push_back(std::move(both));
  for (const auto& [name, help, field] : {std::tuple<const char*, const char*, TlsUse&>{
                                              "smtp-tls", "the same of SMTP, where it is another", smtp},
                                          {"pop3-tls", "the same of POP3, where it is another", pop3}}) {
    Setting one = choice_setting<TlsUse>(name, help, group, field, tls_uses);
    one.get = [&smtp, &pop3, get = one.get] { return smtp == pop3 ? std::vector<std::string>{} : get(); };
    to.push_back(std::move(one));
  }
}

void add_timeouts(Settings& to, MailPlan& plan, const char* group) {
  to.push_back(duration_setting("smtp-timeout", "longest time of an attempt to deliver, connection included",
                                group, plan.smtp_settings.timeout, kShortestTimeout, kLongest));
  to.push_back(duration_setting("pop3-timeout", "longest time of a POP3 session, QUIT included", group,
                                plan.pop3_settings.timeout, kShortestTimeout, kLongest));
  Setting connect = duration_setting("connect-timeout", "longest time to connect", group,
                                     plan.pop3_settings.connect_timeout, kShortestTimeout, kLongest);
  connect.set = [&plan, set = connect.set](const std::vector<std::string>& values) {
    set(values);
    plan.smtp_settings.connect_timeout = plan.pop3_settings.connect_timeout;
  };
  to.push_back(std::move(connect));
}

void add_transport(Settings& to, MailPlan& plan) {
  constexpr const char* kGroup = "Transport";
  add_tls(to, plan, kGroup);
  to.push_back(choice_setting<SmtpAuth>(
      "smtp-auth", "how a user logs in at SMTP", kGroup, plan.smtp_settings.auth,
      {{"none", SmtpAuth::none}, {"plain", SmtpAuth::plain}, {"login", SmtpAuth::login}}));
  to.push_back(choice_setting<Pop3Auth>(
      "pop3-auth", "how a user logs in at POP3: USER and PASS, APOP, or AUTH PLAIN", kGroup,
      plan.pop3_settings.auth,
      {{"user", Pop3Auth::user}, {"apop", Pop3Auth::apop}, {"plain", Pop3Auth::plain}}));
  to.push_back(flag_setting("pipelining", "SMTP: send MAIL, RCPT and DATA in one go where that is offered",
                            kGroup, plan.smtp_settings.pipelining));
  add_timeouts(to, plan, kGroup);
  to.push_back(text_setting("hello-name", "the name that SMTP's greeting gives", kGroup,
                            plan.smtp_settings.hello_name, "NAME"));
  to.push_back(texts_setting(
      "bind", "local address or range (10.0.0.2-10.0.0.20) to connect from; without it the system chooses",
      kGroup, plan.bind, "ADDR"));
  to.push_back(flag_setting("insecure", "TLS: accept any certificate", kGroup, plan.insecure));
  to.push_back(text_setting("ca-file", "TLS: trust the certificates in this file, not the system's", kGroup,
                            plan.ca_file, "FILE"));
}

void add_judging(Settings& to, MailPlan& plan) {
  constexpr const char* kGroup = "Judging";
  to.push_back(share_setting("max-errors",
                             "share of the window's operations that may fail; with more the run is void",
                             kGroup, plan.most_errors));
  to.push_back(texts_setting(
      "tolerate",
      "class of messages that shall not fail the run although it is the service's fault, such as uncommitted",
      kGroup, plan.tolerate, "CLASS"));
  to.push_back(texts_setting(
      "require", "goal that decides pass or fail, such as 'operations_per_hour>=29000' or 'operation_p99<2s'",
      kGroup, plan.require, "GOAL"));
}

}  // namespace

void apply_profile(MailPlan& plan, Profile profile) {
  plan.profile = profile;
  if (profile == Profile::full) {
    plan.phases = {.ramp_up = 5min, .warm_up = 10min, .window = 60min, .ramp_down = 0s};
    plan.drain = 2min;
    plan.iterations = 3;
  } else {
    plan.phases = {.ramp_up = 5s, .warm_up = 10s, .window = 60s, .ramp_down = 0s};
    plan.drain = 60s;
    plan.iterations = 1;
  }
}

Settings mail_settings(MailPlan& plan) {
  Settings settings;
  add_target(settings, plan);
  add_load(settings, plan);
  add_user_model(settings, plan);
  add_transport(settings, plan);
  add_judging(settings, plan);
  add_output_settings(settings, "mail", plan.json, plan.csv);
  return settings;
}

Settings mail_access_settings(MailPlan& plan) {
  static constexpr std::array<std::string_view, 12> kAccess = {
      "pop3",      "accounts",     "addresses",       "passwords", "tls",      "pop3-tls",
      "pop3-auth", "pop3-timeout", "connect-timeout", "bind",      "insecure", "ca-file"};
  Settings settings = mail_settings(plan);
  std::erase_if(settings, [](const Setting& setting) {
    return std::find(kAccess.begin(), kAccess.end(), setting.name) == kAccess.end();
  });
  return settings;
}

}  // namespace scalemark::mail

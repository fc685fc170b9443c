// The JSON of a mail iteration, from figures made by hand. The example that is built here is also what the
// tests of the texts and the CSV read (tests/analysis), so that all three views are held against the same
// run.
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <utility>

#include "core/run_record.h"
#include "mail_bench/iteration.h"
#include "tests/analysis/golden.h"

namespace scalemark::mail {
namespace {

/// Good ones are what is left when `failed` have failed and `unfinished` are under way.
Accounting accounting(std::uint64_t carried_in, std::uint64_t issued, std::uint64_t unfinished,
                      const std::map<Outcome, std::uint64_t>& failed = {}) {
  Accounting result{carried_in, issued, {}, unfinished};
  std::uint64_t good = carried_in + issued - unfinished;
  for (const auto& [outcome, count] : failed) {
    result.ended.at(index_of(outcome)) = count;
    good -= count;
  }
  result.ended[index_of(Outcome::good)] = good;
  return result;
}

std::uint64_t& count_of(LedgerSums& ledger, MessageClass what) {
  return ledger.classes.at(static_cast<std::size_t>(what));
}

LedgerSums example_ledger(std::uint64_t planned) {
  LedgerSums ledger;
  ledger.planned = planned;
  count_of(ledger, MessageClass::refused_temporarily) = 3;
  count_of(ledger, MessageClass::closed) = 1;
  count_of(ledger, MessageClass::reply_lost) = 1;
  count_of(ledger, MessageClass::verified) = planned - 5;
  ledger.late = 2;
  ledger.leftovers = 4;
  ledger.by_node = {{"node1", planned / 2 + 7}, {"node2", planned - 5 - (planned / 2 + 7)}};
  return ledger;
}

/// Most attempts quick, one in fifty slow.
Histogram times(std::uint64_t quick_us, std::uint64_t count) {
  Histogram histogram;
  histogram.record(quick_us, count - count / 50);
  histogram.record(quick_us * 9, count / 50);
  return histogram;
}

IterationFigures example_iteration(std::uint32_t number, std::uint64_t planned) {
  IterationFigures iteration;
  iteration.number = number;
  iteration.window_seconds = 60;
  iteration.opened = TimePoint{std::chrono::seconds(1000 * number)};
  iteration.closed = iteration.opened + std::chrono::seconds(60);
  iteration.users = 96;
  iteration.window = accounting(80, planned - 120, 70, {{Outcome::bad_status, 2}});
  iteration.run = accounting(
      0, planned, 0, {{Outcome::bad_status, 3}, {Outcome::closed_early, 1}, {Outcome::read_timeout, 1}});
  iteration.smtp.window = accounting(30, planned - 118, 25, {{Outcome::bad_status, 2}});
  iteration.smtp.run = accounting(
      0, planned, 0, {{Outcome::bad_status, 3}, {Outcome::closed_early, 1}, {Outcome::read_timeout, 1}});
  iteration.smtp.connections = planned;
  iteration.smtp.sent_bytes = planned * 2'300;
  iteration.smtp.replies = {{"dot 452", 2}, {"rcpt 450", 1}};
  iteration.pop3.window = accounting(40, planned - 90, 35, {{Outcome::bad_status, 6}});
  iteration.pop3.run = accounting(0, planned + 31, 0, {{Outcome::bad_status, 8}});
  iteration.pop3.window_retrieved = planned - 114;
  iteration.pop3.run_retrieved = planned + 1;
  iteration.pop3.empty_polls = 22;
  iteration.pop3.locked = 8;
  iteration.pop3.received_bytes = planned * 2'600;
  iteration.pop3.refusals = {{"auth locked", 8}};
  iteration.ledger = example_ledger(planned);
  for (const auto& [step, us] : std::map<Step, std::uint64_t>{{Step::smtp_connect, 90},
                                                              {Step::smtp_greeting, 210},
                                                              {Step::smtp_hello, 240},
                                                              {Step::smtp_mail, 300},
                                                              {Step::smtp_rcpt, 4'100},
                                                              {Step::smtp_data, 260},
                                                              {Step::smtp_dot, 31'000},
                                                              {Step::smtp_total, 37'000},
                                                              {Step::visible, 9'000},
                                                              {Step::pop3_connect, 95},
                                                              {Step::pop3_greeting, 200},
                                                              {Step::pop3_auth, 6'200},
                                                              {Step::pop3_list, 410},
                                                              {Step::pop3_first_byte, 900},
                                                              {Step::pop3_last_byte, 980},
                                                              {Step::pop3_delete, 150},
                                                              {Step::pop3_quit, 12'000},
                                                              {Step::pop3_total, 21'000},
                                                              {Step::operation, 61'000}}) {
    iteration.steps.at(static_cast<std::size_t>(step)) = times(us, iteration.window.good());
  }
  iteration.operations_per_hour = static_cast<double>(iteration.window.good()) * 60;
  iteration.smtp_per_hour = static_cast<double>(iteration.smtp.window.good()) * 60;
  iteration.pop3_per_hour = static_cast<double>(iteration.pop3.window_retrieved) * 60;
  iteration.unfinished.push_back({17, "smtp", 1.25, 0});
  iteration.generator.lag.record(60, 400);
  iteration.generator.lag.record(3'100, 9);
  iteration.generator.lateness_share = 0.0002;
  iteration.generator.threads = {{0, 4.25, 0.041}};
  iteration.generator.peak_memory_bytes = 18'350'080;
  iteration.generator.descriptors = 203;
  iteration.generator.descriptor_limit = 1'048'576;
  iteration.generator.ports_available = 28'232;
  iteration.series = {{0, "ramp-up", 12, 0, 58'800, 20}, {1, "window", 8, 1, 39'200, 96}};
  return iteration;
}

/// A whole run: the score is iteration 2, the median by operations per hour.
RunRecord example_run() {
  RunRecord record;
  record.kind = "mail";
  record.plan = {{"smtp", {"127.0.0.1:2525"}},
                 {"pop3", {"127.0.0.1:1110", "127.0.0.2:1110", "127.0.0.3:1110"}},
                 {"users", "96"},
                 {"profile", "quick"},
                 {"window", "1m"},
                 {"iterations", "3"},
                 {"threads", "1"},
                 {"seed", "1"},
                 {"message-size", "2K"},
                 {"pairing", "message"},
                 {"tls", "off"}};
  record.context = {{"host", "example"},
                    {"processors", 2},
                    {"started_utc", "2026-01-31T12:00:00Z"},
                    {"notes", {"shorter than a full run: 3 x 1m measured instead of 3 x 1h"}}};
  const std::vector<IterationFigures> iterations = {example_iteration(1, 700), example_iteration(2, 640),
                                                    example_iteration(3, 600)};
  for (const IterationFigures& iteration : iterations) {
    record.iterations.push_back(to_json(iteration));
  }
  record.score = {iterations[1].operations_per_hour, "operations per hour", 2};
  return record;
}

TEST(MailRecord, ExampleIsAsDocumented) {
  expect_golden("mail_example.json", to_json(example_run()).dump(1) + "\n");
}

TEST(MailRecord, EveryClassOfTheLedgerIsThereAndTheyAddUp) {
  const Json ledger = to_json(example_iteration(1, 700))["ledger"];
  EXPECT_EQ(ledger["classes"].size(), kMessageClasses);
  std::uint64_t sum = 0;
  for (const auto& [name, count] : ledger["classes"].items()) {
    sum += count.get<std::uint64_t>();
  }
  EXPECT_EQ(sum, 700U);
  EXPECT_EQ(ledger["planned"], 700);
  EXPECT_EQ(ledger["classes"]["refused_temporarily"], 3);
  EXPECT_EQ(ledger["classes"]["lost"], 0);
  EXPECT_EQ(ledger["by_node"]["node1"], 357);
}

TEST(MailRecord, CountsAddUpInEveryAccounting) {
  const Json json = to_json(example_iteration(1, 700));
  for (const Json& books : {json["accounting"], json["smtp"], json["pop3"]}) {
    for (const char* span : {"window", "run"}) {
      const Json& one = books[span];
      EXPECT_EQ(one["carried_in"].get<int>() + one["issued"].get<int>(),
                one["good"].get<int>() + one["failed"]["total"].get<int>() + one["unfinished"].get<int>());
    }
  }
}

TEST(MailRecord, ProtocolsHaveTheirOwnFigures) {
  const Json json = to_json(example_iteration(1, 700));
  EXPECT_EQ(json["smtp"]["connections_opened"], 700);
  EXPECT_EQ(json["smtp"]["replies"], Json({{"dot 452", 2}, {"rcpt 450", 1}}));
  EXPECT_EQ(json["pop3"]["retrieved"], Json({{"window", 586}, {"run", 701}}));
  EXPECT_EQ(json["pop3"]["locked_logins"], 8);
  EXPECT_EQ(json["pop3"]["refusals"], Json({{"auth locked", 8}}));
  EXPECT_EQ(to_json(IterationFigures{})["smtp"]["replies"], Json::object());
}

TEST(MailRecord, EveryStepIsAHistogramInMilliseconds) {
  const Json steps = to_json(example_iteration(1, 700))["steps_ms"];
  EXPECT_EQ(steps.size(), kSteps);
  EXPECT_EQ(steps["smtp_dot"]["max"], 279.0);
  EXPECT_EQ(steps["smtp_tls"]["count"], 0);
  EXPECT_TRUE(steps["smtp_tls"]["p99"].is_null());
}

TEST(MailRecord, WithoutAWindowThereAreNoRates) {
  IterationFigures iteration = example_iteration(1, 700);
  iteration.partial = true;
  iteration.window_seconds = 0;
  const Json json = to_json(iteration);
  for (const char* name : {"operations_per_hour", "smtp_per_hour", "pop3_per_hour", "operations_per_second",
                           "opened_monotonic_seconds", "closed_monotonic_seconds"}) {
    EXPECT_TRUE(json[name].is_null()) << name;
  }
  EXPECT_TRUE(json["generator"]["lateness_share"].is_null());
  EXPECT_EQ(json["ledger"]["planned"], 700);
}

TEST(MailRecord, FiguresThatAreNotFiniteBecomeNull) {
  IterationFigures iteration = example_iteration(1, 700);
  iteration.operations_per_hour = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(to_json(iteration)["operations_per_hour"].is_null());
  EXPECT_TRUE(to_json(iteration)["operations_per_second"].is_null());
}

TEST(MailRecord, TheVerdictIsWhatTheFindingsMake) {
  IterationFigures iteration = example_iteration(1, 700);
  iteration.findings.poor = {"1 message got lost"};
  EXPECT_EQ(to_json(iteration)["verdict"], Json({{"status", "fail"}, {"reasons", {"1 message got lost"}}}));
}

}  // namespace
}  // namespace scalemark::mail

#include <string>

#include "core/record_json.h"
#include "core/run_record.h"
#include "mail_bench/iteration.h"

namespace scalemark::mail {
namespace {

Json accountings_json(const Accounting& window, const Accounting& run) {
  Json json;
  json["window"] = accounting_json(window);
  json["run"] = accounting_json(run);
  return json;
}

Json smtp_json(const SmtpTally& smtp) {
  Json json = accountings_json(smtp.window, smtp.run);
  json["connections_opened"] = smtp.connections;
  json["sent_bytes"] = smtp.sent_bytes;
  json["replies"] = counts_json(smtp.replies);
  return json;
}

Json pop3_json(const Pop3Tally& pop3) {
  Json json = accountings_json(pop3.window, pop3.run);
  json["retrieved"] = {{"window", pop3.window_retrieved}, {"run", pop3.run_retrieved}};
  json["empty_polls"] = pop3.empty_polls;
  json["locked_logins"] = pop3.locked;
  json["received_bytes"] = pop3.received_bytes;
  json["refusals"] = counts_json(pop3.refusals);
  return json;
}

/// Every class, those without a message too: they are what the planned messages add up from.
Json ledger_json(const LedgerSums& ledger) {
  Json classes;
  for (std::size_t i = 0; i < kMessageClasses; ++i) {
    classes[std::string(name_of(static_cast<MessageClass>(i)))] = ledger.classes.at(i);
  }
  Json json;
  json["planned"] = ledger.planned;
  json["classes"] = std::move(classes);
  json["late"] = ledger.late;
  json["leftovers"] = ledger.leftovers;
  json["foreign"] = ledger.foreign;
  json["fetched_again"] = ledger.fetched_again;
  json["surplus"] = ledger.surplus;
  json["by_node"] = counts_json(ledger.by_node);
  return json;
}

Json steps_json(const std::array<Histogram, kSteps>& steps) {
  Json json;
  for (std::size_t i = 0; i < kSteps; ++i) {
    json[std::string(name_of(static_cast<Step>(i)))] = histogram_json(steps.at(i));
  }
  return json;
}

}  // namespace

Json to_json(const IterationFigures& iteration) {
  // An iteration that was interrupted before its window opened has counts, but no rates.
  const bool measured = iteration.window_seconds > 0;
  Json json = iteration_json({.number = iteration.number,
                              .partial = iteration.partial,
                              .window_seconds = iteration.window_seconds,
                              .opened = iteration.opened,
                              .closed = iteration.closed},
                             iteration.findings);
  json["users"] = iteration.users;
  json["users_refused"] = iteration.users_refused;
  json["operations_per_hour"] = json_number_if(measured, iteration.operations_per_hour);
  json["smtp_per_hour"] = json_number_if(measured, iteration.smtp_per_hour);
  json["pop3_per_hour"] = json_number_if(measured, iteration.pop3_per_hour);
  json["operations_per_second"] = json_number_if(measured, iteration.operations_per_hour / 3600);
  json["accounting"] = accountings_json(iteration.window, iteration.run);
  json["smtp"] = smtp_json(iteration.smtp);
  json["pop3"] = pop3_json(iteration.pop3);
  json["ledger"] = ledger_json(iteration.ledger);
  json["steps_ms"] = steps_json(iteration.steps);
  json["unfinished_operations"] = unfinished_json(iteration.unfinished);
  json["generator"] = generator_json(iteration.generator, measured);
  json["series"] = series_json(iteration.series);
  return json;
}

}  // namespace scalemark::mail

#include "core/record_json.h"
#include "core/run_record.h"
#include "web_bench/iteration.h"

namespace scalemark::web {
namespace {

Json accountings_json(const IterationFigures& iteration) {
  Json json;
  json["window"] = accounting_json(iteration.window_total());
  json["run"] = accounting_json(iteration.run_total());
  if (!iteration.bad_statuses.empty()) {
    Json& by_code = json["run"]["failed"]["bad_status_by_code"];
    for (const auto& [code, count] : iteration.bad_statuses) {
      by_code[std::to_string(code)] = count;
    }
  }
  return json;
}

/// The window's counts stand at the class's top level, where most readers look for them.
Json class_json(const ClassFigures& figures, bool any_issued) {
  Json json;
  json["class"] = figures.name;
  json["target_share"] = json_number(figures.target_share);
  json["share"] = json_number_if(any_issued, figures.share);
  json.update(accounting_json(figures.window));
  json["bytes"] = figures.window_bytes;
  json["ttfb_ms"] = histogram_json(figures.first_byte);
  json["ttlb_ms"] = histogram_json(figures.last_byte);
  json["run"] = accounting_json(figures.run);
  json["run"]["wire_bytes"] = figures.run_wire_bytes;
  json["run"]["good_body_bytes"] = figures.run_body_bytes;
  return json;
}

Json rates_json(const IterationFigures& iteration, bool measured) {
  Json json;
  json["min"] = json_number_if(measured, iteration.rate_min);
  json["mean"] = json_number_if(measured, iteration.rate_mean);
  json["max"] = json_number_if(measured, iteration.rate_max);
  return json;
}

Json share_above_json(const IterationFigures& iteration, bool measured) {
  Json json = Json::array();
  for (const auto& [rate, share] : iteration.share_above) {
    Json point;
    point["bits_per_second"] = json_number(rate);
    point["share"] = json_number_if(measured, share);
    json.push_back(std::move(point));
  }
  return json;
}

/// What belongs to all classes together: sums, and percentiles of the summed histograms.
void put_totals(const IterationFigures& iteration, Json& json) {
  std::uint64_t bytes = 0;
  Histogram first_byte;
  Histogram last_byte;
  for (const ClassFigures& figures : iteration.classes) {
    bytes += figures.window_bytes;
    first_byte.merge(figures.first_byte);
    last_byte.merge(figures.last_byte);
  }
  json["bytes"] = bytes;
  json["ttfb_ms"] = histogram_json(first_byte);
  json["ttlb_ms"] = histogram_json(last_byte);
}

Json connections_json(const IterationFigures& iteration) {
  Json json;
  json["opened"] = iteration.connections_opened;
  json["reconnects_idle"] = iteration.reconnects_idle;
  json["retries"] = iteration.retries;
  json["connect_ms"] = histogram_json(iteration.connect);
  return json;
}

}  // namespace

Accounting IterationFigures::window_total() const {
  Accounting total;
  for (const ClassFigures& figures : classes) {
    total.merge(figures.window);
  }
  return total;
}

Accounting IterationFigures::run_total() const {
  Accounting total;
  for (const ClassFigures& figures : classes) {
    total.merge(figures.run);
  }
  return total;
}

Json to_json(const IterationFigures& iteration) {
  // An iteration that was interrupted before its window opened has counts, but nobody was judged in it.
  const bool measured = iteration.window_seconds > 0;
  const bool any_issued = iteration.window_total().issued > 0;
  Json json = iteration_json({.number = iteration.number,
                              .partial = iteration.partial,
                              .window_seconds = iteration.window_seconds,
                              .opened = iteration.opened,
                              .closed = iteration.closed},
                             iteration.findings);
  json["requested"] = iteration.requested;
  json["valid"] = measured ? Json(iteration.valid) : Json(nullptr);
  json["erroneous"] = measured ? Json(iteration.erroneous) : Json(nullptr);
  json["starved"] = measured ? Json(iteration.starved) : Json(nullptr);
  json["conforming"] = measured ? Json(iteration.conforming) : Json(nullptr);
  json["operations_per_second"] = json_number_if(measured, iteration.operations_per_second);
  json["bits_per_second"] = rates_json(iteration, measured);
  json["share_above"] = share_above_json(iteration, measured);
  put_totals(iteration, json);
  json["classes"] = Json::array();
  for (const ClassFigures& figures : iteration.classes) {
    json["classes"].push_back(class_json(figures, any_issued));
  }
  json["accounting"] = accountings_json(iteration);
  json["connections"] = connections_json(iteration);
  json["unfinished_operations"] = unfinished_json(iteration.unfinished);
  json["generator"] = generator_json(iteration.generator, measured);
  json["series"] = series_json(iteration.series);
  return json;
}

}  // namespace scalemark::web

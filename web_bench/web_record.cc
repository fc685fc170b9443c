#include <cmath>

#include "core/run_record.h"
#include "web_bench/iteration.h"

namespace scalemark::web {
namespace {

/// A record never holds NaN or an infinity: what has no value is null.
Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

/// A figure that exists only where something was measured.
Json number_if(bool exists, double value) {
  return exists ? number(value) : Json(nullptr);
}

/// Milliseconds from a histogram's microseconds. The buckets go along, so that whoever reads several records
/// can add distributions up instead of averaging percentiles.
Json histogram_json(const Histogram& histogram) {
  const bool any = histogram.count() > 0;
  const auto ms = [any](double us) { return number_if(any, us / 1000.0); };
  Json buckets = Json::array();
  histogram.for_each_bucket([&buckets](std::uint64_t low, std::uint64_t high, std::uint64_t count) {
    buckets.push_back(Json::array({low, high, count}));
  });
  Json json;
  json["count"] = histogram.count();
  json["mean"] = ms(histogram.mean());
  json["p50"] = ms(histogram.quantile(0.5));
  json["p90"] = ms(histogram.quantile(0.9));
  json["p99"] = ms(histogram.quantile(0.99));
  json["p999"] = ms(histogram.quantile(0.999));
  json["max"] = ms(static_cast<double>(histogram.max()));
  json["buckets_us"] = std::move(buckets);
  return json;
}

/// The total and each kind that occurred.
Json failed_json(const OutcomeCounts& ended) {
  Json json;
  json["total"] = failures(ended);
  for (std::size_t i = index_of(Outcome::good) + 1; i < kOutcomes; ++i) {
    if (ended.at(i) != 0) {
      json[std::string(name_of(static_cast<Outcome>(i)))] = ended.at(i);
    }
  }
  return json;
}

Json accounting_json(const Accounting& accounting) {
  Json json;
  json["carried_in"] = accounting.carried_in;
  json["issued"] = accounting.issued;
  json["good"] = accounting.good();
  json["failed"] = failed_json(accounting.ended);
  json["unfinished"] = accounting.unfinished;
  return json;
}

Json accounting_json(const IterationFigures& iteration) {
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
  json["target_share"] = number(figures.target_share);
  json["share"] = number_if(any_issued, figures.share);
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
  json["min"] = number_if(measured, iteration.rate_min);
  json["mean"] = number_if(measured, iteration.rate_mean);
  json["max"] = number_if(measured, iteration.rate_max);
  return json;
}

Json share_above_json(const IterationFigures& iteration, bool measured) {
  Json json = Json::array();
  for (const auto& [rate, share] : iteration.share_above) {
    Json point;
    point["bits_per_second"] = number(rate);
    point["share"] = number_if(measured, share);
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

Json unfinished_json(const std::vector<UnfinishedOperation>& operations) {
  Json json = Json::array();
  for (const UnfinishedOperation& operation : operations) {
    Json entry;
    entry["connection"] = operation.connection;
    entry["class"] = operation.cls;
    entry["age_seconds"] = number(operation.age_seconds);
    entry["received_bytes"] = operation.received_bytes;
    json.push_back(std::move(entry));
  }
  return json;
}

Json generator_json(const GeneratorFigures& generator, bool measured) {
  Json threads = Json::array();
  for (const ThreadHealth& thread : generator.threads) {
    Json entry;
    entry["cpu_seconds"] = number(thread.cpu_seconds);
    entry["window_cpu_share"] = number_if(measured, thread.window_cpu_share);
    threads.push_back(std::move(entry));
  }
  Json json;
  json["lag_ms"] = histogram_json(generator.lag);
  json["late_timers"] = generator.late_timers;
  json["lateness_share"] = number_if(measured, generator.lateness_share);
  json["threads"] = std::move(threads);
  json["peak_memory_bytes"] = generator.peak_memory_bytes;
  json["descriptors"] = generator.descriptors;
  json["descriptor_limit"] = generator.descriptor_limit;
  json["ports_available"] = generator.ports_available;
  return json;
}

Json series_json(const std::vector<SeriesPoint>& series) {
  Json json = Json::array();
  for (const SeriesPoint& point : series) {
    Json entry;
    entry["second"] = point.second;
    entry["phase"] = point.phase;
    entry["good"] = point.good;
    entry["failed"] = point.failed;
    entry["wire_bytes"] = point.wire_bytes;
    entry["active"] = point.active;
    json.push_back(std::move(entry));
  }
  return json;
}

}  // namespace

void Accounting::merge(const Accounting& other) {
  carried_in += other.carried_in;
  issued += other.issued;
  for (std::size_t i = 0; i < kOutcomes; ++i) {
    ended.at(i) += other.ended.at(i);
  }
  unfinished += other.unfinished;
}

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
  Json json;
  json["number"] = iteration.number;
  json["partial"] = iteration.partial;
  json["verdict"]["status"] = name_of(iteration.verdict.status);
  json["verdict"]["reasons"] = iteration.verdict.reasons;
  json["window_seconds"] = number(iteration.window_seconds);
  json["requested"] = iteration.requested;
  json["valid"] = measured ? Json(iteration.valid) : Json(nullptr);
  json["erroneous"] = measured ? Json(iteration.erroneous) : Json(nullptr);
  json["conforming"] = measured ? Json(iteration.conforming) : Json(nullptr);
  json["operations_per_second"] = number_if(measured, iteration.operations_per_second);
  json["bits_per_second"] = rates_json(iteration, measured);
  json["share_above"] = share_above_json(iteration, measured);
  put_totals(iteration, json);
  json["classes"] = Json::array();
  for (const ClassFigures& figures : iteration.classes) {
    json["classes"].push_back(class_json(figures, any_issued));
  }
  json["accounting"] = accounting_json(iteration);
  json["connections"] = connections_json(iteration);
  json["unfinished_operations"] = unfinished_json(iteration.unfinished);
  json["generator"] = generator_json(iteration.generator, measured);
  json["series"] = series_json(iteration.series);
  return json;
}

}  // namespace scalemark::web

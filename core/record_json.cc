#include "core/record_json.h"

#include <cmath>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/metric_figures.h"

namespace scalemark {
namespace {

using Json = nlohmann::ordered_json;

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

}  // namespace

Json json_number(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json json_number_if(bool exists, double value) {
  return exists ? json_number(value) : Json(nullptr);
}

Json verdict_json(const Verdict& verdict) {
  Json json;
  json["status"] = name_of(verdict.status);
  json["reasons"] = verdict.reasons;
  return json;
}

Json iteration_json(const IterationHead& head, const Findings& findings) {
  const bool measured = head.window_seconds > 0;
  const auto instant = [measured](TimePoint at) {
    return json_number_if(measured, to_seconds(at.time_since_epoch()));
  };
  Json json;
  json["number"] = head.number;
  json["partial"] = head.partial;
  json["verdict"] = verdict_json(verdict_of(findings, head.partial));
  json["window_seconds"] = json_number(head.window_seconds);
  json["opened_monotonic_seconds"] = instant(head.opened);
  json["closed_monotonic_seconds"] = instant(head.closed);
  return json;
}

Json histogram_json(const Histogram& histogram) {
  const bool any = histogram.count() > 0;
  const auto ms = [any](double us) { return json_number_if(any, us / 1000.0); };
  Json buckets = Json::array();
  histogram.for_each_bucket([&buckets](std::uint64_t low, std::uint64_t high, std::uint64_t count) {
    buckets.push_back(Json::array({low, high, count}));
  });
  Json json;
  json["count"] = histogram.count();
  json["mean"] = ms(histogram.mean());
  for (const NamedQuantile& quantile : kQuantiles) {
    json[quantile.name] = ms(histogram.quantile(quantile.share));
  }
  json["max"] = ms(static_cast<double>(histogram.max()));
  if (histogram.overflow() > 0) {
    json["overflow"] = histogram.overflow();
  }
  json["buckets_us"] = std::move(buckets);
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

Json counts_json(const std::map<std::string, std::uint64_t>& counts) {
  Json json = Json::object();
  for (const auto& [name, count] : counts) {
    json[name] = count;
  }
  return json;
}

Json unfinished_json(const std::vector<UnfinishedOperation>& operations) {
  Json json = Json::array();
  for (const UnfinishedOperation& operation : operations) {
    Json entry;
    entry["connection"] = operation.connection;
    entry["class"] = operation.cls;
    entry["age_seconds"] = json_number(operation.age_seconds);
    entry["received_bytes"] = operation.received_bytes;
    json.push_back(std::move(entry));
  }
  return json;
}

Json generator_json(const GeneratorFigures& generator, bool measured) {
  Json threads = Json::array();
  for (const ThreadHealth& thread : generator.threads) {
    Json entry;
    entry["cpu_seconds"] = json_number(thread.cpu_seconds);
    entry["window_cpu_share"] = json_number_if(measured, thread.window_cpu_share);
    threads.push_back(std::move(entry));
  }
  Json json;
  json["lag_ms"] = histogram_json(generator.lag);
  json["late_timers"] = generator.late_timers;
  json["lateness_share"] = json_number_if(measured, generator.lateness_share);
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

}  // namespace scalemark

// A report for other programs, with everything that was worked out.
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "analysis/report_writers.h"
#include "core/record_json.h"
#include "core/run_record.h"

namespace scalemark::analysis {
namespace {

constexpr const char* kSchema = "scalemark-report/1";

Json optional_json(const std::optional<double>& value) {
  return value ? json_number(*value) : Json(nullptr);
}

Json interval_json(const std::optional<Interval>& interval) {
  return interval ? Json::array({json_number(interval->low), json_number(interval->high)}) : Json(nullptr);
}

void put_search(const ScalingPoint& point, Json& json) {
  json["load"] = optional_json(point.load);
  json["load_lower"] = optional_json(point.lower);
  json["load_upper"] = optional_json(point.upper);
  json["trials"] = Json::array();
  for (const TrialLine& trial : point.trials) {
    json["trials"].push_back({{"number", trial.number},
                              {"load", optional_json(trial.load)},
                              {"purpose", trial.purpose},
                              {"why", trial.why},
                              {"verdict", trial.verdict},
                              {"score", optional_json(trial.score)},
                              {"disturbed", trial.disturbed},
                              {"counts", trial.counts},
                              {"reasons", trial.reasons}});
  }
}

Json row_json(const CurveRow& row, const ScalingPoint& point) {
  Json json;
  json["nodes"] = row.nodes;
  json["status"] = name_of(row.status);
  json["why"] = point.why;
  json["iterations"] = row.iterations;
  json["values"] = point.measured;
  json["measured"] = optional_json(row.measured);
  json["interval"] = interval_json(row.interval);
  json["theory"] = optional_json(row.theory);
  json["drop_percent"] = optional_json(row.drop);
  json["efficiency"] = optional_json(row.efficiency);
  json["efficiency_interval"] = interval_json(row.efficiency_interval);
  json["speed_up"] = optional_json(row.speed_up);
  json["super_linear"] = row.super_linear;
  if (row.printed_drop) {
    json["printed_drop_percent"] = *row.printed_drop;
  }
  put_search(point, json);
  return json;
}

/// One node without a router: how it was found; null when that was not measured.
Json direct_json(const std::optional<ScalingPoint>& direct) {
  if (!direct) {
    return nullptr;
  }
  Json json;
  json["status"] = name_of(direct->status);
  json["why"] = direct->why;
  json["values"] = direct->measured;
  put_search(*direct, json);
  return json;
}

Json base_json(const CurveBase& base) {
  Json json;
  json["kind"] = base.kind == BaseKind::direct     ? "direct"
                 : base.kind == BaseKind::smallest ? "smallest"
                                                   : "none";
  json["nodes"] = base.nodes;
  json["rate"] = base.kind == BaseKind::none ? Json(nullptr) : json_number(base.rate);
  json["words"] = base.words();
  return json;
}

Json fit_json(const ModelFit& fit) {
  Json json;
  json["model"] = name_of(fit.kind);
  json["gain"] = json_number(fit.parameters.gain);
  json["gain_interval"] = interval_json(fit.gain);
  json["contention"] = json_number(fit.parameters.contention);
  json["contention_interval"] = interval_json(fit.contention);
  json["coherence"] = json_number(fit.parameters.coherence);
  json["coherence_interval"] = interval_json(fit.coherence);
  json["squared_error"] = json_number(fit.squared_error);
  json["aicc"] = optional_json(fit.aicc);
  json["peak_nodes"] = optional_json(fit.peak);
  json["peak_interval"] = interval_json(fit.peak_interval);
  json["remark"] = fit.remark;
  Json band = Json::array();
  for (const BandPoint& at : fit.band) {
    band.push_back({{"nodes", json_number(at.nodes)},
                    {"rate", json_number(at.rate)},
                    {"interval", interval_json(at.band)},
                    {"extrapolated", at.extrapolated}});
  }
  json["band"] = std::move(band);
  return json;
}

Json attribution_json(const Attribution& at) {
  Json parts = Json::array();
  for (const LossPart& part : at.parts) {
    parts.push_back({{"cause", name_of(part.cause)},
                     {"amount", optional_json(part.amount)},
                     {"evidence", part.evidence}});
  }
  Json json;
  json["nodes"] = at.nodes;
  json["theory"] = json_number(at.theory);
  json["measured"] = json_number(at.measured);
  json["loss"] = json_number(at.loss);
  json["parts"] = std::move(parts);
  json["hints"] = at.hints;
  return json;
}

Json series_json(const SeriesReport& series) {
  Json json;
  json["name"] = series.series.name;
  json["sentence"] = series.sentence;
  json["base"] = base_json(series.curve.base);
  json["direct"] = direct_json(series.series.direct);
  json["points"] = Json::array();
  for (std::size_t i = 0; i < series.curve.rows.size(); ++i) {
    json["points"].push_back(row_json(series.curve.rows[i], series.series.points[i]));
  }
  json["fits"] = Json::array();
  for (const ModelFit& fit : series.fits.fits) {
    json["fits"].push_back(fit_json(fit));
  }
  json["chosen_model"] =
      series.fits.chosen ? Json(name_of(series.fits.fits[*series.fits.chosen].kind)) : Json(nullptr);
  json["choice"] = series.fits.why;
  json["attribution"] = Json::array();
  for (const Attribution& at : series.attribution) {
    json["attribution"].push_back(attribution_json(at));
  }
  json["capacity"] = Json::array();
  for (const CapacityEstimate& estimate : series.capacity) {
    json["capacity"].push_back({{"nodes", estimate.nodes},
                                {"what", estimate.what},
                                {"assumed", estimate.assumed},
                                {"measured", json_number(estimate.measured)},
                                {"theoretical", json_number(estimate.theoretical)}});
  }
  return json;
}

Json facts_json(const std::vector<std::pair<std::string, std::string>>& facts) {
  Json json = Json::object();
  for (const auto& [name, value] : facts) {
    json[name] = value;
  }
  return json;
}

}  // namespace

std::string report_json(const ScalingReport& report) {
  Json json;
  json["schema"] = kSchema;
  json["title"] = report.data.title;
  json["service"] = report.data.service;
  json["unit"] = report.data.unit;
  json["provider"] = report.data.provider;
  json["generator"] = report.generator;
  json["notes"] = report.data.notes;
  json["sources"] = report.data.sources;
  json["plan"] = facts_json(report.data.plan);
  json["machine"] = facts_json(report.data.machine);
  json["series"] = Json::array();
  for (const SeriesReport& series : report.series) {
    json["series"].push_back(series_json(series));
  }
  json["plots"] = Json::array();
  for (const Plot& plot : plots_of(report)) {
    json["plots"].push_back(plot.name);
  }
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace scalemark::analysis

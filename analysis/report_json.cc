// A report for other programs: CSV and JSON.
#include <cmath>
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
  json["load"] = optional_json(point.load);
  json["load_lower"] = optional_json(point.lower);
  json["load_upper"] = optional_json(point.upper);
  json["trials"] = Json::array();
  for (const TrialLine& trial : point.trials) {
    json["trials"].push_back({{"number", trial.number},
                              {"load", optional_json(trial.load)},
                              {"purpose", trial.purpose},
                              {"verdict", trial.verdict},
                              {"score", optional_json(trial.score)},
                              {"disturbed", trial.disturbed},
                              {"reasons", trial.reasons}});
  }
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

std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) {
    return text;
  }
  std::string out = "\"";
  for (const char letter : text) {
    out.append(letter == '"' ? 2 : 1, letter);
  }
  return out + "\"";
}

std::string csv_number(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? Json(*value).dump() : "";
}

std::string csv_row(const SeriesReport& series, std::size_t i) {
  const CurveRow& row = series.curve.rows[i];
  const Interval none{};
  const std::vector<std::string> cells = {csv_cell(series.series.name),
                                          std::to_string(row.nodes),
                                          name_of(row.status),
                                          std::to_string(row.iterations),
                                          csv_number(row.measured),
                                          row.interval ? csv_number(row.interval.value_or(none).low) : "",
                                          row.interval ? csv_number(row.interval.value_or(none).high) : "",
                                          csv_number(row.theory),
                                          csv_number(row.drop),
                                          csv_number(row.efficiency),
                                          csv_number(row.speed_up),
                                          row.super_linear ? "true" : "false",
                                          csv_number(row.printed_drop),
                                          csv_number(series.series.points[i].load)};
  std::string line;
  for (const std::string& cell : cells) {
    line += (&cell == cells.data() ? "" : ",") + cell;
  }
  return line + "\r\n";
}

}  // namespace

std::string report_csv(const ScalingReport& report) {
  std::string text =
      "series,nodes,status,iterations,measured,interval_low,interval_high,theory,drop_percent,efficiency,"
      "speed_up,super_linear,printed_drop_percent,load\r\n";
  for (const SeriesReport& series : report.series) {
    for (std::size_t i = 0; i < series.curve.rows.size(); ++i) {
      text += csv_row(series, i);
    }
  }
  return text;
}

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
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace scalemark::analysis

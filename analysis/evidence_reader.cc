#include "analysis/evidence_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/iteration_evidence.h"
#include "analysis/text.h"
#include "analysis/web_fields.h"

namespace scalemark::analysis {
namespace {

PartFigures part_of(const Json& json, const std::string& name) {
  const std::string own = text_of(json, {"name"});
  return {.name = own.empty() ? name : own,
          .requests = real_of(json, {"requests"}),
          .bytes_served = real_of(json, {"bytes_served"}),
          .sent_bytes = real_of(json, {"nic_sent_bytes"}),
          .received_bytes = real_of(json, {"nic_received_bytes"}),
          .cpu_seconds = real_of(json, {"cpu_seconds"}),
          .throttled_share = real_of(json, {"throttled_share"})};
}

std::vector<PartFigures> parts_of(const Json& list, const char* letter) {
  std::vector<PartFigures> parts;
  for (std::size_t i = 0; list.is_array() && i < list.size(); ++i) {
    parts.push_back(part_of(list[i], fmt::format("{}{}", letter, i + 1)));
  }
  return parts;
}

void add_cluster(const Json& cluster, const Json& number, Evidence& evidence) {
  const Json& iterations = field(cluster, {"iterations"});
  for (const Json& iteration : iterations.is_array() ? iterations : Json::array()) {
    if (field(iteration, {"number"}) != number) {
      continue;
    }
    if (const auto seconds = real_of(iteration, {"seconds"})) {
      evidence.seconds = *seconds;
    }
    evidence.nodes = parts_of(field(iteration, {"nodes"}), "n");
    evidence.proxies = parts_of(field(iteration, {"proxies"}), "x");
    if (const Json& router = field(iteration, {"router"}); router.is_object()) {
      evidence.router = part_of(router, "router");
    }
    if (const Json& client = field(iteration, {"client"}); client.is_object()) {
      evidence.client = part_of(client, "client");
    }
    if (const Json& machine = field(iteration, {"machine"}); machine.is_object()) {
      evidence.machine = MachineFigures{.processors = real_of(machine, {"processors"}),
                                        .busy_cpu_seconds = real_of(machine, {"busy_cpu_seconds"}),
                                        .stolen_cpu_seconds = real_of(machine, {"stolen_cpu_seconds"}),
                                        .foreign_cpu_seconds = real_of(machine, {"foreign_cpu_seconds"})};
    }
  }
}

void add_generator(const Json& generator, Evidence& evidence) {
  evidence.lag = histogram_of(field(generator, {"lag_ms"}));
  evidence.late_timers = real_of(generator, {"late_timers"});
  evidence.lateness_share = real_of(generator, {"lateness_share"});
  const Json& threads = field(generator, {"threads"});
  for (const Json& thread : threads.is_array() ? threads : Json::array()) {
    if (const auto share = real_of(thread, {"window_cpu_share"})) {
      evidence.busiest_thread = std::max(evidence.busiest_thread.value_or(0), *share);
    }
  }
}

void add_series(const Json& series, Evidence& evidence) {
  for (const Json& second : series.is_array() ? series : Json::array()) {
    evidence.series.push_back({.second = real_of(second, {"second"}).value_or(0),
                               .phase = text_of(second, {"phase"}),
                               .good = real_of(second, {"good"}).value_or(0),
                               .failed = real_of(second, {"failed"}).value_or(0),
                               .bytes = real_of(second, {"wire_bytes"}).value_or(0),
                               .active = real_of(second, {"active"}).value_or(0)});
  }
}

Evidence evidence_of(const Json& iteration, const Json& cluster, bool record_is_mail) {
  Evidence evidence;
  evidence.seconds = real_of(iteration, {"window_seconds"}).value_or(0);
  record_is_mail ? add_mail_evidence(iteration, evidence) : add_web_evidence(iteration, evidence);
  add_generator(field(iteration, {"generator"}), evidence);
  add_series(field(iteration, {"series"}), evidence);
  add_cluster(cluster, field(iteration, {"number"}), evidence);
  return evidence;
}

std::string value_text(const Json& value) {
  if (value.is_string()) {
    return value.get<std::string>();
  }
  if (value.is_array()) {
    std::vector<std::string> parts;
    for (const Json& item : value) {
      parts.push_back(value_text(item));
    }
    return fmt::format("{}", fmt::join(parts, ", "));
  }
  return value.is_null() ? "" : value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void add_plan(const Json& plan, const std::string& prefix,
              std::vector<std::pair<std::string, std::string>>& facts) {
  for (const auto& [name, value] : plan.items()) {
    if (value.is_object()) {
      add_plan(value, prefix + name + ".", facts);
    } else if (const std::string text = value_text(value); !text.empty()) {
      facts.emplace_back(prefix + name, text);
    }
  }
}

}  // namespace

std::vector<Evidence> evidence_in(const RunRecord& record) {
  std::vector<Evidence> evidence;
  for (const std::size_t i : scorable_iterations(record)) {
    evidence.push_back(evidence_of(record.iterations[i], record.cluster, record.kind == "mail"));
  }
  return evidence;
}

void add_evidence(const RunRecord& record, ScalingPoint& point) {
  for (Evidence& iteration : evidence_in(record)) {
    point.evidence.push_back(std::move(iteration));
  }
  point.node_link = real_of(record.cluster, {"node_link_bits_per_second"});
  point.router_link = real_of(record.cluster, {"router_link_bits_per_second"});
  point.node_cpu_share = real_of(record.cluster, {"node_cpu_share"});
  point.proxy_cpu_share = real_of(record.cluster, {"proxy_cpu_share"});
}

std::vector<std::pair<std::string, std::string>> plan_facts(const Json& plan) {
  std::vector<std::pair<std::string, std::string>> facts;
  if (plan.is_object()) {
    add_plan(plan, "", facts);
  }
  return facts;
}

std::vector<std::pair<std::string, std::string>> machine_facts(const Json& context) {
  std::vector<std::pair<std::string, std::string>> facts;
  for (const auto& [key, words] : {std::pair{"host", "host"},
                                   {"processor_model", "processor"},
                                   {"processors", "processors"},
                                   {"memory_bytes", "memory"},
                                   {"kernel", "kernel"},
                                   {"scalemark", "scalemark"},
                                   {"build_type", "build"},
                                   {"sanitizers", "sanitizers"},
                                   {"started_utc", "started"}}) {
    const Json& value = field(context, {key});
    const std::string text = std::string_view(key) == "memory_bytes" && count_of(value, {})
                                 ? bytes_text(count_of(value, {}))
                                 : value_text(value);
    if (!text.empty()) {
      facts.emplace_back(words, text);
    }
  }
  return facts;
}

}  // namespace scalemark::analysis

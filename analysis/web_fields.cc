#include "analysis/web_fields.h"

#include <cmath>

namespace scalemark::analysis {
namespace {

/// Those that have figures, and are partial or not as asked.
std::vector<std::size_t> measured_iterations(const RunRecord& record, bool partial) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < record.iterations.size(); ++i) {
    const Json& iteration = record.iterations[i];
    if (real_of(iteration, {score_figure(record)}) &&
        (field(iteration, {"partial"}) == Json(true)) == partial) {
      found.push_back(i);
    }
  }
  return found;
}

}  // namespace

const Json& field(const Json& from, std::initializer_list<const char*> path) {
  static const Json nothing;
  const Json* at = &from;
  for (const char* key : path) {
    if (!at->is_object()) {
      return nothing;
    }
    const auto found = at->find(key);
    if (found == at->end()) {
      return nothing;
    }
    at = &*found;
  }
  return *at;
}

std::optional<double> real_of(const Json& from, std::initializer_list<const char*> path) {
  const Json& value = field(from, path);
  if (!value.is_number() || !std::isfinite(value.get<double>())) {
    return std::nullopt;
  }
  return value.get<double>();
}

std::optional<std::uint64_t> count_of(const Json& from, std::initializer_list<const char*> path) {
  const Json& value = field(from, path);
  if (!value.is_number_integer() || (!value.is_number_unsigned() && value.get<std::int64_t>() < 0)) {
    return std::nullopt;
  }
  return value.get<std::uint64_t>();
}

std::string text_of(const Json& from, std::initializer_list<const char*> path) {
  const Json& value = field(from, path);
  return value.is_string() ? value.get<std::string>() : "";
}

std::vector<std::string> texts_of(const Json& from, std::initializer_list<const char*> path) {
  const Json& value = field(from, path);
  if (value.is_string()) {
    return {value.get<std::string>()};
  }
  std::vector<std::string> texts;
  if (value.is_array()) {
    for (const Json& item : value) {
      if (item.is_string()) {
        texts.push_back(item.get<std::string>());
      }
    }
  }
  return texts;
}

std::vector<Failure> failures_of(const Json& failed) {
  std::vector<Failure> kinds;
  if (failed.is_object()) {
    for (const auto& [name, value] : failed.items()) {
      const auto count = count_of(value, {});
      if (name != "total" && count) {
        kinds.push_back({name, *count});
      }
    }
  }
  return kinds;
}

std::optional<bool> adds_up(const Json& accounting) {
  const auto carried_in = count_of(accounting, {"carried_in"});
  const auto issued = count_of(accounting, {"issued"});
  const auto good = count_of(accounting, {"good"});
  const auto failed = count_of(accounting, {"failed", "total"});
  const auto unfinished = count_of(accounting, {"unfinished"});
  if (!carried_in || !issued || !good || !failed || !unfinished) {
    return std::nullopt;
  }
  return *carried_in + *issued == *good + *failed + *unfinished;
}

const char* score_figure(const RunRecord& record) {
  return record.kind == "mail" ? "operations_per_hour" : "conforming";
}

std::vector<std::size_t> complete_iterations(const RunRecord& record) {
  return measured_iterations(record, false);
}

std::vector<std::size_t> scorable_iterations(const RunRecord& record) {
  auto complete = complete_iterations(record);
  return complete.empty() ? measured_iterations(record, true) : complete;
}

std::optional<std::size_t> scored_iteration(const RunRecord& record) {
  for (std::size_t i = 0; record.score.iteration && i < record.iterations.size(); ++i) {
    if (count_of(record.iterations[i], {"number"}) == *record.score.iteration) {
      return i;
    }
  }
  return std::nullopt;
}

}  // namespace scalemark::analysis

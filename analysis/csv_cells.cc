#include "analysis/csv_cells.h"

#include <utility>

#include "analysis/mail_fields.h"
#include "analysis/web_fields.h"

namespace scalemark::analysis {
namespace {

void add_count(const std::string& name, std::uint64_t count, std::string& text) {
  text.append(text.empty() ? "" : ";").append(name).append(":").append(std::to_string(count));
}

}  // namespace

std::string csv_cell(const Json& from, std::initializer_list<const char*> path) {
  const Json& value = field(from, path);
  return value.is_null() ? "" : value.is_string() ? value.get<std::string>() : value.dump();
}

std::string csv_counts(const Json& counts) {
  std::string text;
  for (const NamedCount& one : counts_in(counts)) {
    add_count(one.name, one.count, text);
  }
  return text;
}

void add_accounting_names(const std::string& lead, std::vector<std::string>& names) {
  for (const char* name : {"carried_in", "issued", "good", "failed", "unfinished", "failed_by_outcome"}) {
    names.push_back(lead + name);
  }
}

void add_accounting_cells(const Json& accounting, std::vector<std::string>& row) {
  row.push_back(csv_cell(accounting, {"carried_in"}));
  row.push_back(csv_cell(accounting, {"issued"}));
  row.push_back(csv_cell(accounting, {"good"}));
  row.push_back(csv_cell(accounting, {"failed", "total"}));
  row.push_back(csv_cell(accounting, {"unfinished"}));
  std::string kinds;
  for (const Failure& failure : failures_of(field(accounting, {"failed"}))) {
    add_count(failure.outcome, failure.count, kinds);
  }
  row.push_back(std::move(kinds));
}

}  // namespace scalemark::analysis

#include "analysis/csv.h"

#include <string_view>
#include <vector>

#include "analysis/web_fields.h"
#include "core/error.h"

namespace scalemark::analysis {
namespace {

using Row = std::vector<std::string>;

constexpr const char* kStatistics[] = {"mean", "p50", "p90", "p99", "p999", "max"};

Row header() {
  Row names = {"run_status",
               "iteration",
               "class",
               "scored",
               "partial",
               "iteration_status",
               "window_seconds",
               "requested",
               "valid",
               "erroneous",
               "starved",
               "conforming",
               "operations_per_second",
               "bits_per_second_min",
               "bits_per_second_mean",
               "bits_per_second_max",
               "target_share",
               "share",
               "carried_in",
               "issued",
               "good",
               "failed",
               "unfinished",
               "failed_by_outcome",
               "bytes"};
  for (const char* time : {"ttfb_ms_", "ttlb_ms_"}) {
    for (const char* statistic : kStatistics) {
      names.push_back(std::string(time) + statistic);
    }
  }
  for (const char* name : {"run_carried_in", "run_issued", "run_good", "run_failed", "run_unfinished",
                           "run_failed_by_outcome"}) {
    names.emplace_back(name);
  }
  return names;
}

std::string quoted(const std::string& cell) {
  if (cell.find_first_of(",\"\r\n") == std::string::npos) {
    return cell;
  }
  std::string text = "\"";
  for (const char letter : cell) {
    text.append(letter == '"' ? 2 : 1, letter);
  }
  return text + '"';
}

void put_line(const Row& row, std::string& out) {
  for (std::size_t i = 0; i < row.size(); ++i) {
    out.append(i == 0 ? "" : ",").append(quoted(row[i]));
  }
  out += "\r\n";
}

/// A figure as the record writes it.
std::string cell(const Json& from, std::initializer_list<const char*> path) {
  const Json& value = field(from, path);
  return value.is_null() ? "" : value.is_string() ? value.get<std::string>() : value.dump();
}

/// "bad_status:12;reset:3"
std::string failures_cell(const Json& failed) {
  std::string text;
  for (const Failure& failure : failures_of(failed)) {
    text.append(text.empty() ? "" : ";")
        .append(failure.outcome)
        .append(":")
        .append(std::to_string(failure.count));
  }
  return text;
}

void put_accounting(const Json& accounting, Row& row) {
  row.push_back(cell(accounting, {"carried_in"}));
  row.push_back(cell(accounting, {"issued"}));
  row.push_back(cell(accounting, {"good"}));
  row.push_back(cell(accounting, {"failed", "total"}));
  row.push_back(cell(accounting, {"unfinished"}));
  row.push_back(failures_cell(field(accounting, {"failed"})));
}

/// What all rows of an iteration begin with; figures of the iteration as a whole stand only in its row "all".
Row row_begin(const RunRecord& record, const Json& iteration, const Json* cls, bool scored) {
  const bool all = cls == nullptr;
  Row row = {name_of(record.verdict.status),      cell(iteration, {"number"}),
             all ? "all" : cell(*cls, {"class"}), scored ? "true" : "false",
             cell(iteration, {"partial"}),        cell(iteration, {"verdict", "status"}),
             cell(iteration, {"window_seconds"})};
  for (const char* figure :
       {"requested", "valid", "erroneous", "starved", "conforming", "operations_per_second"}) {
    row.push_back(all ? cell(iteration, {figure}) : "");
  }
  for (const char* figure : {"min", "mean", "max"}) {
    row.push_back(all ? cell(iteration, {"bits_per_second", figure}) : "");
  }
  return row;
}

/// The rest of a row: `figures` holds shares, bytes and times, the accountings may stand elsewhere.
void put_figures(const Json& figures, const Json& window, const Json& run, Row& row) {
  row.push_back(cell(figures, {"target_share"}));
  row.push_back(cell(figures, {"share"}));
  put_accounting(window, row);
  row.push_back(cell(figures, {"bytes"}));
  for (const char* time : {"ttfb_ms", "ttlb_ms"}) {
    for (const char* statistic : kStatistics) {
      row.push_back(cell(figures, {time, statistic}));
    }
  }
  put_accounting(run, row);
}

}  // namespace

std::string web_csv(const RunRecord& record) {
  if (record.kind != "web") {
    throw UsageError("only records of kind \"web\" can be written as CSV, and this one is of kind \"" +
                     record.kind + "\"; use the JSON record instead");
  }
  std::string out;
  put_line(header(), out);
  const auto scored = scored_iteration(record);
  for (std::size_t i = 0; i < record.iterations.size(); ++i) {
    const Json& iteration = record.iterations[i];
    Row all = row_begin(record, iteration, nullptr, scored == i);
    put_figures(iteration, field(iteration, {"accounting", "window"}),
                field(iteration, {"accounting", "run"}), all);
    put_line(all, out);
    const Json& classes = field(iteration, {"classes"});
    for (std::size_t c = 0; c < (classes.is_array() ? classes.size() : 0); ++c) {
      Row row = row_begin(record, iteration, &classes[c], scored == i);
      put_figures(classes[c], classes[c], field(classes[c], {"run"}), row);
      put_line(row, out);
    }
  }
  return out;
}

}  // namespace scalemark::analysis

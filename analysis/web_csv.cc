#include "analysis/web_csv.h"

#include <string>
#include <vector>

#include "analysis/csv_cells.h"
#include "analysis/csv_line.h"
#include "analysis/web_fields.h"
#include "core/error.h"

namespace scalemark::analysis {
namespace {

using Row = std::vector<std::string>;

Row web_header() {
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
               "share"};
  add_accounting_names("", names);
  names.emplace_back("bytes");
  for (const char* time : {"ttfb_ms_", "ttlb_ms_"}) {
    for (const char* statistic : kCsvStatistics) {
      names.push_back(std::string(time) + statistic);
    }
  }
  add_accounting_names("run_", names);
  return names;
}

/// What all rows of an iteration begin with; figures of the iteration as a whole stand only in its row "all".
Row web_row_begin(const RunRecord& record, const Json& iteration, const Json* cls, bool scored) {
  const bool all = cls == nullptr;
  Row row = {name_of(record.verdict.status),          csv_cell(iteration, {"number"}),
             all ? "all" : csv_cell(*cls, {"class"}), scored ? "true" : "false",
             csv_cell(iteration, {"partial"}),        csv_cell(iteration, {"verdict", "status"}),
             csv_cell(iteration, {"window_seconds"})};
  for (const char* figure :
       {"requested", "valid", "erroneous", "starved", "conforming", "operations_per_second"}) {
    row.push_back(all ? csv_cell(iteration, {figure}) : "");
  }
  for (const char* figure : {"min", "mean", "max"}) {
    row.push_back(all ? csv_cell(iteration, {"bits_per_second", figure}) : "");
  }
  return row;
}

/// The rest of a row: `figures` holds shares, bytes and times, the accountings may stand elsewhere.
void put_figures(const Json& figures, const Json& window, const Json& run, Row& row) {
  row.push_back(csv_cell(figures, {"target_share"}));
  row.push_back(csv_cell(figures, {"share"}));
  add_accounting_cells(window, row);
  row.push_back(csv_cell(figures, {"bytes"}));
  for (const char* time : {"ttfb_ms", "ttlb_ms"}) {
    for (const char* statistic : kCsvStatistics) {
      row.push_back(csv_cell(figures, {time, statistic}));
    }
  }
  add_accounting_cells(run, row);
}

}  // namespace

std::string web_csv(const RunRecord& record) {
  if (record.kind != "web") {
    throw UsageError("a record of kind \"web\" was expected, and this one is of kind \"" + record.kind +
                     "\"");
  }
  std::string out;
  out += csv_line(web_header());
  const auto scored = scored_iteration(record);
  for (std::size_t i = 0; i < record.iterations.size(); ++i) {
    const Json& iteration = record.iterations[i];
    Row all = web_row_begin(record, iteration, nullptr, scored == i);
    put_figures(iteration, field(iteration, {"accounting", "window"}),
                field(iteration, {"accounting", "run"}), all);
    out += csv_line(all);
    const Json& classes = field(iteration, {"classes"});
    for (std::size_t c = 0; c < (classes.is_array() ? classes.size() : 0); ++c) {
      Row row = web_row_begin(record, iteration, &classes[c], scored == i);
      put_figures(classes[c], classes[c], field(classes[c], {"run"}), row);
      out += csv_line(row);
    }
  }
  return out;
}

}  // namespace scalemark::analysis

#include "analysis/mail_csv.h"

#include <vector>

#include "analysis/csv_cells.h"
#include "analysis/csv_line.h"
#include "analysis/mail_fields.h"
#include "analysis/web_fields.h"
#include "core/error.h"

namespace scalemark::analysis {
namespace {

using Row = std::vector<std::string>;

constexpr const char* kIterationFigures[] = {"users",         "users_refused", "operations_per_hour",
                                             "smtp_per_hour", "pop3_per_hour", "operations_per_second"};
constexpr const char* kSmtpFigures[] = {"connections_opened", "sent_bytes"};
constexpr const char* kPop3Figures[] = {"empty_polls", "locked_logins", "received_bytes"};
constexpr const char* kLedgerFigures[] = {"late", "leftovers", "foreign", "fetched_again", "surplus"};

/// Names of the ledger's classes, as the record's first iteration has them.
std::vector<std::string> class_names(const RunRecord& record) {
  std::vector<std::string> names;
  if (!record.iterations.empty()) {
    for (const NamedCount& one : counts_in(field(record.iterations[0], {"ledger", "classes"}))) {
      names.push_back(one.name);
    }
  }
  return names;
}

Row mail_header(const std::vector<std::string>& classes) {
  Row names = {"run_status", "iteration", "step", "scored", "partial", "iteration_status", "window_seconds"};
  const auto add = [&names](const std::string& lead, const auto& figures) {
    for (const auto& figure : figures) {
      names.push_back(lead + figure);
    }
  };
  add("", kIterationFigures);
  for (const char* lead : {"", "run_", "smtp_", "smtp_run_", "pop3_", "pop3_run_"}) {
    add_accounting_names(lead, names);
  }
  add("smtp_", kSmtpFigures);
  names.emplace_back("smtp_replies");
  names.insert(names.end(), {"pop3_retrieved", "pop3_run_retrieved"});
  add("pop3_", kPop3Figures);
  names.emplace_back("pop3_refusals");
  names.emplace_back("planned");
  add("", classes);
  add("", kLedgerFigures);
  names.emplace_back("by_node");
  names.emplace_back("count");
  add("ms_", kCsvStatistics);
  return names;
}

Row mail_row_begin(const RunRecord& record, const Json& iteration, const std::string& step, bool scored) {
  return {name_of(record.verdict.status),
          csv_cell(iteration, {"number"}),
          step,
          scored ? "true" : "false",
          csv_cell(iteration, {"partial"}),
          csv_cell(iteration, {"verdict", "status"}),
          csv_cell(iteration, {"window_seconds"})};
}

void add_protocols(const Json& iteration, Row& row) {
  for (const char* books : {"accounting", "smtp", "pop3"}) {
    add_accounting_cells(field(iteration, {books, "window"}), row);
    add_accounting_cells(field(iteration, {books, "run"}), row);
  }
  for (const char* figure : kSmtpFigures) {
    row.push_back(csv_cell(iteration, {"smtp", figure}));
  }
  row.push_back(csv_counts(field(iteration, {"smtp", "replies"})));
  row.push_back(csv_cell(iteration, {"pop3", "retrieved", "window"}));
  row.push_back(csv_cell(iteration, {"pop3", "retrieved", "run"}));
  for (const char* figure : kPop3Figures) {
    row.push_back(csv_cell(iteration, {"pop3", figure}));
  }
  row.push_back(csv_counts(field(iteration, {"pop3", "refusals"})));
}

void add_ledger(const Json& ledger, const std::vector<std::string>& classes, Row& row) {
  row.push_back(csv_cell(ledger, {"planned"}));
  for (const std::string& name : classes) {
    row.push_back(csv_cell(ledger, {"classes", name.c_str()}));
  }
  for (const char* figure : kLedgerFigures) {
    row.push_back(csv_cell(ledger, {figure}));
  }
  row.push_back(csv_counts(field(ledger, {"by_node"})));
}

void add_times(const Json& histogram, Row& row) {
  row.push_back(csv_cell(histogram, {"count"}));
  for (const char* statistic : kCsvStatistics) {
    row.push_back(csv_cell(histogram, {statistic}));
  }
}

}  // namespace

std::string mail_csv(const RunRecord& record) {
  if (record.kind != "mail") {
    throw UsageError("a record of kind \"mail\" was expected, and this one is of kind \"" + record.kind +
                     "\"");
  }
  const std::vector<std::string> classes = class_names(record);
  const Row names = mail_header(classes);
  std::string out = csv_line(names);
  const auto scored = scored_iteration(record);
  for (std::size_t i = 0; i < record.iterations.size(); ++i) {
    const Json& iteration = record.iterations[i];
    Row all = mail_row_begin(record, iteration, "all", scored == i);
    for (const char* figure : kIterationFigures) {
      all.push_back(csv_cell(iteration, {figure}));
    }
    add_protocols(iteration, all);
    add_ledger(field(iteration, {"ledger"}), classes, all);
    all.resize(names.size());
    out += csv_line(all);
    const Json& steps = field(iteration, {"steps_ms"});
    for (auto step = steps.begin(); steps.is_object() && step != steps.end(); ++step) {
      Row row = mail_row_begin(record, iteration, step.key(), scored == i);
      row.resize(names.size() - 1 - std::size(kCsvStatistics));
      add_times(*step, row);
      out += csv_line(row);
    }
  }
  return out;
}

}  // namespace scalemark::analysis

#include "analysis/run_summary.h"

#include "analysis/mail_csv.h"
#include "analysis/mail_summary.h"
#include "analysis/run_view.h"
#include "analysis/web_csv.h"
#include "analysis/web_summary.h"
#include "core/error.h"

namespace scalemark::analysis {

std::string run_summary(const RunRecord& record, const TextStyle& style) {
  return record.kind == "web"    ? web_summary(record, style)
         : record.kind == "mail" ? mail_summary(record, style)
                                 : envelope_text(RunView(record, style), style.colour);
}

std::string run_csv(const RunRecord& record) {
  if (record.kind != "web" && record.kind != "mail") {
    throw UsageError("a record of kind \"" + record.kind +
                     "\" cannot be written as CSV; use the JSON record instead");
  }
  return record.kind == "mail" ? mail_csv(record) : web_csv(record);
}

}  // namespace scalemark::analysis

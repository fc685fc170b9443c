// Where a run's results go: record, CSV, and the text that a person reads.
//
// A measurement may have taken hours: whatever becomes of the files, it ends up somewhere.
#pragma once

#include <string>

#include "app/command.h"

namespace scalemark {
struct RunRecord;  // core/run_record.h
}

namespace scalemark::app {

/// Each a file's path, "-" for standard output, or "" for nowhere.
struct RunOutputs {
  std::string json;
  std::string csv;
  bool json_is_new = false;  ///< `json` is a name of our own choice: no other run's file is ever replaced
};

/// Where a run of this kind ("web") wants its results, as its plan says; `utc` is the time for the default
/// name, as "2026-01-31T12:00:00Z". The default name is one that no file has.
[[nodiscard]] RunOutputs choose_outputs(const std::string& kind, const std::string& json,
                                        const std::string& csv, const std::string& utc);

/// Throws UsageError when a file could not be written; to be asked before any load.
void check_outputs(const RunOutputs& outputs);

/// Writes everything, in the form that belongs to the record's kind. The text goes to standard output unless
/// a document goes there. False when a file could not be written: then the record is on standard output
/// instead, unless it is in a file after all.
[[nodiscard]] bool write_outputs(const RunRecord& record, const RunOutputs& outputs, Console& console);

}  // namespace scalemark::app

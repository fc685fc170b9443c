// The one result of a run, and the only thing that analysis reads.
//
// A record is a JSON document: this struct is its envelope, common to every kind of run; `iterations` and
// what they hold belong to the kind and are documented in docs/result-format.md. A record never holds NaN or
// an infinity: a figure that does not exist is null. Plain data; not synchronised.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/verdict.h"

namespace scalemark {

using Json = nlohmann::ordered_json;

struct RunRecord {
  /// Name and version of the format; the number grows when a field changes its meaning or goes away.
  static constexpr const char* kSchema = "scalemark/1";

  std::string kind;  ///< "web", "mail" or "study"
  Verdict verdict;
  Score score;
  Json plan;                        ///< all effective settings
  Json context;                     ///< host, CPUs, kernel, versions, seed, UTC start
  Json iterations = Json::array();  ///< one object each, kind-specific

  // Members that only some records have; null elsewhere, and not written then.
  Json cluster;  ///< the cluster that was measured, and what its parts did meanwhile
  Json search;   ///< how the load was found
  Json points;   ///< of a study: one object per router and number of nodes
};

/// The document. Figures that are not finite become null and text that is not UTF-8 is mended, anywhere in
/// it, so that it can always be written.
[[nodiscard]] Json to_json(const RunRecord& record);
/// Throws UsageError when the document is no record or of an unknown schema version.
[[nodiscard]] RunRecord record_from_json(const Json& document);

/// Checks, before any load, that write_file() can write to `path`. Throws UsageError otherwise. Creates and
/// changes nothing that stays.
void check_writable(const std::filesystem::path& path);
/// Writes text beside `path` and renames it into place, so that a full disk never leaves half a file under
/// that name; a symbolic link's target is replaced, not the link. What is no regular file (a pipe,
/// /dev/stdout) is written to as it stands. Throws RunError; nothing of the attempt is left then.
void write_file(const std::filesystem::path& path, const std::string& text);
/// Reads a record. Throws UsageError with the path and what is wrong with it.
[[nodiscard]] RunRecord read_record(const std::filesystem::path& path);

/// What every record's context holds: "host", "processor_model", "processors" (usable by this process),
/// "memory_bytes", "kernel", "scalemark" (version), "compiler", "build_type", "sanitizers" (only when built
/// with them), "libevent" and "started_utc" (the time of the call). What the system does not tell is null.
[[nodiscard]] Json machine_context();

}  // namespace scalemark

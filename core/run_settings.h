// What the plans of all kinds of runs have in common: where results go, goals, and what is refused in each.
//
// Pure; thread-safe as long as the plan is left alone.
#pragma once

#include <string>
#include <vector>

#include "core/requirement.h"
#include "core/setting.h"

namespace scalemark {

/// Throws UsageError with the sentence when there is the fault.
void refuse_if(bool fault, const std::string& sentence);

/// "json" and "csv"; `kind` ("web") is what a new record's name begins with.
void add_output_settings(Settings& to, const std::string& kind, std::string& json, std::string& csv);

/// Throws UsageError when record and CSV would go to the same file.
void check_outputs_differ(const std::string& json, const std::string& csv);

/// Throws UsageError for a requirement that cannot be read or that is about no known metric.
void check_requirements(const std::vector<std::string>& require, const std::vector<MetricInfo>& known);

/// Throws UsageError when one of the local addresses is of another family than `host`, if that is an address:
/// what a name stands for is known only later. `target` is what the sentence calls it.
void check_bind_family(const std::vector<std::string>& bind, const std::string& host,
                       const std::string& target);

}  // namespace scalemark

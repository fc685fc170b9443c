// A study's TOML file: three tables, each with additions for the quick and the full profile, and variants.
//
//   [study]   what is measured            [study.quick]  [study.full]
//   [cluster] what a cluster looks like   [cluster.quick] [cluster.full]
//   [web]     what a trial is             [web.quick]    [web.full]
//   [mail]    the same of a mail study    [mail.quick]   [mail.full]
//   [variants.NAME]  what is else for one of several measurements of each point (app/study_variants.h)
//
// The additions of the profile at hand are laid over the plain tables, and what the command line says over
// both. Reads files; otherwise pure.
#pragma once

#include <string>
#include <vector>

#include "app/given.h"
#include "study/study_plan.h"

namespace scalemark::app {

/// Fills `plan` from the file and from the command line: settings of [study] by their name, those of any
/// table as "TABLE.NAME=VALUE" in `overrides`. Throws UsageError with file and line.
void apply_study_file(study::StudyPlan& plan, const std::string& path, const std::vector<Given>& command_line,
                      const std::vector<std::string>& overrides);

/// The whole plan as a file that apply_study_file() reads to the same plan.
[[nodiscard]] std::string write_study_file(const study::StudyPlan& plan);

/// Throw UsageError when what was given for a study's workload or cluster is the study's own business.
void refuse_of_workload(const study::StudyPlan& plan, const std::vector<Given>& given);
void refuse_of_cluster(const study::StudyPlan& plan, const std::vector<Given>& given);

}  // namespace scalemark::app

#include "app/study_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "app/settings_toml.h"
#include "app/study_variants.h"
#include "app/workload_options.h"
#include "core/error.h"
#include "study/point_plan.h"

namespace scalemark::app {
namespace {

using testbed::ServiceKind;

/// A study's file while it is read.
struct StudyFile {
  std::string path;
  std::vector<std::string> overrides;  // of the command line
  std::vector<std::string> tables{};   // all that it may have
};

std::vector<std::string> tables_of(const std::string& path) {
  std::vector<std::string> tables;
  for (const std::string table : {"study", "cluster", "web", "mail"}) {
    tables.insert(tables.end(), {table, table + ".quick", table + ".full"});
  }
  const auto of_variants = variant_tables(path);
  tables.insert(tables.end(), of_variants.begin(), of_variants.end());
  return tables;
}

bool has_table(const std::string& path, const std::string& table) {
  const auto tables = inner_tables(path, "");
  return std::find(tables.begin(), tables.end(), table) != tables.end();
}

/// "web.window=2s" for the table "web".
std::vector<Given> overrides_of(const std::string& table, const std::vector<std::string>& overrides) {
  std::vector<Given> given;
  for (const std::string& text : overrides) {
    const auto dot = text.find('.');
    const auto equals = text.find('=');
    if (dot == std::string::npos || equals == std::string::npos || equals < dot) {
      throw UsageError(
          fmt::format("--set: '{}' has not the form TABLE.NAME=VALUE, as in web.window=30s", text));
    }
    const std::string named = text.substr(0, dot);
    if (named != "study" && named != "cluster" && named != "web" && named != "mail") {
      throw UsageError(
          fmt::format("--set: there is no table '{}'; there are study, cluster, web and mail", named));
    }
    const std::string name = text.substr(dot + 1, equals - dot - 1);
    if (named != table) {
      continue;
    }
    if (!given.empty() && given.back().name == name) {
      given.back().texts.push_back(text.substr(equals + 1));  // a list
    } else {
      given.push_back({name, {text.substr(equals + 1)}, "--set"});
    }
  }
  return given;
}

/// What the file gives in one of its tables, the profile's addition laid over it, and --set over both. The
/// other profile's addition is read as well: a slip in it is better found now than in the night of the full
/// study.
std::vector<Given> read_table(const StudyFile& file, const std::string& table, study::Profile profile,
                              const Settings& settings) {
  const auto plain = read_toml(file.path, table, file.tables, settings);
  const auto quick = read_toml(file.path, table + ".quick", file.tables, settings);
  const auto full = read_toml(file.path, table + ".full", file.tables, settings);
  return overlay(overlay(plain, profile == study::Profile::quick ? quick : full),
                 overrides_of(table, file.overrides));
}

void refuse_given(const std::vector<Given>& given, const std::string& name, const std::string& advice) {
  if (const Given* found = find_given(given, name); found != nullptr) {
    throw UsageError(fmt::format("{}: '{}' is not for a study's trials; {}", found->origin, name, advice));
  }
}

/// Which service the file is about, as far as [study] and the command line do not say.
ServiceKind service_by_tables(const StudyFile& file) {
  const bool mail = has_table(file.path, "mail") || !overrides_of("mail", file.overrides).empty();
  if (mail && has_table(file.path, "web")) {
    throw UsageError(fmt::format(
        "{}: there are both [web] and [mail]; write service = \"web\" or service = \"mail\" in [study]",
        file.path));
  }
  return mail ? ServiceKind::mail : ServiceKind::web;
}

/// Service and profile decide which tables are read and what there is without them, so they come first.
void take_service_and_profile(study::StudyPlan& plan, const StudyFile& file, const std::vector<Given>& said) {
  Settings settings = study::study_settings(plan);
  const auto plain = overlay(read_toml(file.path, "study", file.tables, settings), said);
  if (const Given* profile = find_given(plain, "profile"); profile != nullptr) {
    apply_given(settings, *profile);
  }
  if (const Given* service = find_given(plain, "service"); service != nullptr) {
    apply_given(settings, *service);
  } else {
    plan.service = service_by_tables(file);
  }
  study::take_service(plan, plan.service);
}

void apply_study(study::StudyPlan& plan, const StudyFile& file, const std::vector<Given>& said) {
  const study::Profile profile = plan.profile;  // settled: what else the tables say of it changes nothing
  const ServiceKind service = plan.service;
  Settings settings = study::study_settings(plan);
  apply_given(settings, overlay(read_table(file, "study", profile, settings), said));
  plan.profile = profile;
  plan.service = service;
}

void apply_workload(study::StudyPlan& plan, const StudyFile& file) {
  study::Workload& workload = *plan.workload;
  auto given = read_table(file, workload.words().command, plan.profile, workload.settings());
  refuse_of_workload(plan, given);
  given.push_back({"profile", {plan.profile == study::Profile::quick ? "quick" : "full"}, ""});
  apply_to_workload(workload, given);
  // Named relative to the study's file, so that all can be moved together.
  workload.find_files(std::filesystem::path(file.path).parent_path());
  if (plan.provider != study::Provider::emulated) {
    workload.take_fronts_from_files();
  }
}

void apply_cluster(study::StudyPlan& plan, const StudyFile& file) {
  Settings settings = testbed::cluster_settings(plan.cluster);
  const auto given = read_table(file, "cluster", plan.profile, settings);
  refuse_of_cluster(plan, given);
  apply_given(settings, given);
}

Settings without(Settings settings, const std::vector<std::string>& names) {
  std::erase_if(settings, [&names](const Setting& setting) {
    return std::find(names.begin(), names.end(), setting.name) != names.end();
  });
  return settings;
}

}  // namespace

void refuse_of_workload(const study::StudyPlan& plan, const std::vector<Given>& given) {
  refuse_given(given, plan.workload->words().control,
               "the study chooses the load: see 'load' and 'start' in [study]");
  refuse_given(given, "json", "every trial's record is kept in the study's folder");
  refuse_given(given, "csv", "every trial's record is kept in the study's folder");
  refuse_given(given, "profile", "it is the study's: profile in [study] or --profile");
}

void refuse_of_cluster(const study::StudyPlan& plan, const std::vector<Given>& given) {
  for (const std::string& name : study::point_settings(plan.service)) {
    refuse_given(given, name, name == "nodes" ? "write nodes in [study]" : "write routers in [study]");
  }
}

void apply_study_file(study::StudyPlan& plan, const std::string& path, const std::vector<Given>& command_line,
                      const std::vector<std::string>& overrides) {
  const StudyFile file{path, overrides, tables_of(path)};
  const auto said = overlay(overrides_of("study", overrides), command_line);
  take_service_and_profile(plan, file, said);
  apply_study(plan, file, said);
  apply_workload(plan, file);
  apply_cluster(plan, file);
  plan.variants = read_variants(plan, path, file.tables);
}

std::string write_study_file(const study::StudyPlan& plan) {
  study::StudyPlan copy = plan;
  const study::WorkloadWords& words = copy.workload->words();
  return write_toml(study::study_settings(copy), "study") + "\n" +
         write_toml(without(testbed::cluster_settings(copy.cluster), study::point_settings(copy.service)),
                    "cluster") +
         "\n" +
         write_toml(without(copy.workload->settings(), {words.control, "json", "csv", "profile"}),
                    words.command) +
         write_variants(plan);
}

}  // namespace scalemark::app

#include "app/study_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "app/settings_toml.h"
#include "app/web_plan_options.h"
#include "core/error.h"
#include "web_bench/request_source.h"

namespace scalemark::app {
namespace {

const std::vector<std::string>& all_tables() {
  static const std::vector<std::string> tables = {"study",   "study.quick",   "study.full",
                                                  "cluster", "cluster.quick", "cluster.full",
                                                  "web",     "web.quick",     "web.full"};
  return tables;
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
    if (named != "study" && named != "cluster" && named != "web") {
      throw UsageError(fmt::format("--set: there is no table '{}'; there are study, cluster and web", named));
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

/// What the file gives in one of its tables, the profile's addition laid over it. The other profile's
/// addition is read as well: a slip in it is better found now than in the night of the full study.
std::vector<Given> read_table(const std::string& path, const std::string& table, web::Profile profile,
                              const Settings& settings) {
  const auto plain = read_toml(path, table, all_tables(), settings);
  const auto quick = read_toml(path, table + ".quick", all_tables(), settings);
  const auto full = read_toml(path, table + ".full", all_tables(), settings);
  return overlay(plain, profile == web::Profile::quick ? quick : full);
}

void refuse_given(const std::vector<Given>& given, const std::string& name, const std::string& advice) {
  if (const Given* found = find_given(given, name); found != nullptr) {
    throw UsageError(fmt::format("{}: '{}' is not for a study's trials; {}", found->origin, name, advice));
  }
}

void apply_web(study::StudyPlan& plan, std::vector<Given> given) {
  refuse_given(given, "connections", "the study chooses the load: see 'load' and 'start' in [study]");
  refuse_given(given, "json", "every trial's record is kept in the study's folder");
  refuse_given(given, "csv", "every trial's record is kept in the study's folder");
  refuse_given(given, "profile", "it is the study's: profile in [study] or --profile");
  given.push_back({"profile", {plan.profile == web::Profile::quick ? "quick" : "full"}, ""});
  apply_web_settings(plan.web, given);
}

/// A list of URLs is named relative to the study file, so that both can be moved together.
void find_list(study::StudyPlan& plan, const std::string& path) {
  const auto beside = std::filesystem::path(path).parent_path() / plan.web.urls_file;
  if (!plan.web.urls_file.empty() && std::filesystem::exists(beside)) {
    plan.web.urls_file = beside.string();
  }
  if (plan.provider != study::Provider::emulated) {
    web::take_server_from_list(plan.web);
  }
}

void apply_cluster(study::StudyPlan& plan, const std::vector<Given>& given) {
  refuse_given(given, "nodes", "write nodes in [study]");
  refuse_given(given, "router", "write routers in [study]");
  Settings settings = testbed::cluster_settings(plan.cluster);
  apply_given(settings, given);
}

}  // namespace

void apply_study_file(study::StudyPlan& plan, const std::string& path, const std::vector<Given>& command_line,
                      const std::vector<std::string>& overrides) {
  Settings settings = study::study_settings(plan);
  const auto said = overlay(overrides_of("study", overrides), command_line);
  // The profile decides which tables are read, so it comes first.
  const auto plain = overlay(read_toml(path, "study", all_tables(), settings), said);
  if (const Given* profile = find_given(plain, "profile"); profile != nullptr) {
    apply_given(settings, *profile);
  }
  const web::Profile profile = plan.profile;  // settled: what else the tables say of it changes nothing
  apply_given(settings, overlay(read_table(path, "study", profile, settings), said));
  plan.profile = profile;
  const Settings web = web::web_settings(plan.web);
  apply_web(plan, overlay(read_table(path, "web", profile, web), overrides_of("web", overrides)));
  find_list(plan, path);
  const Settings cluster = testbed::cluster_settings(plan.cluster);
  apply_cluster(plan,
                overlay(read_table(path, "cluster", profile, cluster), overrides_of("cluster", overrides)));
}

std::string write_study_file(const study::StudyPlan& plan) {
  study::StudyPlan copy = plan;
  const auto without = [](Settings settings, const std::vector<std::string>& names) {
    std::erase_if(settings, [&names](const Setting& setting) {
      return std::find(names.begin(), names.end(), setting.name) != names.end();
    });
    return settings;
  };
  return write_toml(study::study_settings(copy), "study") + "\n" +
         write_toml(without(testbed::cluster_settings(copy.cluster), {"nodes", "router"}), "cluster") + "\n" +
         write_toml(without(web::web_settings(copy.web), {"connections", "json", "csv", "profile"}), "web");
}

}  // namespace scalemark::app

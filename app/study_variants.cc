#include "app/study_variants.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "app/settings_toml.h"
#include "app/study_file.h"
#include "app/workload_options.h"
#include "core/error.h"

namespace scalemark::app {
namespace {

constexpr const char* kVariants = "variants";
constexpr const char* kCluster = "cluster";

std::string table_of(const std::string& variant) {
  return fmt::format("{}.{}", kVariants, variant);
}

std::string cluster_table_of(const std::string& variant) {
  return fmt::format("{}.{}.{}", kVariants, variant, kCluster);
}

/// What was given, as the settings say it themselves once they have it: a setting that stands for several and
/// has nothing to say any more is left out for those.
std::vector<study::Override> overrides_of(const Settings& before, const Settings& after,
                                          const std::vector<Given>& given) {
  std::vector<study::Override> overrides;
  for (std::size_t i = 0; i < after.size(); ++i) {
    const std::string& name = after[i].name;
    const auto texts = after[i].get();
    const Given* const entry = find_given(given, name);
    if (!texts.empty() && (entry != nullptr || texts != before[i].get())) {
      overrides.push_back({name, texts});
    } else if (texts.empty() && entry != nullptr && entry->texts == std::vector<std::string>{""}) {
      overrides.push_back({name, entry->texts});
    }
  }
  return overrides;
}

study::Variant read_variant(const study::StudyPlan& plan, const std::string& path, const std::string& name,
                            const std::vector<std::string>& tables) {
  study::StudyPlan plain = plan;
  study::StudyPlan varied = plan;
  const auto of_workload = read_toml(path, table_of(name), tables, varied.workload->settings());
  refuse_of_workload(plan, of_workload);
  apply_to_workload(*varied.workload, of_workload);
  varied.workload->find_files(std::filesystem::path(path).parent_path());
  Settings cluster = testbed::cluster_settings(varied.cluster);
  const auto of_cluster = read_toml(path, cluster_table_of(name), tables, cluster);
  refuse_of_cluster(plan, of_cluster);
  if (const Given* named = find_given(of_cluster, "name"); named != nullptr) {
    throw UsageError(
        fmt::format("{}: all variants have the same cluster; write its name in [cluster]", named->origin));
  }
  apply_given(cluster, of_cluster);
  return {name, overrides_of(plain.workload->settings(), varied.workload->settings(), of_workload),
          overrides_of(testbed::cluster_settings(plain.cluster), cluster, of_cluster)};
}

/// Those of the settings that are overridden.
Settings overridden(Settings settings, const std::vector<study::Override>& overrides) {
  study::apply_overrides(settings, overrides);
  std::erase_if(settings, [&overrides](const Setting& setting) {
    return std::none_of(overrides.begin(), overrides.end(),
                        [&setting](const study::Override& entry) { return entry.name == setting.name; });
  });
  return settings;
}

}  // namespace

std::vector<std::string> variant_tables(const std::string& path) {
  std::vector<std::string> tables = {kVariants};
  for (const std::string& name : inner_tables(path, kVariants)) {
    tables.push_back(table_of(name));
    tables.push_back(cluster_table_of(name));
  }
  return tables;
}

std::vector<study::Variant> read_variants(const study::StudyPlan& plan, const std::string& path,
                                          const std::vector<std::string>& tables) {
  (void)read_toml(path, kVariants, tables, {});  // nothing may stand there but tables
  std::vector<study::Variant> variants;
  for (const std::string& name : inner_tables(path, kVariants)) {
    variants.push_back(read_variant(plan, path, name, tables));
  }
  return variants;
}

std::string write_variants(const study::StudyPlan& plan) {
  std::string text;
  for (const study::Variant& variant : plan.variants) {
    study::StudyPlan varied = plan;
    const std::string table = table_of(toml_key(variant.name));
    text += "\n" + write_toml(overridden(varied.workload->settings(), variant.workload), table);
    if (!variant.cluster.empty()) {
      const Settings cluster = overridden(testbed::cluster_settings(varied.cluster), variant.cluster);
      text += "\n" + write_toml(cluster, fmt::format("{}.{}", table, kCluster));
    }
  }
  return text;
}

}  // namespace scalemark::app

#include "core/run_settings.h"

#include <fmt/format.h>

#include <filesystem>

#include "core/error.h"
#include "core/setting_types.h"

namespace scalemark {
namespace {

/// 4 or 6 for an address of that version; 0 for a name.
int family_of(const std::string& host) {
  if (host.find(':') != std::string::npos) {
    return 6;
  }
  return !host.empty() && host.find_first_not_of("0123456789.") == std::string::npos ? 4 : 0;
}

}  // namespace

void refuse_if(bool fault, const std::string& sentence) {
  if (fault) {
    throw UsageError(sentence);
  }
}

void add_output_settings(Settings& to, const std::string& kind, std::string& json, std::string& csv) {
  constexpr const char* kGroup = "Output";
  to.push_back(text_setting("json",
                            fmt::format("where the record goes: a file, - for standard output, or none; "
                                        "without it a new file {}-UTC.json in this folder",
                                        kind),
                            kGroup, json, "FILE"));
  to.push_back(text_setting("csv", "also write the iterations as CSV to this file", kGroup, csv, "FILE"));
}

void check_outputs_differ(const std::string& json, const std::string& csv) {
  const auto is_file = [](const std::string& path) { return !path.empty() && path != "none"; };
  const auto plain = [](const std::string& path) {
    return std::filesystem::absolute(path).lexically_normal();
  };
  refuse_if(is_file(json) && is_file(csv) && plain(json) == plain(csv),
            fmt::format("--json and --csv both go to '{}'; give each a file of its own", csv));
}

void check_requirements(const std::vector<std::string>& require, const std::vector<MetricInfo>& known) {
  for (const std::string& text : require) {
    try {
      check_requirement(parse_requirement(text), known);
    } catch (const UsageError& error) {
      throw UsageError(fmt::format("--require: {}", error.what()));
    }
  }
}

void check_bind_family(const std::vector<std::string>& bind, const std::string& host,
                       const std::string& target) {
  for (const std::string& local : bind) {
    const int family = local.find(':') == std::string::npos ? 4 : 6;
    refuse_if(family_of(host) != 0 && family_of(host) != family,
              fmt::format("--bind {} is an IPv{} address, from which {} cannot be reached; bind to addresses "
                          "of the server's family",
                          local, family, target));
  }
}

}  // namespace scalemark

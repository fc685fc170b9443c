// The paper's tables as the repository ships them.
#pragma once

#include <filesystem>
#include <string>

#include "analysis/table_reader.h"

namespace scalemark::analysis {

[[nodiscard]] inline std::filesystem::path paper_table(const std::string& name) {
  return std::filesystem::path(__FILE__).parent_path().parent_path().parent_path() / "studies" / "paper" /
         name;
}

/// A table's data; the source is its bare name, so that texts made from it are the same everywhere.
[[nodiscard]] inline ScalingData paper_data(const std::string& name) {
  ScalingData data = read_table(paper_table(name), "");
  data.sources = {name};
  return data;
}

/// The study in tests/analysis/data/study: dsr and nat on an emulated cluster.
[[nodiscard]] inline std::filesystem::path study_folder() {
  return std::filesystem::path(__FILE__).parent_path() / "data" / "study";
}

}  // namespace scalemark::analysis

// What a mail cluster needs of the machine. Pure, except for mail_missing(), which looks; thread-safe.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "testbed/cluster_plan.h"

namespace scalemark::testbed {

/// A file that must be there.
struct NeededFile {
  std::string file;     ///< a full path, or the name of a program that find_program() finds
  std::string what;     ///< "nginx's mail module"
  std::string package;  ///< that brings it
  friend bool operator==(const NeededFile&, const NeededFile&) = default;
};

/// The files that the plan needs, PostgreSQL's apart.
[[nodiscard]] std::vector<NeededFile> mail_files(const ClusterPlan& plan);

/// The first folder above `path`, or `path` itself, that other users cannot pass; "" when there is none.
/// Folders that do not exist do not count: they will be made as they should be.
[[nodiscard]] std::filesystem::path closed_folder(const std::filesystem::path& path);

/// A sentence for each thing that is lacking, with what to do.
[[nodiscard]] std::vector<std::string> mail_missing(const ClusterPlan& plan);

}  // namespace scalemark::testbed

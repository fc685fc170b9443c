// A whole file as text. Thread-safe.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace scalemark {

/// What the file holds; "" when it is not there or cannot be read. Meant for small files, those of /proc and
/// /sys among them, whose size the system does not tell.
[[nodiscard]] inline std::string file_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace scalemark

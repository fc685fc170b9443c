// From the target of a request line to a path below the served folder.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace scalemark::testbed {

/// The path that `target` ("/a/b%20c?query" or "http://host/a/b") names, relative to the served folder:
/// decoded, without empty, "." and ".." segments, with a slash at its end when the target had one, and "" for
/// the folder itself. Nothing when the target is malformed, holds a NUL or climbs above the folder. Symbolic
/// links are not its business. Pure and thread-safe.
[[nodiscard]] std::optional<std::string> relative_path_of(std::string_view target);

}  // namespace scalemark::testbed

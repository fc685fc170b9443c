// A line of comma-separated values, as RFC 4180 writes it: CRLF at its end, quotes around what needs them.
//
// Every CSV of ours is made of these. Pure and thread-safe.
#pragma once

#include <string>
#include <vector>

namespace scalemark::analysis {

[[nodiscard]] std::string csv_line(const std::vector<std::string>& cells);

}  // namespace scalemark::analysis

#include "analysis/csv_line.h"

namespace scalemark::analysis {
namespace {

std::string quoted(const std::string& cell) {
  if (cell.find_first_of(",\"\r\n") == std::string::npos) {
    return cell;
  }
  std::string text = "\"";
  for (const char letter : cell) {
    text.append(letter == '"' ? 2 : 1, letter);
  }
  return text + '"';
}

}  // namespace

std::string csv_line(const std::vector<std::string>& cells) {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    line.append(i == 0 ? "" : ",").append(quoted(cells[i]));
  }
  return line + "\r\n";
}

}  // namespace scalemark::analysis

// Aligned tables of text that never outgrow the terminal.
//
// Cells are texts; a column is as wide as its widest cell. A table that is too wide first loses space between
// its columns, then the columns that it can do without, and never wraps. Belongs to one thread.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace scalemark::analysis {

/// A column of a table.
struct Column {
  std::string name;
  std::string group{};  ///< heading above neighbouring columns of the same group; empty: none
  bool left = false;    ///< aligned left; numbers are aligned right
  int drop = 0;         ///< left out when the table is too wide, highest first; 0: never left out
  bool words = false;   ///< holds sentences: a page gives it room, and other columns no more than they need
};

class Table {
 public:
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  /// One cell per column.
  void add(std::vector<std::string> cells);
  /// The table, each line indented and ended by a line feed, no wider than `width` as far as the columns that
  /// are never left out allow.
  [[nodiscard]] std::string text(int width, int indent) const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace scalemark::analysis

#include "analysis/table_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "analysis/report_words.h"
#include "core/error.h"
#include "core/text.h"

namespace scalemark::analysis {
namespace {

constexpr double kMostTableNodes = 1'000'000;
constexpr double kMostRate = 1e15;
constexpr const char* kForm = "a table has the columns nodes,measured and, if known, base";

std::vector<std::string> cells_of(std::string_view line, char separator) {
  std::vector<std::string> cells;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find(separator, begin), line.size());
    std::string_view cell = trimmed(line.substr(begin, end - begin));
    if (cell.size() >= 2 && cell.front() == '"' && cell.back() == '"') {
      cell = trimmed(cell.substr(1, cell.size() - 2));
    }
    cells.emplace_back(cell);
    begin = end + 1;
  }
  return cells;
}

std::optional<double> number_of(std::string_view text) {
  double value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = fault == std::errc{} && end == text.data() + text.size();
  return whole && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

/// Reads one table, a line at a time.
class Reader {
 public:
  explicit Reader(std::string name) : name_(std::move(name)) {}

  void line(std::string_view text) {
    ++line_;
    const std::string_view content = trimmed(text);
    if (content.empty()) {
      return;
    }
    if (content.front() == '#') {
      comment(content.substr(1));
      return;
    }
    const auto cells = cells_of(content, ',');
    if (columns_.empty() && !number_of(cells[0])) {
      refuse_other_separator(content);
      header(cells);
      return;
    }
    if (columns_.empty()) {
      columns_ = {{"nodes", 0}, {"measured", 1}, {"base", 2}};
    }
    if (cells.size() == 1 || !number_of(cell(cells, "nodes"))) {
      refuse_other_separator(content);
    }
    row(cells);
  }

  ScalingData finish(const std::string& unit) {
    if (data_.series.empty()) {
      throw UsageError(fmt::format("'{}' holds no row of figures; {}", name_, kForm));
    }
    if (!unit.empty()) {
      data_.unit = unit;
    }
    if (data_.unit.empty()) {
      data_.unit = "operations";
      data_.notes.emplace_back("What was measured is not named; --unit names it.");
    }
    for (ScalingSeries& series : data_.series) {
      order(series);
    }
    data_.sources = {name_};
    return std::move(data_);
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw UsageError(fmt::format("'{}', line {}: {}", name_, line_, what));
  }

  /// Programs in countries with decimal commas write ';' between columns, and call that CSV as well.
  void refuse_other_separator(std::string_view text) const {
    for (const auto& [separator, name] : {std::pair{';', "semicolons"}, {'\t', "tabs"}}) {
      const auto cells = cells_of(text, separator);
      const bool names = std::find(cells.begin(), cells.end(), "nodes") != cells.end();
      if (cells.size() > 1 && (names || number_of(cells[0]))) {
        refuse(
            fmt::format("its columns are apart by {}; a table's are apart by commas, and its figures have "
                        "decimal points: save it as comma-separated values, as in nodes,measured",
                        name));
      }
    }
  }

  void comment(std::string_view text) {
    const auto take = [&text](std::string_view key) -> std::optional<std::string> {
      const std::string_view words = trimmed(text);
      return words.starts_with(key) ? std::optional(std::string(trimmed(words.substr(key.size()))))
                                    : std::nullopt;
    };
    if (const auto title = take("title:")) {
      data_.title = *title;
    } else if (const auto unit = take("unit:")) {
      data_.unit = *unit;
    } else if (const auto note = take("note:")) {
      data_.notes.push_back(*note);
    }
  }

  void header(const std::vector<std::string>& cells) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (!columns_.emplace(cells[i], i).second) {
        refuse(fmt::format("the column '{}' stands there twice", cells[i]));
      }
    }
    for (const char* needed : {"nodes", "measured"}) {
      if (!columns_.contains(needed)) {
        const std::string found = fmt::format("{}", fmt::join(cells, ","));
        columns_.clear();
        refuse(fmt::format("there is no column '{}' in '{}'; {}", needed, found, kForm));
      }
    }
    width_ = cells.size();
  }

  /// A cell's text, or "" when the table or the row has no such column.
  [[nodiscard]] std::string cell(const std::vector<std::string>& cells, const char* name) const {
    const auto column = columns_.find(name);
    return column == columns_.end() || column->second >= cells.size() ? "" : cells[column->second];
  }

  [[nodiscard]] double rate(const std::string& text, const char* what) const {
    const auto value = number_of(text);
    if (!value) {
      refuse(
          fmt::format("'{}' is no number; {} is one, without separators or units, as in 27634", text, what));
    }
    if (*value < 0 || *value > kMostRate) {
      refuse(fmt::format("{} is {}, which is {}", what, text, *value < 0 ? "below 0" : "above 1e15"));
    }
    return *value;
  }

  [[nodiscard]] unsigned nodes(const std::string& text) const {
    const auto value = number_of(text);
    if (!value || *value != std::floor(*value) || *value < 1 || *value > kMostTableNodes) {
      refuse(fmt::format("'{}' is no number of nodes; it is a whole number from 1 to {}", text,
                         kMostTableNodes));
    }
    return static_cast<unsigned>(*value);
  }

  void row(const std::vector<std::string>& cells) {
    if (cells.size() < 2 || (width_ > 0 && cells.size() > width_) || (width_ == 0 && cells.size() > 3)) {
      refuse(fmt::format("it has {}; {}", counted(cells.size(), "column"), kForm));
    }
    ScalingPoint point;
    point.nodes = nodes(cell(cells, "nodes"));
    for (const std::string& text : cells_of(cell(cells, "measured"), ';')) {
      point.measured.push_back(rate(text, "what was measured"));
    }
    if (const std::string text = cell(cells, "printed_drop"); !text.empty()) {
      const auto drop = number_of(text);
      if (!drop) {
        refuse(fmt::format("'{}' is no number; printed_drop is a percentage, as in 5.0", text));
      }
      point.printed_drop = drop;
    }
    ScalingSeries& series = series_named(cell(cells, "series"));
    enter(series, std::move(point));
    if (const std::string text = cell(cells, "base"); !text.empty()) {
      enter_base(series, rate(text, "the base"));
    }
  }

  ScalingSeries& series_named(const std::string& name) {
    for (ScalingSeries& series : data_.series) {
      if (series.name == name) {
        return series;
      }
    }
    data_.series.push_back({name, {}, std::nullopt});
    return data_.series.back();
  }

  void enter(ScalingSeries& series, ScalingPoint point) {
    const auto [first, fresh] = seen_.emplace(std::pair{series.name, point.nodes}, line_);
    if (!fresh) {
      refuse(fmt::format(
          "a row for {} is there already, in line {}; several measurements of one number of nodes "
          "go into one row, as in {},27634;27810",
          nodes_text(point.nodes), first->second, point.nodes));
    }
    series.points.push_back(std::move(point));
  }

  void enter_base(ScalingSeries& series, double base) {
    if (base <= 0) {
      refuse("the base is 0; it is what a single node carries, or left empty when it is not known");
    }
    if (series.direct && series.direct->measured[0] != base) {
      refuse(fmt::format("the base is {}, and {} in the rows before; a series has one", base,
                         series.direct->measured[0]));
    }
    if (!series.direct) {
      series.direct.emplace();
      series.direct->nodes = 1;
      series.direct->measured = {base};
    }
  }

  void order(ScalingSeries& series) {
    const auto by_nodes = [](const ScalingPoint& a, const ScalingPoint& b) { return a.nodes < b.nodes; };
    if (!std::is_sorted(series.points.begin(), series.points.end(), by_nodes)) {
      std::sort(series.points.begin(), series.points.end(), by_nodes);
      data_.notes.emplace_back(
          "The table's rows were not in the order of their numbers of nodes; they were sorted.");
    }
  }

  std::string name_;
  std::size_t line_ = 0;
  std::size_t width_ = 0;  // columns of the line of names; 0: there was none
  std::map<std::string, std::size_t> columns_;
  std::map<std::pair<std::string, unsigned>, std::size_t> seen_;
  ScalingData data_;
};

}  // namespace

ScalingData table_from_text(const std::string& text, const std::string& name, const std::string& unit) {
  Reader reader(name);
  std::istringstream lines(text);
  std::string line;
  while (std::getline(lines, line)) {
    if (!line.empty() && line.back() == '\r') {
      line.pop_back();
    }
    // Spreadsheets put a byte order mark in front.
    reader.line(line.starts_with("\xEF\xBB\xBF") ? std::string_view(line).substr(3) : std::string_view(line));
  }
  return reader.finish(unit);
}

ScalingData read_table(const std::filesystem::path& path, const std::string& unit) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    throw UsageError(fmt::format("cannot read a table from '{}': it is a folder", path.string()));
  }
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (!file || (file.peek() != std::ifstream::traits_type::eof() && !(text << file.rdbuf()))) {
    throw UsageError(fmt::format("cannot read a table from '{}': {}", path.string(),
                                 std::generic_category().message(errno)));
  }
  ScalingData data = table_from_text(text.str(), path.string(), unit);
  if (data.title.empty()) {
    data.title = path.filename().string();
  }
  return data;
}

}  // namespace scalemark::analysis

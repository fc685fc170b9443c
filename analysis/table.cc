#include "analysis/table.h"

#include <algorithm>

#include "analysis/text.h"

namespace scalemark::analysis {
namespace {

std::string padded(const std::string& text, std::size_t width, bool left) {
  const std::string fill(width - std::min(width, width_of(text)), ' ');
  return left ? text + fill : fill + text;
}

std::string centred(const std::string& text, std::size_t width) {
  const std::size_t room = width - std::min(width, width_of(text));
  return std::string(room / 2, ' ') + text + std::string(room - room / 2, ' ');
}

/// A table reduced to the columns that are shown, with their widths.
struct Layout {
  std::vector<std::size_t> shown;
  std::vector<std::size_t> widths;  // of the shown columns
  std::size_t gap = 2;

  [[nodiscard]] std::size_t total() const {
    std::size_t sum = shown.empty() ? 0 : gap * (shown.size() - 1);
    for (const std::size_t width : widths) {
      sum += width;
    }
    return sum;
  }
};

/// Characters of the shown columns first..last together.
std::size_t span_of(const Layout& layout, std::size_t first, std::size_t last) {
  std::size_t width = layout.gap * (last - first);
  for (std::size_t i = first; i <= last; ++i) {
    width += layout.widths[i];
  }
  return width;
}

/// The last of the shown columns that stand in the same group as `first`, side by side.
std::size_t group_end(const std::vector<Column>& columns, const Layout& layout, std::size_t first) {
  const std::string& group = columns[layout.shown[first]].group;
  std::size_t last = first;
  while (!group.empty() && last + 1 < layout.shown.size() && columns[layout.shown[last + 1]].group == group) {
    ++last;
  }
  return last;
}

Layout measure(const std::vector<Column>& columns, const std::vector<std::vector<std::string>>& rows,
               std::vector<std::size_t> shown, std::size_t gap) {
  Layout layout{std::move(shown), {}, gap};
  for (const std::size_t column : layout.shown) {
    std::size_t width = width_of(columns[column].name);
    for (const auto& row : rows) {
      width = std::max(width, width_of(row[column]));
    }
    layout.widths.push_back(width);
  }
  for (std::size_t first = 0; first < layout.shown.size();) {
    const std::size_t last = group_end(columns, layout, first);
    const std::size_t heading = width_of(columns[layout.shown[first]].group);
    const std::size_t span = span_of(layout, first, last);
    layout.widths[first] += heading - std::min(heading, span);
    first = last + 1;
  }
  return layout;
}

/// First narrower gaps, then fewer columns.
Layout fit(const std::vector<Column>& columns, const std::vector<std::vector<std::string>>& rows,
           std::size_t room) {
  std::vector<std::size_t> shown(columns.size());
  for (std::size_t i = 0; i < shown.size(); ++i) {
    shown[i] = i;
  }
  while (true) {
    for (const std::size_t gap : {2U, 1U}) {
      Layout layout = measure(columns, rows, shown, gap);
      if (layout.total() <= room) {
        return layout;
      }
    }
    const auto worst = std::max_element(shown.begin(), shown.end(), [&](std::size_t a, std::size_t b) {
      return columns[a].drop < columns[b].drop;
    });
    if (worst == shown.end() || columns[*worst].drop == 0) {
      return measure(columns, rows, shown, 1);
    }
    shown.erase(worst);
  }
}

std::string group_line(const std::vector<Column>& columns, const Layout& layout) {
  std::string line;
  for (std::size_t first = 0; first < layout.shown.size();) {
    const std::size_t last = group_end(columns, layout, first);
    const std::string& group = columns[layout.shown[first]].group;
    line += centred(group, span_of(layout, first, last)) + std::string(layout.gap, ' ');
    first = last + 1;
  }
  return line;
}

}  // namespace

void Table::add(std::vector<std::string> cells) {
  for (std::string& cell : cells) {
    cell = printable(cell);
  }
  cells.resize(columns_.size());
  rows_.push_back(std::move(cells));
}

std::string Table::text(int width, int indent) const {
  const auto margin = static_cast<std::size_t>(std::max(indent, 0));
  const auto limit = static_cast<std::size_t>(std::max(width, 0));
  const Layout layout = fit(columns_, rows_, limit - std::min(limit, margin));
  const std::string lead(margin, ' ');
  std::string out;
  const bool grouped_columns = std::any_of(columns_.begin(), columns_.end(),
                                           [](const Column& column) { return !column.group.empty(); });
  if (grouped_columns) {
    out += lead + group_line(columns_, layout);
    end_line(out);
  }
  const auto add_line = [&](auto&& cell_of) {
    out += lead;
    for (std::size_t i = 0; i < layout.shown.size(); ++i) {
      const std::size_t column = layout.shown[i];
      out += (i == 0 ? "" : std::string(layout.gap, ' ')) +
             padded(cell_of(column), layout.widths[i], columns_[column].left);
    }
    end_line(out);
  };
  add_line([&](std::size_t column) -> const std::string& { return columns_[column].name; });
  for (const auto& row : rows_) {
    add_line([&](std::size_t column) -> const std::string& { return row[column]; });
  }
  return out;
}

}  // namespace scalemark::analysis

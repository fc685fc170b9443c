// The only file that sees the template library.
#include <kainjow/mustache.hpp>
#include <string>
#include <utility>

#include "analysis/report_template.h"
#include "analysis/report_writers.h"

namespace scalemark::analysis {
namespace {

namespace mustache = kainjow::mustache;

mustache::data cell_data(const std::string& text, const Column& column) {
  mustache::data cell;
  cell.set("text", text);
  cell.set("class", std::string(column.left ? "left" : "") + (column.words ? " words" : ""));
  return cell;
}

mustache::data table_data(const Block& block) {
  mustache::data head{mustache::data::type::list};
  bool grouped = false;
  bool words = false;
  for (const Column& column : block.columns) {
    head.push_back(cell_data(column.name, column));
    grouped = grouped || !column.group.empty();
    words = words || column.words;
  }
  mustache::data groups{mustache::data::type::list};
  for (std::size_t begin = 0; grouped && begin < block.columns.size();) {
    std::size_t end = begin + 1;
    while (end < block.columns.size() && !block.columns[begin].group.empty() &&
           block.columns[end].group == block.columns[begin].group) {
      ++end;
    }
    mustache::data group;
    group.set("text", block.columns[begin].group);
    group.set("span", std::to_string(end - begin));
    groups.push_back(group);
    begin = end;
  }
  mustache::data rows{mustache::data::type::list};
  for (const auto& row : block.rows) {
    mustache::data cells{mustache::data::type::list};
    for (std::size_t i = 0; i < row.size() && i < block.columns.size(); ++i) {
      cells.push_back(cell_data(row[i], block.columns[i]));
    }
    mustache::data line;
    line.set("cells", cells);
    rows.push_back(line);
  }
  mustache::data table;
  table.set("kind", words ? "sentences" : "figures");
  table.set("text", block.text);
  table.set("has_text", !block.text.empty());
  table.set("grouped", grouped);
  table.set("groups", groups);
  table.set("head", head);
  table.set("rows", rows);
  return table;
}

mustache::data block_data(const Block& block, const std::function<std::string(const Plot&)>& svg_of) {
  mustache::data data;
  switch (block.kind) {
    case Block::Kind::paragraph:
      data.set("paragraph", block.text);
      break;
    case Block::Kind::table:
      data.set("table", table_data(block));
      break;
    case Block::Kind::figure:
      if (std::string svg = svg_of(block.plot); !svg.empty()) {
        mustache::data figure;
        figure.set("svg", svg);
        figure.set("title", block.plot.title);
        figure.set("caption", block.text);
        data.set("figure", figure);
      }
      break;
  }
  return data;
}

mustache::data sections_data(const ReportDocument& document,
                             const std::function<std::string(const Plot&)>& svg_of) {
  mustache::data sections{mustache::data::type::list};
  for (const Section& section : document.sections) {
    mustache::data blocks{mustache::data::type::list};
    for (const Block& block : section.blocks) {
      blocks.push_back(block_data(block, svg_of));
    }
    mustache::data entry;
    entry.set("title", section.title);
    entry.set("folded", section.folded);
    entry.set("open", !section.folded);
    entry.set("blocks", blocks);
    sections.push_back(entry);
  }
  return sections;
}

}  // namespace

std::string report_html(const ReportDocument& document,
                        const std::function<std::string(const Plot&)>& svg_of) {
  mustache::data page;
  page.set("title", document.title);
  page.set("subtitle", document.subtitle);
  mustache::data verdict{mustache::data::type::list};
  for (const std::string& paragraph : document.verdict) {
    mustache::data entry;
    entry.set("sentence", paragraph);
    verdict.push_back(entry);
  }
  page.set("verdict", verdict);
  mustache::data notes{mustache::data::type::list};
  for (const std::string& note : document.notes) {
    mustache::data entry;
    entry.set("note", note);
    notes.push_back(entry);
  }
  page.set("has_notes", !document.notes.empty());
  page.set("notes", notes);
  mustache::data tiles{mustache::data::type::list};
  for (const Tile& tile : document.tiles) {
    mustache::data entry;
    entry.set("label", tile.label);
    entry.set("value", tile.value);
    entry.set("aside", tile.aside);
    tiles.push_back(entry);
  }
  page.set("tiles", tiles);
  page.set("sections", sections_data(document, svg_of));
  mustache::mustache form{kReportTemplate};
  return form.render(page);
}

}  // namespace scalemark::analysis

#include "analysis/report_writers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>
#include <set>
#include <system_error>

#include "analysis/report_words.h"
#include "analysis/web_fields.h"
#include "core/error.h"
#include "core/file_text.h"
#include "core/run_record.h"

namespace scalemark::analysis {
namespace {

namespace fs = std::filesystem;

constexpr int kTextWidth = 100;

/// A table whose last column holds sentences becomes a list: a table would be wider than any terminal.
bool has_sentences(const Block& block) {
  return !block.columns.empty() &&
         (block.columns.back().name == "evidence" || block.columns.back().name == "value");
}

std::string list_text(const Block& block, int width) {
  std::string text;
  for (const auto& row : block.rows) {
    std::string line = row.front();
    for (std::size_t i = 1; i + 1 < row.size(); ++i) {
      const bool share = i == 2 && row[i] != "-";
      line += row[i] == "-" ? "" : (i == 1 ? ": " : ", ") + row[i] + (share ? " of the loss" : "");
    }
    text += wrapped("    - ", line + (row.size() == 2 ? ": " : "; ") + row.back(), width);
  }
  return text;
}

std::string block_text(const Block& block, int width) {
  switch (block.kind) {
    case Block::Kind::paragraph:
      return wrapped("  ", block.text, width);
    case Block::Kind::table: {
      const std::string head = block.text.empty() ? "" : wrapped("  ", block.text, width);
      if (has_sentences(block)) {
        return head + list_text(block, width);
      }
      Table table(block.columns);
      for (const auto& row : block.rows) {
        table.add(row);
      }
      return head + table.text(width, 2);
    }
    case Block::Kind::figure:
      break;
  }
  return block.in_characters;
}

void make_folder(const fs::path& folder) {
  std::error_code fault;
  fs::create_directories(folder / "plots", fault);
  if (fault) {
    throw UsageError(fmt::format("cannot make the folder '{}' for the report: {}",
                                 (folder / "plots").string(), fault.message()));
  }
}

/// Letters, digits and '-': whatever else stands in an edited report.json names no file of ours.
bool is_plot_name(const std::string& name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char letter) {
    return letter == '-' || (static_cast<unsigned char>(letter) < 0x80 && std::isalnum(letter) != 0);
  });
}

/// The plots of the report that stands in the folder, as its report.json names them; none when there is no
/// such report.
std::vector<std::string> plots_in(const fs::path& folder) {
  std::vector<std::string> names;
  const Json json = Json::parse(file_text(folder / "report.json"), nullptr, false);
  if (!text_of(json, {"schema"}).starts_with("scalemark-report/")) {
    return names;
  }
  for (std::string& name : texts_of(json, {"plots"})) {
    if (is_plot_name(name)) {
      names.push_back(std::move(name));
    }
  }
  return names;
}

/// Removes what an earlier report drew here and this one does not. Files that no report names are somebody
/// else's and stay.
void remove_old_plots(const fs::path& folder, const std::vector<Plot>& plots) {
  for (const std::string& old : plots_in(folder)) {
    if (std::none_of(plots.begin(), plots.end(), [&old](const Plot& plot) { return plot.name == old; })) {
      for (const char* ending : {".dat", ".svg", ".png"}) {
        std::error_code ignored;
        fs::remove(folder / "plots" / (old + ending), ignored);
      }
    }
  }
}

}  // namespace

std::string report_text(const ReportDocument& document, const TextStyle& style) {
  std::string text = printable(document.title) + "\n";
  if (!document.subtitle.empty()) {
    text += wrapped("", document.subtitle, style.width);
  }
  text += "\n";
  for (const std::string& paragraph : document.verdict) {
    text += wrapped("", paragraph, style.width);
  }
  for (const std::string& note : document.notes) {
    text += wrapped("  Note: ", note, style.width);
  }
  for (const Section& section : document.sections) {
    std::string body;
    for (const Block& block : section.blocks) {
      const std::string part = block_text(block, style.width);
      body += (body.empty() || part.empty() ? "" : "\n") + part;
    }
    if (!body.empty()) {
      text += "\n" + printable(section.title) + "\n" + body;
    }
  }
  return text;
}

WrittenReport write_report(const ScalingReport& report, const fs::path& folder) {
  make_folder(folder);
  WrittenReport written;
  const std::vector<Plot> plots = plots_of(report);
  const DrawnPlots drawn = draw_plots(plots, folder / "plots");
  written.plots = drawn.drawn.size();
  written.fault = drawn.fault;
  ReportDocument document = document_of(report);
  if (!drawn.fault.empty()) {
    document.notes.push_back(drawn.fault);
  }
  remove_old_plots(folder, plots);
  const std::set<std::string> there(drawn.drawn.begin(), drawn.drawn.end());
  const auto svg_of = [&](const Plot& plot) {
    return there.contains(plot.name)
               ? inline_svg(file_text(folder / "plots" / (plot.name + ".svg")), plot.name)
               : std::string();
  };
  const auto put = [&](const char* name, const std::string& text) {
    write_file(folder / name, text);
    written.files.push_back(folder / name);
  };
  put("report.html", report_html(document, svg_of));
  put("report.txt", report_text(document, {.colour = false, .width = kTextWidth}));
  put("report.csv", report_csv(report));
  put("report.json", report_json(report));
  return written;
}

}  // namespace scalemark::analysis

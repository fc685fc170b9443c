// A report in words, tables and figures, before it becomes text or HTML.
//
// Both are made from the same document, so they cannot say different things. Making one is pure.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "analysis/plots.h"
#include "analysis/scaling_report.h"
#include "analysis/table.h"

namespace scalemark::analysis {

struct Block {
  enum class Kind : std::uint8_t { paragraph, table, figure };
  Kind kind = Kind::paragraph;
  std::string text{};             ///< the paragraph; of a table or figure what stands above or below it
  std::vector<Column> columns{};  ///< of a table
  std::vector<std::vector<std::string>> rows{};
  Plot plot{};                  ///< of a figure; its data and script are not needed
  std::string in_characters{};  ///< of a figure: what stands for it in a text; "" nothing
};

struct Section {
  std::string title;
  bool folded = false;  ///< of HTML: shown on request
  std::vector<Block> blocks;
};

/// A figure at the head of the report.
struct Tile {
  std::string label;
  std::string value;
  std::string aside;
};

struct ReportDocument {
  std::string title;
  std::string subtitle;
  std::vector<std::string> verdict;  ///< a paragraph for each series, the generator's at the end
  std::vector<std::string> notes;
  std::vector<Tile> tiles;
  std::vector<Section> sections;
};

[[nodiscard]] ReportDocument document_of(const ScalingReport& report);

[[nodiscard]] inline Block paragraph(std::string text) {
  return {.kind = Block::Kind::paragraph, .text = std::move(text)};
}

/// Sections about one series (report_sections.cc), for document_of().
[[nodiscard]] std::vector<Section> series_sections(const ScalingReport& report, const SeriesReport& series);
/// Those of them that have files of their own (generator_section.cc, search_section.cc).
[[nodiscard]] Section generator_section(const ScalingReport& report, const SeriesReport& series);
[[nodiscard]] Section search_section(const SeriesReport& series);

}  // namespace scalemark::analysis

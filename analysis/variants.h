// A study that varies more than nodes and routers, such as the size of messages: its points side by side.
//
// Pure and thread-safe.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/plots.h"
#include "analysis/report_document.h"
#include "analysis/scaling_report.h"

namespace scalemark::analysis {

/// One router with one number of nodes, for each variant.
struct VariantLine {
  struct Figure {
    std::optional<double> measured;            ///< mean of the iterations, in the report's unit
    std::optional<double> timed_out_per_hour;  ///< operations that a time-out ended; of mail
  };
  std::string router;
  unsigned nodes = 0;
  std::vector<Figure> figures;  ///< in the order of Variants::names

  [[nodiscard]] std::string label() const;  ///< "nginx, 4 nodes"
};

struct Variants {
  std::vector<std::string> names;  ///< in the order in which the study has them
  std::vector<VariantLine> lines;  ///< those that were measured with two variants at least
  /// Whether any figure says what timed out.
  [[nodiscard]] bool time_outs_known() const;
};

/// Empty when the report has no variants.
[[nodiscard]] Variants variants_of(const ScalingReport& report);
/// Measured by variant, and time-outs by variant where they are known.
[[nodiscard]] std::vector<Plot> variant_plots(const ScalingReport& report);
/// Without blocks when there are no variants.
[[nodiscard]] Section variant_section(const ScalingReport& report);

}  // namespace scalemark::analysis

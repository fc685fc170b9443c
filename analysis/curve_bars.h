// The curve as a drawing in characters, for terminals.
//
//    1 node   |####                              238
//    8 nodes  |################################|  1,890
//
// '#' is what was measured, '|' at the right where n times the base lies. Pure and thread-safe.
#pragma once

#include <string>

#include "analysis/curve.h"

namespace scalemark::analysis {

/// One line per point with a figure, none wider than `width`; "" when there are fewer than two.
[[nodiscard]] std::string curve_bars(const Curve& curve, int width);

}  // namespace scalemark::analysis

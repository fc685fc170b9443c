// The pieces that gnuplot scripts are put together from: blocks of data, axes, and what is drawn.
//
// A script reads its data as blocks that are counted from 0; gnuplot's variables `data` and `ink` are set
// before it (plot_drawing.cc). Foreign texts go through quoted(). Pure and thread-safe.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace scalemark::analysis {

/// Rows of figures; NaN where there is none.
using Rows = std::vector<std::vector<std::optional<double>>>;

inline constexpr const char* kGrey = "#8a929b";
/// One colour for each thing that is told apart, over and over.
[[nodiscard]] const char* colour(std::size_t index);

/// A text as gnuplot takes it: in single quotes nothing but the quote itself has a meaning.
[[nodiscard]] std::string quoted(const std::string& text);
[[nodiscard]] std::string number(std::optional<double> value);

/// A block of data: what its columns are, then rows. Blocks are told apart by two empty lines.
[[nodiscard]] std::string block(const std::string& columns, const Rows& rows);

[[nodiscard]] std::string axes(const std::string& x, const std::string& y);
/// Axes over numbers of nodes, in ascending order, up to `right`; `y` counts from 0 to `top`, "*": to what is
/// there.
[[nodiscard]] std::string node_axes(const std::vector<double>& nodes, double right, const std::string& y,
                                    const std::string& top);

/// Draws a block's means with their intervals: columns nodes, mean, low, high. `title` "": not in the key;
/// likewise below.
[[nodiscard]] std::string interval_bars(std::size_t index, const char* rgb, const std::string& title);
/// Draws a block's first two columns as a line.
[[nodiscard]] std::string line(std::size_t index, const char* rgb, const std::string& title);
/// Draws what everything is compared with: a formula of x, or a block's columns.
[[nodiscard]] std::string reference(const std::string& what, const std::string& title);
/// The command that draws all of these.
[[nodiscard]] std::string plot_command(const std::vector<std::string>& parts);

}  // namespace scalemark::analysis

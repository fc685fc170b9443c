// What the messages of a mail run carry: payloads of one size, of a table of sizes, or of a folder's files.
//
// Made once before the load, deterministic for a seed; then immutable and shared by all threads. Which
// payload a message carries is drawn by the caller's own random numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/random.h"
#include "filesets/mail_message.h"

namespace scalemark::filesets {

/// A size and how often it is drawn, in parts.
struct SizeShare {
  std::uint64_t bytes = 0;  ///< of the whole message, head included
  double parts = 0;
};

/// The sizes of real mail, in K and per cent: what "table" stands for.
inline constexpr std::string_view kMailSizeTable =
    "1K:10.2 2K:30.71 3K:20.59 4K:10.78 5K:5.88 6K:3.74 10K:7.44 100K:9.79 1000K:0.69 2675K:0.18";

/// The smallest message has one empty line of payload.
inline constexpr std::uint64_t kLeastMailBytes = kMailOverhead + 2;
inline constexpr std::uint64_t kMostMailBytes = std::uint64_t{1} << 30U;

/// "2K" (1 K = 1,024 bytes, 1 M = 1,024 K), "2048", "table", or sizes and their parts: "1K:10.2 2K:30.71".
/// Throws UsageError, also for a size that no message can have.
[[nodiscard]] std::vector<SizeShare> parse_mail_sizes(const std::string& text);
/// A text that parse_mail_sizes() reads to the same value.
[[nodiscard]] std::string format_mail_sizes(const std::vector<SizeShare>& sizes);

class MailCorpus {
 public:
  /// Text of the stated sizes, lines of up to 76 characters, some of which begin with dots; every size has a
  /// few payloads, or one where a few would take much memory. Throws UsageError for a size that no message
  /// can have, or when there is none.
  MailCorpus(const std::vector<SizeShare>& sizes, std::uint64_t seed);
  /// Every regular file of the folder (not of its subfolders), each as likely. Lone CR and LF become CRLF, a
  /// missing last one is added; how many were mended is counted. Throws UsageError: no folder, no file, a
  /// file with a NUL byte, or one above 1 GiB.
  explicit MailCorpus(const std::filesystem::path& folder);

  [[nodiscard]] const MailPayload& draw(Random& random) const;
  /// The mean payload size in bytes, by the draw's shares.
  [[nodiscard]] double mean_bytes() const;
  /// Line ends of the folder's files that were not CRLF, missing last ones included.
  [[nodiscard]] std::uint64_t mended_line_ends() const { return mended_; }
  [[nodiscard]] const std::vector<MailPayload>& payloads() const { return payloads_; }

 private:
  struct Parts {
    std::vector<MailPayload> payloads;
    std::vector<double> weights;  ///< one for each payload
    std::uint64_t mended = 0;
  };
  explicit MailCorpus(Parts parts);
  static Parts generated(const std::vector<SizeShare>& sizes, std::uint64_t seed);
  static Parts loaded(const std::filesystem::path& folder);

  std::vector<MailPayload> payloads_;
  std::vector<double> weights_;
  WeightedDraw draw_;
  std::uint64_t mended_ = 0;
};

}  // namespace scalemark::filesets

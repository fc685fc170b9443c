// What end-to-end web runs share: a small file set made once, and the built command run on it.
//
// Belongs to one thread. Records are read back as JSON, as any user of the tool would.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/run_record.h"
#include "tests/app/program.h"

namespace scalemark::e2e {

/// Directories of the file set that all these tests share.
inline constexpr unsigned kDirectories = 3;

/// The folder that holds the file set; made by `scalemark files web` on first use, gone with the process.
[[nodiscard]] const std::filesystem::path& file_set();

/// What a finished run left.
struct Finished {
  int code = -1;
  std::string out;
  std::string err;
  RunRecord record;  ///< empty when the command wrote none
  std::string csv;

  [[nodiscard]] const Json& iteration(std::size_t index = 0) const { return record.iterations.at(index); }
};

/// The run was in order. That a busy machine made the generator late (exit code 5) is allowed where counts
/// and contents are tested: they must be right all the same.
[[nodiscard]] bool ran(const Finished& run);

/// Options of a short run against `url`; more can be appended.
[[nodiscard]] std::vector<std::string> short_run(const std::string& url, unsigned connections);

/// Runs `scalemark web` with these options, and reads the record and CSV that it wrote.
[[nodiscard]] Finished run_web(std::vector<std::string> options);

/// Reads what run_web() reads, after a run that the test drove itself with `--json` record_path().
[[nodiscard]] std::filesystem::path record_path();

/// `scalemark serve` on the file set, with these options.
class Node {
 public:
  explicit Node(const std::vector<std::string>& more = {});
  [[nodiscard]] const std::string& url() const { return url_; }
  void send(int signal) const { program_->send(signal); }

 private:
  std::unique_ptr<app::Program> program_;
  std::string url_;
};

/// Returns once the preflight is over and users are about to start.
void wait_for_load(app::Program& program);

}  // namespace scalemark::e2e

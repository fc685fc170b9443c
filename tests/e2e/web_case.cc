#include "tests/e2e/web_case.h"

#include <unistd.h>

#include <fstream>
#include <sstream>
#include <stdexcept>

#include "tests/app/program.h"

namespace scalemark::e2e {
namespace {

/// A folder that goes with the process.
class Folder {
 public:
  Folder() : path_(std::filesystem::temp_directory_path() / ("scalemark-e2e-" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(path_);
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

const std::filesystem::path& folder() {
  static const Folder kFolder;
  return kFolder.path();
}

std::string file_text(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::filesystem::path make_file_set() {
  const std::filesystem::path out = folder() / "files";
  app::Program program(
      {"files", "web", "--out", out, "--connections", "1", "--directories", std::to_string(kDirectories)});
  if (program.wait() != 0) {
    throw std::runtime_error("scalemark files web failed: " + program.err());
  }
  return out;
}

}  // namespace

const std::filesystem::path& file_set() {
  static const std::filesystem::path kFileSet = make_file_set();
  return kFileSet;
}

std::filesystem::path record_path() {
  return folder() / "record.json";
}

bool ran(const Finished& run) {
  return run.code == 0 || run.code == 5;
}

std::vector<std::string> short_run(const std::string& url, unsigned connections) {
  return {"--url",         url,
          "--connections", std::to_string(connections),
          "--directories", std::to_string(kDirectories),
          "--ramp-up",     "500ms",
          "--warm-up",     "0s",
          "--window",      "3s",
          "--ramp-down",   "200ms",
          "--iterations",  "1"};
}

Finished run_web(std::vector<std::string> options) {
  const std::filesystem::path csv = folder() / "record.csv";
  std::filesystem::remove(record_path());
  std::filesystem::remove(csv);
  options.insert(options.begin(), "web");
  options.insert(options.end(), {"--json", record_path(), "--csv", csv});
  app::Program program(options);
  Finished finished;
  finished.code = program.wait();
  finished.out = program.out();
  finished.err = program.err();
  if (std::filesystem::exists(record_path())) {
    finished.record = read_record(record_path());
    finished.csv = file_text(csv);
  }
  return finished;
}

Node::Node(const std::vector<std::string>& more) {
  std::vector<std::string> words = {"serve", "--files", file_set(), "--listen", "127.0.0.1:0"};
  words.insert(words.end(), more.begin(), more.end());
  program_ = std::make_unique<app::Program>(words);
  url_ = "http://" + program_->read_line() + "/";
}

void wait_for_load(app::Program& program) {
  for (std::string line = "-"; !line.empty() && line.find("load begins") == std::string::npos;) {
    line = program.read_error_line();
  }
}

}  // namespace scalemark::e2e

#include "app/files_command.h"

#include <fmt/format.h>

#include <limits>

#include "app/stop_signals.h"
#include "app/terminal.h"
#include "core/error.h"
#include "core/setting_types.h"
#include "filesets/web_files.h"
#include "filesets/web_generator.h"

namespace scalemark::app {
namespace {

constexpr const char* kFilesGroup = "File set";
constexpr std::uint32_t kMostThreads = 1024;
constexpr std::uint32_t kMostConnections = 1'000'000;
constexpr std::uint32_t kMostDirectories = 100'000;

std::string progress_text(const char* doing, const filesets::WebFilesProgress& now) {
  const double share =
      now.bytes_total == 0 ? 0 : static_cast<double>(now.bytes_done) / static_cast<double>(now.bytes_total);
  return fmt::format("{} {:3.0f} %  {} of {} files  {} of {}", doing, share * 100, now.files_done,
                     now.files_total, human_bytes(now.bytes_done), human_bytes(now.bytes_total));
}

Setting threads_setting(std::uint32_t& threads) {
  return count_setting("threads", "threads that do the work; 0 is one per processor", kFilesGroup, threads, 0,
                       kMostThreads);
}

int interrupted(Console& console, const char* advice) {
  console.err << "scalemark: interrupted; " << advice << "\n";
  return kExitInterrupted;
}

class FilesWebCommand final : public Command {
 public:
  [[nodiscard]] CommandInfo info() const override {
    return {.words = "files web",
            .table = "files.web",
            .summary = "put the web file set on a disk",
            .about =
                "Writes the files that 'scalemark web' asks for under DIR/file_set, as many directories as "
                "the connections need. What is already there is kept, so an interrupted run is taken up "
                "by running it again.",
            .examples =
                "  scalemark files web --out /srv/www --connections 200\n"
                "  scalemark files web --out /srv/www --directories 10\n",
            .by_place = {}};
  }
  [[nodiscard]] Settings settings() override {
    return {
        text_setting("out", "folder that will hold file_set/", kFilesGroup, out_, "DIR"),
        count_setting("connections", "connections that the set is for; 0: --directories says the size",
                      kFilesGroup, connections_, 0, kMostConnections),
        count_setting("directories", "directories (5.12 MB each); 0 takes the number for the connections",
                      kFilesGroup, directories_, 0, kMostDirectories),
        count_setting("seed", "the same seed gives the same bytes; 'scalemark web --files-seed' must agree",
                      kFilesGroup, seed_, std::uint64_t{0}, std::numeric_limits<std::uint64_t>::max()),
        threads_setting(threads_)};
  }
  void check() const override {
    if (out_.empty()) {
      throw UsageError("no folder is named; say where the files go, as in --out /srv/www");
    }
    if (connections_ == 0 && directories_ == 0) {
      throw UsageError(
          "the size is not known; give --connections, as in --connections 200, or --directories");
    }
  }

  int run(Console& console) override {
    const filesets::WebFilesPlan plan{
        .out = out_,
        .directories = directories_ != 0 ? directories_ : filesets::directories_for(connections_),
        .seed = seed_,
        .threads = threads_};
    const StopSignals signals;
    const SteadyClock clock;
    LiveLine line(console, clock);
    const auto result = filesets::generate_web_files(
        plan, [&line](const auto& now) { line.show(progress_text("writing", now)); }, StopSignals::stopped());
    line.clear();
    if (result.cancelled) {
      return interrupted(console, "run again to continue");
    }
    console.out << fmt::format("{} directories, {} in {}: {} files written, {} kept\n", plan.directories,
                               human_bytes(result.bytes), (plan.out / "file_set").string(), result.written,
                               result.kept);
    return kExitOk;
  }

 private:
  std::string out_;
  std::uint32_t connections_ = 0;
  std::uint32_t directories_ = 0;
  std::uint64_t seed_ = filesets::WebFilesPlan{}.seed;
  std::uint32_t threads_ = 0;
};

class FilesCheckCommand final : public Command {
 public:
  [[nodiscard]] CommandInfo info() const override {
    return {.words = "files check",
            .table = "files.check",
            .summary = "compare every byte of a web file set with what it should be",
            .about =
                "Reads the set under DIR/file_set and compares it with what its seed says. Ends with 0 "
                "when every file is right, 3 when not.",
            .examples = "  scalemark files check /srv/www\n",
            .by_place = {"dir"}};
  }
  [[nodiscard]] Settings settings() override {
    return {text_setting("dir", "folder that holds file_set/", kFilesGroup, dir_, "DIR"),
            threads_setting(threads_)};
  }
  void check() const override {
    if (dir_.empty()) {
      throw UsageError("no folder is named; say where the set is, as in scalemark files check /srv/www");
    }
  }

  int run(Console& console) override {
    const StopSignals signals;
    const SteadyClock clock;
    LiveLine line(console, clock);
    const auto found = filesets::check_web_files(
        dir_, threads_, [&line](const auto& now) { line.show(progress_text("checking", now)); },
        StopSignals::stopped());
    line.clear();
    for (const std::string& example : found.examples) {
      console.out << example << "\n";
    }
    if (found.faults > found.examples.size()) {
      console.out << fmt::format("... and {} more\n", found.faults - found.examples.size());
    }
    if (found.cancelled) {
      return interrupted(console, "not every file was checked");
    }
    console.out << fmt::format(
        "{} directories, {} files, {}, seed {}: {}\n", found.directories, found.files,
        human_bytes(found.bytes), found.seed,
        found.faults == 0 ? "every byte is right" : fmt::format("{} faults", found.faults));
    return found.faults == 0 ? kExitOk : kExitGoalNotMet;
  }

 private:
  std::string dir_;
  std::uint32_t threads_ = 0;
};

}  // namespace

std::unique_ptr<Command> make_files_web_command() {
  return std::make_unique<FilesWebCommand>();
}

std::unique_ptr<Command> make_files_check_command() {
  return std::make_unique<FilesCheckCommand>();
}

}  // namespace scalemark::app

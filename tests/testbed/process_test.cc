#include "testbed/process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "core/error.h"
#include "tests/core/temporary_folder.h"

namespace scalemark::testbed {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// A file that goes with the test.
class LogFile {
 public:
  LogFile()
      : path_(std::filesystem::temp_directory_path() / ("scalemark-process-" + std::to_string(::getpid()))) {}
  ~LogFile() { std::filesystem::remove(path_); }
  LogFile(const LogFile&) = delete;
  LogFile& operator=(const LogFile&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::string text() const {
    std::ifstream file(path_);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }

 private:
  std::filesystem::path path_;
};

ProcessLine line_of(pid_t pid, std::uint64_t start, pid_t session, char state = 'S') {
  return {{pid, start}, state, session, 0};
}

bool nowhere(pid_t /*pid*/) {
  return false;
}
bool anywhere(pid_t /*pid*/) {
  return true;
}

TEST(ParseStatTest, NamesMayHoldAnything) {
  const auto line =
      parse_stat("4711 (a) S (b 7) S 1 4711 4700 0 -1 4194560 1 2 3 4 50 6 7 8 20 0 1 0 171716 1 2 3 4 5\n");
  ASSERT_TRUE(line);
  EXPECT_EQ(line->id, (ProcessId{4711, 171716}));
  EXPECT_EQ(line->state, 'S');
  EXPECT_EQ(line->session, 4700);
  EXPECT_EQ(line->cpu_ticks, 56U);
}

TEST(ParseStatTest, HalfALineIsNone) {
  for (const char* text : {"", "4711", "4711 (a", "4711 (a) S 1 2 3", "x (a) S 1 4711 4711 0"}) {
    EXPECT_FALSE(parse_stat(text)) << text;
  }
}

TEST(SessionTest, HoldsTheLeaderAndWhatItStarted) {
  const std::vector<ProcessLine> processes = {line_of(1, 1, 1), line_of(10, 100, 10), line_of(11, 101, 10),
                                              line_of(12, 102, 10, 'Z'), line_of(13, 103, 13)};
  EXPECT_THAT(session_members({10, 100}, processes, nowhere),
              ElementsAre(ProcessId{10, 100}, ProcessId{11, 101}));
}

TEST(SessionTest, NothingOfANumberThatWasUsedAgain) {
  const std::vector<ProcessLine> processes = {line_of(10, 900, 10), line_of(11, 901, 10)};
  EXPECT_THAT(session_members({10, 100}, processes, anywhere), IsEmpty());
}

TEST(SessionTest, WithoutItsLeaderOnlyWhoIsInTheNamespaceBelongsToIt) {
  const std::vector<ProcessLine> processes = {line_of(11, 101, 10), line_of(12, 901, 10),
                                              line_of(13, 50, 10)};
  EXPECT_THAT(session_members({10, 100}, processes, [](pid_t pid) { return pid != 12; }),
              ElementsAre(ProcessId{11, 101}));
  EXPECT_THAT(session_members({10, 100}, processes, nowhere), IsEmpty());
}

TEST(RunTest, GivesInputAndTakesOutputCodeAndComplaints) {
  const std::string much(300'000, 'x');
  const RunResult echoed = run({"cat"}, "", much);
  EXPECT_EQ(echoed.code, 0);
  EXPECT_EQ(echoed.out, much);
  const RunResult failed = run({"/bin/sh", "-c", "echo woe >&2; exit 3"});
  EXPECT_EQ(failed.code, 3);
  EXPECT_EQ(failed.err, "woe\n");
  EXPECT_EQ(run({"/bin/sh", "-c", "kill -KILL $$"}).code, -SIGKILL);
}

TEST(RunTest, AProgramThatReadsNothingIsNotAFault) {
  EXPECT_EQ(run({"true"}, "", std::string(300'000, 'x')).code, 0);
}

TEST(RunTest, FailuresCarryTheProgramsOwnWords) {
  try {
    run_or_throw({"/bin/sh", "-c", "echo 'no such bridge' >&2; exit 1"});
    FAIL();
  } catch (const RunError& error) {
    EXPECT_THAT(error.what(), HasSubstr("no such bridge"));
  }
  EXPECT_THROW(run({"there-is-no-such-program"}), RunError);
}

TEST(LaunchTest, NothingHappensBeforeItIsToldToGo) {
  std::fflush(nullptr);  // ThreadSanitizer writes out what a new process has inherited of our own buffers
  const LogFile log;
  ProcessId given_up;
  {
    const Launch launch(
        {.argv = {"/bin/sh", "-c", "echo ran"}, .netns = "", .log = log.path(), .cgroup = {}});
    given_up = launch.id();
    EXPECT_TRUE(alive(given_up));
  }
  EXPECT_FALSE(alive(given_up));
  EXPECT_EQ(log.text(), "");
}

TEST(LaunchTest, SeveralThatWaitAtTheirGatesDoNotHoldEachOther) {
  const LogFile log;
  std::vector<Launch> launches;
  for (int i = 0; i < 3; ++i) {
    launches.emplace_back(DaemonSpec{.argv = {"/bin/true"}, .netns = "", .log = log.path(), .cgroup = {}});
  }
  launches.clear();  // would wait for ever if one held another's gate
}

TEST(LaunchTest, ADaemonKeepsItsIdentityAndEndsWithAllItStarted) {
  const LogFile log;
  const TemporaryFolder folder;
  const std::string started = (folder.path() / "started").string();
  ASSERT_EQ(::mkfifo(started.c_str(), 0600), 0);
  Launch launch({.argv = {"/bin/sh", "-c", "sleep 60 & sleep 61 & echo > " + started + "; wait"},
                 .netns = "",
                 .log = log.path(),
                 .cgroup = {}});
  const Daemon daemon{launch.id(), ""};
  launch.go();
  std::string line;
  std::ifstream pipe(started);  // waits for the shell, which has started both sleepers by then
  std::getline(pipe, line);
  ASSERT_EQ(session_members(daemon).size(), 3U);
  EXPECT_TRUE(alive(daemon.leader));
  stop({daemon}, SIGTERM, std::chrono::milliseconds(1));  // the shell ends; its children must be killed
  EXPECT_FALSE(alive(daemon.leader));
  EXPECT_THAT(session_members(daemon), IsEmpty());
}

TEST(SignalTest, AProcessOfAnotherStartTimeIsNeverSignalled) {
  const LogFile log;
  Launch launch({.argv = {"/bin/sleep", "60"}, .netns = "", .log = log.path(), .cgroup = {}});
  const ProcessId real = launch.id();
  const ProcessId earlier{real.pid, real.start_time - 1};
  launch.go();
  EXPECT_FALSE(alive(earlier));
  EXPECT_FALSE(send_signal(earlier, SIGKILL));
  stop({{earlier, ""}}, SIGKILL, std::chrono::milliseconds(1));
  EXPECT_TRUE(alive(real));
  stop({{real, ""}}, SIGTERM, std::chrono::seconds(5));
  EXPECT_FALSE(alive(real));
}

}  // namespace
}  // namespace scalemark::testbed

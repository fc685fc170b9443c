#include "testbed/cpu_time.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace scalemark::testbed {
namespace {

using ::testing::UnorderedElementsAre;

ProcessTimes table(const std::vector<ProcessTime>& processes) {
  ProcessTimes times;
  for (const ProcessTime& process : processes) {
    times.emplace(process.pid, process);
  }
  return times;
}

ProcessTime process(pid_t pid, pid_t parent, pid_t session, std::uint64_t ticks,
                    std::uint64_t child_ticks = 0) {
  return {.pid = pid,
          .parent = parent,
          .session = session,
          .start_time = 1000,
          .ticks = ticks,
          .child_ticks = child_ticks};
}

// 1 is init, 10 the generator, 20 a server (master and worker), 30 a foreign shell.
ProcessTimes example_processes() {
  return table({process(1, 0, 1, 50), process(10, 30, 30, 100), process(20, 1, 20, 5, 2),
                process(21, 20, 20, 300), process(30, 1, 30, 7)});
}

const Household kOurs{.roots = {10}, .sessions = {20}};

TEST(ProcessTime, ReadsTheKernelsLine) {
  const auto process = parse_process_time(
      "4711 (a (b) c d) S 12 4711 99 0 -1 4194560 20 30 0 0 1500 250 40 2 20 0 1 0 777 1000 200 "
      "18446744073709551615 1 2\n");
  ASSERT_TRUE(process);
  EXPECT_EQ(process->pid, 4711);
  EXPECT_EQ(process->parent, 12);
  EXPECT_EQ(process->session, 99);
  EXPECT_EQ(process->ticks, 1750U);
  EXPECT_EQ(process->child_ticks, 42U);
  EXPECT_EQ(process->start_time, 777U);
  EXPECT_FALSE(process->kernel);
}

TEST(ProcessTime, KnowsTheKernelsOwnThreads) {
  const auto thread =
      parse_process_time("15 (ksoftirqd/0) S 2 0 0 0 -1 69238848 0 0 0 0 0 90 0 0 20 0 1 0 12 0 0 1 0 0\n");
  ASSERT_TRUE(thread);
  EXPECT_TRUE(thread->kernel);
}

TEST(ProcessTime, RefusesWhatIsNoLine) {
  EXPECT_FALSE(parse_process_time(""));
  EXPECT_FALSE(parse_process_time("4711 (cut) S 1 2 3"));
  EXPECT_FALSE(parse_process_time("x (y) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20"));
  EXPECT_FALSE(parse_process_time("4711 (cut) S 1 2 3 4 5 6 7 8 9 ten 11 12 13 14 15 16 17 18 19 20"));
}

TEST(ProcessTime, SeesThisProcess) {
  const ProcessTimes times = process_times();
  ASSERT_TRUE(times.contains(::getpid()));
  EXPECT_EQ(times.at(::getpid()).parent, ::getppid());
  EXPECT_EQ(times.at(::getpid()).session, ::getsid(0));
}

TEST(SessionTime, IsThatOfAllItsProcessesAndEndedChildren) {
  EXPECT_EQ(session_ticks(example_processes(), 20), 307U);
  EXPECT_FALSE(session_ticks(example_processes(), 99));
}

TEST(Household, HasDescendantsOfItsRootsAndItsSessions) {
  ProcessTimes times = example_processes();
  times.emplace(11, process(11, 10, 30, 1));
  times.emplace(12, process(12, 11, 12, 1));
  times.emplace(22, process(22, 21, 22, 1));
  EXPECT_THAT(members(times, kOurs), UnorderedElementsAre(10, 11, 12, 20, 21, 22));
}

TEST(ForeignTime, IsWhatOthersUsed) {
  ProcessTimes later = example_processes();
  later.at(1).ticks += 3;
  later.at(30).ticks += 4;
  later.at(10).ticks += 1000;
  later.at(21).ticks += 1000;
  EXPECT_EQ(foreign_ticks(example_processes(), later, kOurs), 7U);
  EXPECT_EQ(foreign_ticks(example_processes(), example_processes(), kOurs), 0U);
}

TEST(ForeignTime, HasProcessesThatBeganAndEndedMeanwhile) {
  ProcessTimes later = example_processes();
  later.at(30).child_ticks += 500;  // a compiler that it waited for
  later.emplace(40, process(40, 30, 30, 20));
  EXPECT_EQ(foreign_ticks(example_processes(), later, kOurs), 520U);
}

TEST(ForeignTime, CountsAnEndedForeignProcessOnce) {
  ProcessTimes before = example_processes();
  before.emplace(40, process(40, 30, 30, 200));
  ProcessTimes later = example_processes();
  later.at(30).child_ticks += 210;  // what it had used, and ten more
  EXPECT_EQ(foreign_ticks(before, later, kOurs), 10U);
}

// A server that is killed in mid-run leaves all that it ever used to init.
TEST(ForeignTime, HasNothingOfAServerThatEnded) {
  ProcessTimes later = example_processes();
  later.erase(20);
  later.erase(21);
  later.at(1).child_ticks += 307;
  EXPECT_EQ(foreign_ticks(example_processes(), later, kOurs), 0U);
}

TEST(ForeignTime, KeepsAWorkersTimeWithItsMaster) {
  ProcessTimes later = example_processes();
  later.erase(21);
  later.at(20).child_ticks += 300;
  later.at(30).ticks += 9;
  EXPECT_EQ(foreign_ticks(example_processes(), later, kOurs), 9U);
}

TEST(ForeignTime, TellsProcessesOfOneNumberApart) {
  ProcessTimes later = example_processes();
  later.at(21).start_time = 2000;  // the worker ended, its master took the time, and a new one began
  later.at(21).ticks = 1;
  later.at(20).child_ticks += 300;
  EXPECT_EQ(foreign_ticks(example_processes(), later, kOurs), 0U);
}

TEST(ForeignTime, LeavesOutTheKernelsThreads) {
  ProcessTimes later = example_processes();
  later.emplace(15, process(15, 2, 0, 900));
  later.at(15).kernel = true;
  EXPECT_EQ(foreign_ticks(example_processes(), later, kOurs), 0U);
}

TEST(ForeignTime, NeverGoesBack) {
  ProcessTimes later = example_processes();
  later.erase(30);  // nobody waited for it
  EXPECT_EQ(foreign_ticks(example_processes(), later, kOurs), 0U);
}

TEST(Ticks, BecomeTime) {
  EXPECT_EQ(time_of_ticks(static_cast<std::uint64_t>(::sysconf(_SC_CLK_TCK))), std::chrono::seconds(1));
}

}  // namespace
}  // namespace scalemark::testbed

#include "study/generator_process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <fstream>
#include <iostream>
#include <iterator>

#include "tests/core/temporary_folder.h"

namespace scalemark::study {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::Not;

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// The program that runs here is the test itself, which knows --help as the real one does.
TEST(GeneratorProcess, RunsThisProgramAndKeepsItsOutput) {
  const TemporaryFolder folder;
  GeneratorProcess process({"--help"}, "", folder.path() / "log");
  while (!process.wait(10s)) {
  }
  EXPECT_EQ(process.exit_code(), 0);
  EXPECT_THAT(process.output(), HasSubstr("gtest"));
  EXPECT_EQ(text_of(folder.path() / "log"), "") << "it complained of nothing";
}

TEST(GeneratorProcess, AFullDiskTakesNothingOfItsOutput) {
  GeneratorProcess process({"--help"}, "", "/dev/full");
  while (!process.wait(10s)) {
  }
  EXPECT_THAT(process.output(), HasSubstr("gtest"));
}

TEST(GeneratorProcess, ComplaintsGoToItsLogAndNotAmongItsOutput) {
  const TemporaryFolder folder;
  GeneratorProcess process(
      {"--gtest_filter=GeneratorProcess.DISABLED_Complains", "--gtest_also_run_disabled_tests"}, "",
      folder.path() / "log");
  while (!process.wait(10s)) {
  }
  EXPECT_EQ(text_of(folder.path() / "log"), "a complaint\n");
  EXPECT_THAT(process.output(), Not(HasSubstr("a complaint")));
}

/// What the test above runs.
TEST(GeneratorProcess, DISABLED_Complains) {
  std::cerr << "a complaint\n";
}

TEST(GeneratorProcess, OneThatIsInterruptedTellsSo) {
  const TemporaryFolder folder;
  GeneratorProcess process(
      {"--gtest_filter=GeneratorProcess.DISABLED_NeverEnds", "--gtest_also_run_disabled_tests"}, "",
      folder.path() / "log");
  EXPECT_FALSE(process.wait(0s));
  process.interrupt();
  while (!process.wait(10s)) {
  }
  EXPECT_EQ(process.exit_code(), 128 + 2);
}

/// What the test above runs.
TEST(GeneratorProcess, DISABLED_NeverEnds) {
  for (;;) {
    ::pause();
  }
}

TEST(GeneratorProcess, WhatStillRunsIsKilledWithTheObject) {
  const TemporaryFolder folder;
  pid_t pid = -1;
  {
    const GeneratorProcess process(
        {"--gtest_filter=GeneratorProcess.DISABLED_NeverEnds", "--gtest_also_run_disabled_tests"}, "",
        folder.path() / "log");
    pid = process.pid();
  }
  EXPECT_EQ(::kill(pid, 0), -1);
}

}  // namespace
}  // namespace scalemark::study

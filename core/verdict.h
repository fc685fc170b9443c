// How a run ended, and what it scored. Plain data, shared by records, judges and exit codes.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace scalemark {

/// How a run ended, as a whole.
enum class Status {
  pass,               ///< ran, every requirement met
  fail,               ///< ran, a requirement not met
  void_run,           ///< says nothing about the server: mix, errors, accounting or a local fault
  generator_limited,  ///< says nothing about the server: the generator was the bottleneck
  interrupted,        ///< ended by the user; the record is partial
};

/// "pass", "fail", "void", "generator_limited", "interrupted".
[[nodiscard]] std::string name_of(Status status);
/// The status of that name; nothing when there is none.
[[nodiscard]] std::optional<Status> status_named(std::string_view name);

/// Exit codes of the process, the same for every command.
inline constexpr int kExitOk = 0;
inline constexpr int kExitCouldNotRun = 1;
inline constexpr int kExitUsage = 2;
inline constexpr int kExitGoalNotMet = 3;
inline constexpr int kExitVoid = 4;
inline constexpr int kExitGeneratorLimited = 5;
inline constexpr int kExitInterrupted = 130;

struct ExitCode {
  int code;
  std::string_view meaning;
};
/// All of them, as the help explains them.
inline constexpr std::array<ExitCode, 7> kExitCodes = {
    {{kExitOk, "goal met"},
     {kExitCouldNotRun, "could not run"},
     {kExitUsage, "bad usage or configuration"},
     {kExitGoalNotMet, "ran but goal not met"},
     {kExitVoid, "void (the run says nothing about the server)"},
     {kExitGeneratorLimited, "the generator was the bottleneck"},
     {kExitInterrupted, "interrupted"}}};

/// The process exit code that belongs to a status.
[[nodiscard]] int exit_code_of(Status status);

struct Verdict {
  Status status = Status::pass;
  std::vector<std::string> reasons;  ///< one sentence each; empty when passed
};

struct Score {
  double value = 0;
  std::string unit;                                       ///< "conforming connections", "operations per hour"
  std::optional<std::uint32_t> iteration = std::nullopt;  ///< number of the iteration that it is of, if any
};

}  // namespace scalemark

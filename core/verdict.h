// How a run ended, and what it scored. Plain data, shared by records, judges and exit codes.
#pragma once

#include <string>
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
/// The process exit code that belongs to a status: 0, 3, 4, 5, 130.
[[nodiscard]] int exit_code_of(Status status);

struct Verdict {
  Status status = Status::pass;
  std::vector<std::string> reasons;  ///< one sentence each; empty when passed
};

struct Score {
  double value = 0;
  std::string unit;  ///< "conforming connections"
};

}  // namespace scalemark

// What stops a command.
//
// A `UsageError` is the user's to mend (an option, a file's contents) and a `RunError` is the world's (a
// server that does not answer, a full disk). Both carry one sentence that says what is wrong and what to do;
// they are caught in one place, in app/. What happens to a single operation under load is never an exception
// but an `Outcome` (core/outcome.h).
#pragma once

#include <stdexcept>
#include <string>
#include <system_error>

namespace scalemark {

/// Bad usage or configuration; the command ends with exit code 2.
class UsageError : public std::runtime_error {
 public:
  explicit UsageError(const std::string& sentence) : std::runtime_error(sentence) {}
};

/// The command could not do its work; it ends with exit code 1.
class RunError : public std::runtime_error {
 public:
  explicit RunError(const std::string& sentence) : std::runtime_error(sentence) {}
};

/// What the system says of an errno: "Connection refused".
[[nodiscard]] inline std::string words_of_error(int error) {
  return std::generic_category().message(error);
}

}  // namespace scalemark

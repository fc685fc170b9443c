#include "core/verdict.h"

#include <algorithm>

namespace scalemark {
namespace {

struct StatusFacts {
  Status status;
  std::string_view name;
  int exit_code;
};
constexpr std::array<StatusFacts, 5> kStatuses = {
    {{Status::pass, "pass", kExitOk},
     {Status::fail, "fail", kExitGoalNotMet},
     {Status::void_run, "void", kExitVoid},
     {Status::generator_limited, "generator_limited", kExitGeneratorLimited},
     {Status::interrupted, "interrupted", kExitInterrupted}}};

const StatusFacts& facts_of(Status status) {
  return kStatuses.at(static_cast<std::size_t>(status));
}

}  // namespace

std::string name_of(Status status) {
  return std::string(facts_of(status).name);
}

std::optional<Status> status_named(std::string_view name) {
  const auto* const found = std::find_if(kStatuses.begin(), kStatuses.end(),
                                         [name](const StatusFacts& facts) { return facts.name == name; });
  return found == kStatuses.end() ? std::nullopt : std::optional(found->status);
}

int exit_code_of(Status status) {
  return facts_of(status).exit_code;
}

}  // namespace scalemark

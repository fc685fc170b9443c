// Reading a mail record's figures: the ledger, its nodes, counts by name.
//
// As in web_fields.h nothing throws for a field that is missing or of the wrong type: it is not there. Pure
// and thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/run_record.h"

namespace scalemark::analysis {

struct NamedCount {
  std::string name;
  std::uint64_t count = 0;
};

/// The members of an object that are counts, in its order.
[[nodiscard]] std::vector<NamedCount> counts_in(const Json& object);

/// Whether the classes of a ledger add up to what was planned; nullopt when one of the two is missing.
[[nodiscard]] std::optional<bool> ledger_adds_up(const Json& ledger);

/// What a class of the ledger means, in a few words; "" for one that is not known.
[[nodiscard]] std::string_view class_words(std::string_view name);

/// Operations by node, named ones only; empty when no node is known.
[[nodiscard]] std::vector<NamedCount> nodes_of(const Json& ledger);

}  // namespace scalemark::analysis

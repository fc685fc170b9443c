#include "core/run_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/error.h"
#include "core/record_json.h"

namespace scalemark {
namespace {

/// The envelope's members that only some kinds of records have.
constexpr std::array<std::pair<const char*, Json RunRecord::*>, 3> kOptionalParts = {
    {{"cluster", &RunRecord::cluster}, {"search", &RunRecord::search}, {"points", &RunRecord::points}}};

/// JSON knows neither NaN nor infinities nor bytes that are not UTF-8.
void make_writable(Json& node) {
  if (node.is_number_float() && !std::isfinite(node.get<double>())) {
    node = nullptr;
  } else if (node.is_string()) {
    node = Json::parse(node.dump(-1, ' ', false, Json::error_handler_t::replace));
  } else if (node.is_structured()) {
    for (Json& child : node) {
      make_writable(child);
    }
  }
}

[[noreturn]] void refuse_field(std::string_view field, std::string_view why) {
  throw UsageError(fmt::format("not a scalemark record: '{}' {}", field, why));
}

/// A member of an object by its path from the root: "verdict.status".
const Json& member(const Json& document, std::string_view path) {
  const Json* node = &document;
  for (std::size_t begin = 0; begin != std::string_view::npos;) {
    const auto dot = path.find('.', begin);
    const std::string name(path.substr(begin, dot == std::string_view::npos ? dot : dot - begin));
    if (!node->is_object() || !node->contains(name)) {
      refuse_field(path, "is missing");
    }
    node = &node->at(name);
    begin = dot == std::string_view::npos ? dot : dot + 1;
  }
  return *node;
}

std::string text_member(const Json& document, std::string_view path) {
  const Json& node = member(document, path);
  if (!node.is_string()) {
    refuse_field(path, "is no text");
  }
  return node.get<std::string>();
}

/// An object, or null where nothing was recorded.
Json object_member(const Json& document, std::string_view path) {
  const Json& node = member(document, path);
  if (!node.is_object() && !node.is_null()) {
    refuse_field(path, "is no object");
  }
  return node;
}

const Json& array_member(const Json& document, std::string_view path) {
  const Json& node = member(document, path);
  if (!node.is_array()) {
    refuse_field(path, "is no list");
  }
  return node;
}

Verdict verdict_from(const Json& document) {
  Verdict verdict;
  const std::string name = text_member(document, "verdict.status");
  const auto status = status_named(name);
  if (!status) {
    refuse_field("verdict.status", fmt::format("is '{}', which is no status", name));
  }
  verdict.status = *status;
  for (const Json& reason : array_member(document, "verdict.reasons")) {
    if (!reason.is_string()) {
      refuse_field("verdict.reasons", "holds something other than text");
    }
    verdict.reasons.push_back(reason.get<std::string>());
  }
  return verdict;
}

double score_value_from(const Json& document) {
  const Json& value = member(document, "score.value");
  if (!value.is_number() && !value.is_null()) {
    refuse_field("score.value", "is neither a number nor null");
  }
  return value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>();
}

/// The number of the score's iteration; nothing when there is none.
std::optional<std::uint32_t> score_iteration_from(const Json& document) {
  const Json& score = member(document, "score");
  if (!score.contains("iteration") || score["iteration"].is_null()) {
    return std::nullopt;
  }
  const Json& number = score["iteration"];
  if (!number.is_number_unsigned() ||
      number.get<std::uint64_t>() > std::numeric_limits<std::uint32_t>::max()) {
    refuse_field("score.iteration", "is neither an iteration's number nor null");
  }
  return number.get<std::uint32_t>();
}

std::string contents_of(const std::filesystem::path& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    throw UsageError(fmt::format("cannot read a record from '{}': it is a folder", path.string()));
  }
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (!file || (file.peek() != std::ifstream::traits_type::eof() && !(text << file.rdbuf()))) {
    throw UsageError(fmt::format("cannot read a record from '{}': {}", path.string(),
                                 std::generic_category().message(errno)));
  }
  return text.str();
}

/// What is wrong with a text that is no JSON; `byte` is the number, from 1, of the first that cannot stand
/// there.
std::string parse_complaint(const std::string& file, std::string_view text, std::size_t byte) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    return fmt::format("'{}' is empty, so it is not JSON", file);
  }
  const std::string_view before = text.substr(0, byte - std::min<std::size_t>(byte, 1));
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::string_view in_line = before.substr(before.rfind('\n') + 1);
  const auto column =
      1 + std::count_if(in_line.begin(), in_line.end(), [](char letter) {
        return (static_cast<unsigned char>(letter) & 0xC0U) != 0x80U;  // of UTF-8, a first byte
      });
  return fmt::format("'{}', line {}, column {}: {}", file, line, column,
                     byte > text.size() ? "the text ends here and is not JSON: was the file cut off?"
                                        : "from here on this is not JSON: is it a record, and unchanged?");
}

}  // namespace

Json to_json(const RunRecord& record) {
  Json document;
  document["schema"] = RunRecord::kSchema;
  document["kind"] = record.kind;
  document["verdict"] = verdict_json(record.verdict);
  document["score"] = {{"value", record.score.value}, {"unit", record.score.unit}, {"iteration", nullptr}};
  if (record.score.iteration) {
    document["score"]["iteration"] = *record.score.iteration;
  }
  document["plan"] = record.plan;
  document["context"] = record.context;
  document["iterations"] = record.iterations;
  for (const auto& [name, part] : kOptionalParts) {
    if (!(record.*part).is_null()) {
      document[name] = record.*part;
    }
  }
  make_writable(document);
  return document;
}

RunRecord record_from_json(const Json& document) {
  const std::string schema = text_member(document, "schema");
  if (schema != RunRecord::kSchema) {
    throw UsageError(
        fmt::format("the record is written in schema '{}', and this scalemark reads only '{}': use the "
                    "version that wrote it",
                    schema, RunRecord::kSchema));
  }
  RunRecord record;
  record.kind = text_member(document, "kind");
  record.verdict = verdict_from(document);
  record.score.value = score_value_from(document);
  record.score.unit = text_member(document, "score.unit");
  record.score.iteration = score_iteration_from(document);
  record.plan = object_member(document, "plan");
  record.context = object_member(document, "context");
  record.iterations = array_member(document, "iterations");
  for (const auto& [name, part] : kOptionalParts) {
    if (document.contains(name)) {
      record.*part = document.at(name);
    }
  }
  return record;
}

RunRecord read_record(const std::filesystem::path& path) {
  const std::string text = contents_of(path);
  try {
    return record_from_json(Json::parse(text));
  } catch (const Json::parse_error& fault) {
    throw UsageError(parse_complaint(path.string(), text, fault.byte));
  } catch (const UsageError& fault) {
    throw UsageError(fmt::format("'{}': {}", path.string(), fault.what()));
  }
}

}  // namespace scalemark

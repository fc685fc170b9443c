#include "app/run_output.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include "analysis/run_summary.h"
#include "core/error.h"
#include "core/run_record.h"

namespace scalemark::app {
namespace {

constexpr const char* kStandardOutput = "-";

bool is_file(const std::string& place) {
  return !place.empty() && place != kStandardOutput;
}

std::string chosen(const std::string& given) {
  return given == "none" ? "" : given;
}

/// "web-20260131T120000Z.json", or with a number when there is such a file already.
std::string new_name(const std::string& kind, std::string utc) {
  std::erase_if(utc, [](char letter) { return letter == '-' || letter == ':'; });
  std::string name = fmt::format("{}-{}.json", kind, utc);
  std::error_code ignored;
  for (int number = 2; std::filesystem::exists(name, ignored); ++number) {
    name = fmt::format("{}-{}-{}.json", kind, utc, number);
  }
  return name;
}

/// The name, or one like it, as an empty file that was not there before: another run of the same second may
/// have written its record under the name meanwhile.
std::string reserved(const std::string& path) {
  const std::string stem = path.substr(0, path.rfind(".json"));
  std::string name = path;
  for (int number = 2;; ++number) {
    const int file = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file >= 0) {
      ::close(file);
      return name;
    }
    if (errno != EEXIST) {
      return name;  // writing will say what is wrong
    }
    name = fmt::format("{}-{}.json", stem, number);
  }
}

/// Whether the text now stands in the file; says why not.
bool store(const std::string& text, const std::string& path, Console& console) {
  try {
    write_file(path, text);
    return true;
  } catch (const RunError& error) {
    console.err << "scalemark: " << error.what() << "\n";
    return false;
  }
}

void print_summary(const RunRecord& record, bool on_error_stream, Console& console) {
  std::ostream& stream = on_error_stream ? console.err : console.out;
  const bool terminal = on_error_stream ? console.err_is_terminal : console.out_is_terminal;
  constexpr int kDefaultWidth = 80;
  stream << analysis::run_summary(
      record, {.colour = terminal && console.colour, .width = terminal ? console.width : kDefaultWidth});
}

}  // namespace

RunOutputs choose_outputs(const std::string& kind, const std::string& json, const std::string& csv,
                          const std::string& utc) {
  return {.json = json.empty() ? new_name(kind, utc) : chosen(json),
          .csv = chosen(csv),
          .json_is_new = json.empty()};
}

void check_outputs(const RunOutputs& outputs) {
  for (const std::string& place : {outputs.json, outputs.csv}) {
    if (is_file(place)) {
      check_writable(place);
    }
  }
}

bool write_outputs(const RunRecord& record, const RunOutputs& wanted, Console& console) {
  RunOutputs outputs = wanted;
  if (outputs.json_is_new) {
    outputs.json = reserved(outputs.json);
  }
  // Files first: nothing that happens to the terminal may cost the measurement.
  const std::string json = to_json(record).dump(2) + "\n";
  const bool json_stored = is_file(outputs.json) && store(json, outputs.json, console);
  const std::string csv = outputs.csv.empty() ? "" : analysis::run_csv(record);
  const bool csv_stored = is_file(outputs.csv) && store(csv, outputs.csv, console);

  const bool all_stored = json_stored == is_file(outputs.json) && csv_stored == is_file(outputs.csv);
  const bool rescue = !all_stored && !json_stored && outputs.json != kStandardOutput;
  const bool document_out = rescue || outputs.json == kStandardOutput || outputs.csv == kStandardOutput;
  print_summary(record, document_out, console);
  std::ostream& text = document_out ? console.err : console.out;
  if (json_stored) {
    text << "record: " << outputs.json << "\n";
  }
  if (csv_stored) {
    text << "csv:    " << outputs.csv << "\n";
  }
  if (rescue) {
    console.err
        << "scalemark: the record is printed on standard output so that the measurement is not lost\n";
  }
  if (outputs.csv == kStandardOutput && !rescue) {
    console.out << csv;
  }
  if (rescue || outputs.json == kStandardOutput) {
    console.out << json;
  }
  return all_stored;
}

}  // namespace scalemark::app

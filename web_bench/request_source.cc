#include "web_bench/request_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "core/error.h"
#include "core/units.h"
#include "filesets/popularity.h"
#include "filesets/web_files.h"
#include "web_bench/web_plan.h"

namespace scalemark::web {
namespace {

class FileSetSource final : public RequestSource {
 public:
  FileSetSource(const WebPlan& plan, std::uint32_t directories)
      : mix_(plan.class_mix), directories_(directories), seed_(plan.files_seed), popularity_(directories) {}

  const std::vector<std::string>& classes() const override { return names_; }
  const std::vector<std::uint32_t>& mix() const override { return mix_; }
  bool rare(std::uint32_t cls) const override { return cls == 3; }

  std::optional<double> mean_bytes() const override {
    std::array<double, filesets::kClasses> parts{};
    std::copy_n(mix_.begin(), parts.size(), parts.begin());
    return filesets::mean_file_bytes(parts);
  }

  std::uint32_t class_of(Item item) const override {
    return item % filesets::kFilesPerDirectory / filesets::kFilesPerClass;
  }

  std::optional<std::uint64_t> size_of(Item item) const override {
    return filesets::size_of(filesets::file_of(item));
  }

  void append_path(Item item, std::string& to) const override {
    filesets::append_path(filesets::file_of(item), to);
  }

  bool content_matches(Item item, std::uint64_t offset, std::span<const char> bytes) const override {
    return filesets::agrees(filesets::file_of(item), offset, bytes);
  }

  std::optional<std::string> body_fault(Item item, std::string_view body) const override;

  Item draw(std::uint32_t cls, Random& random) const override {
    return filesets::number_of(popularity_.draw(cls, random));
  }

  std::vector<Item> probes() const override {
    // The last directory: when it is there, so is the rest.
    std::vector<Item> items;
    for (std::uint32_t cls = 0; cls < filesets::kClasses; ++cls) {
      if (mix_[cls] > 0) {
        items.push_back(filesets::number_of({directories_ - 1, cls, filesets::kFilesPerClass - 1}));
      }
    }
    return items;
  }

 private:
  std::vector<std::string> names_ = {"0", "1", "2", "3"};
  std::vector<std::uint32_t> mix_;
  std::uint32_t directories_;
  std::uint64_t seed_;
  filesets::Popularity popularity_;
};

std::optional<std::string> FileSetSource::body_fault(Item item, std::string_view body) const {
  const filesets::WebFile file = filesets::file_of(item);
  const std::uint64_t size = filesets::size_of(file);
  if (body.size() != size) {
    return fmt::format("it has {} bytes where {} belong", body.size(), size);
  }
  if (!filesets::agrees(file, 0, body)) {
    return "its first line or markers are not those of the file asked for";
  }
  std::string right(size, '\0');
  filesets::fill(file, seed_, 0, right);
  if (right != body) {
    return fmt::format(
        "its first line and markers are right but other bytes differ from a file set of seed {}: pass "
        "--files-seed if the set was made with another seed",
        seed_);
  }
  return std::nullopt;
}

struct ListedUrl {
  std::string path;
  double weight = 1;
  std::optional<std::uint64_t> size;
};

/// A user's own list: one class, drawn by weight.
class UrlListSource final : public RequestSource {
 public:
  explicit UrlListSource(std::vector<ListedUrl> urls) : urls_(std::move(urls)), draw_(weights()) {}

  const std::vector<std::string>& classes() const override { return names_; }
  const std::vector<std::uint32_t>& mix() const override { return mix_; }
  bool rare(std::uint32_t /*cls*/) const override { return false; }

  std::optional<double> mean_bytes() const override {
    double bytes = 0;
    double weight = 0;
    for (const ListedUrl& url : urls_) {
      if (!url.size) {
        return std::nullopt;
      }
      bytes += url.weight * static_cast<double>(*url.size);
      weight += url.weight;
    }
    return bytes / weight;
  }

  std::uint32_t class_of(Item /*item*/) const override { return 0; }
  std::optional<std::uint64_t> size_of(Item item) const override { return urls_[item].size; }
  void append_path(Item item, std::string& to) const override { to += urls_[item].path; }
  bool content_matches(Item, std::uint64_t, std::span<const char>) const override { return true; }

  std::optional<std::string> body_fault(Item item, std::string_view body) const override {
    const auto& size = urls_[item].size;
    if (size && *size != body.size()) {
      return fmt::format("it has {} bytes where the list says {}", body.size(), *size);
    }
    return std::nullopt;
  }

  Item draw(std::uint32_t /*cls*/, Random& random) const override { return draw_.draw(random); }

  std::vector<Item> probes() const override {
    std::vector<Item> items;
    constexpr std::size_t kMostProbes = 16;
    for (Item item = 0; item < urls_.size() && items.size() < kMostProbes; ++item) {
      if (urls_[item].weight > 0) {
        items.push_back(item);
      }
    }
    return items;
  }

 private:
  std::vector<double> weights() const {
    std::vector<double> weights;
    for (const ListedUrl& url : urls_) {
      weights.push_back(url.weight);
    }
    return weights;
  }

  std::vector<std::string> names_ = {"list"};
  std::vector<std::uint32_t> mix_ = {1};
  std::vector<ListedUrl> urls_;
  WeightedDraw draw_;
};

bool is_absolute(const std::string& text) {
  return text.rfind("http://", 0) == 0 || text.rfind("https://", 0) == 0;
}

/// The path below the base URL: lists may hold paths, or URLs below one of the base URLs.
std::string path_below(const std::string& text, const std::vector<std::string>& bases,
                       const std::string& at) {
  if (!is_absolute(text)) {
    return text.front() == '/' ? text.substr(1) : text;
  }
  for (std::string base : bases) {
    if (base.empty() || base.back() != '/') {
      base += '/';
    }
    if (text.rfind(base, 0) == 0) {
      return text.substr(base.size());
    }
    if (text + '/' == base) {
      return "";
    }
  }
  throw UsageError(fmt::format("{}: {} lies below no --url; give its server with --url", at, text));
}

void check_path(const std::string& path, const std::string& at) {
  const bool printable =
      std::all_of(path.begin(), path.end(), [](unsigned char c) { return c > 0x20 && c < 0x7f; });
  if (!printable || path.find('#') != std::string::npos) {
    throw UsageError(
        fmt::format("{}: '{}' is no URL path; percent-encode it and leave out a #fragment", at, path));
  }
}

double parse_weight(const std::string& text, const std::string& at) {
  std::istringstream in(text);
  double weight = -1;
  if (!(in >> weight) || !in.eof() || !(weight >= 0)) {
    throw UsageError(fmt::format("{}: '{}' is no weight; write a number of at least 0", at, text));
  }
  return weight;
}

/// A line of the list, split into words; the first is the URL or path.
struct ListLine {
  std::string at;  // "urls.txt:3"
  std::vector<std::string> words;
};

std::vector<ListLine> read_lines(const std::string& file) {
  std::ifstream in(file);
  if (!in || std::filesystem::is_directory(file)) {
    throw UsageError(
        fmt::format("cannot read the URL list {}: check that it is a file that may be read", file));
  }
  std::vector<ListLine> lines;
  std::string line;
  for (std::size_t number = 1; std::getline(in, line); ++number) {
    std::istringstream text(line);
    ListLine split{fmt::format("{}:{}", file, number), {}};
    for (std::string word; text >> word;) {
      split.words.push_back(word);
    }
    if (!split.words.empty() && split.words.front().front() != '#') {
      lines.push_back(std::move(split));
    }
  }
  if (lines.empty()) {
    throw UsageError(fmt::format("the URL list {} holds no URL; write one URL or path per line", file));
  }
  return lines;
}

ListedUrl listed_url(const ListLine& line, const std::vector<std::string>& bases) {
  constexpr std::size_t kMostWords = 3;
  const auto& [at, words] = line;
  if (words.size() > kMostWords) {
    throw UsageError(fmt::format("{}: a line holds a URL or path, a weight and a size; '{}' is too much", at,
                                 words[kMostWords]));
  }
  ListedUrl listed{path_below(words[0], bases, at), words.size() > 1 ? parse_weight(words[1], at) : 1.0, {}};
  check_path(listed.path, at);
  if (words.size() > 2) {
    listed.size = parse_count(words[2], at + ": size in bytes", 0, std::uint64_t{1} << 50U);
  }
  return listed;
}

std::vector<ListedUrl> read_url_list(const std::string& file, const std::vector<std::string>& bases) {
  std::vector<ListedUrl> urls;
  for (const ListLine& line : read_lines(file)) {
    urls.push_back(listed_url(line, bases));
  }
  return urls;
}

}  // namespace

void take_server_from_list(WebPlan& plan) {
  if (!plan.urls.empty() || plan.urls_file.empty()) {
    return;
  }
  std::set<std::string> servers;
  for (const ListLine& line : read_lines(plan.urls_file)) {
    const std::string& url = line.words.front();
    if (is_absolute(url)) {
      servers.insert(url.substr(0, url.find('/', url.find("://") + 3)) + '/');
    }
  }
  if (servers.size() != 1) {
    throw UsageError(
        fmt::format("the URL list {} names {} servers; say with --url where its paths are to be requested",
                    plan.urls_file, servers.size()));
  }
  plan.urls.assign(servers.begin(), servers.end());
}

std::unique_ptr<RequestSource> make_request_source(const WebPlan& plan) {
  if (!plan.urls_file.empty()) {
    return std::make_unique<UrlListSource>(read_url_list(plan.urls_file, plan.urls));
  }
  return std::make_unique<FileSetSource>(plan, plan.effective_directories());
}

}  // namespace scalemark::web

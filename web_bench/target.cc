#include "web_bench/target.h"

#include <event2/http.h>
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "core/error.h"

namespace scalemark::web {
namespace {

constexpr std::uint16_t kHttpPort = 80;
constexpr std::uint16_t kHttpsPort = 443;

using Uri = std::unique_ptr<evhttp_uri, decltype(&evhttp_uri_free)>;

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return text;
}

/// Says what is wrong before libcurl does, where libcurl would say it in its own terms only.
void check_scheme(const std::string& url) {
  const std::size_t mark = url.find("://");
  if (mark == std::string::npos) {
    throw UsageError(fmt::format("the URL \"{}\" does not say how to speak: write http://{}/", url,
                                 url.substr(0, url.find('/'))));
  }
  const std::string scheme = lower(url.substr(0, mark));
  if (scheme != "http" && scheme != "https") {
    throw UsageError(
        fmt::format("the URL \"{}\" begins with {}://, but only http:// and https:// can be measured", url,
                    url.substr(0, mark)));
  }
  if (url.substr(mark + 3, 1) == "/") {  // which libcurl would forgive
    throw UsageError(fmt::format("the URL \"{}\" names no host: write it like http://server:8080/", url));
  }
}

/// A base URL is extended by paths, so it may hold nothing that has to stand at a URL's end, and no secrets
/// that would end up in the record.
void check_bare(const std::string& url) {
  const std::size_t host = url.find("://") + 3;
  if (url.find('@', host) < url.find_first_of("/?#", host)) {
    throw UsageError(
        fmt::format("the URL \"{}\" holds a user name, which is not supported: leave it out", url));
  }
  if (url.find('?') != std::string::npos) {
    throw UsageError(fmt::format(
        "the base URL \"{}\" holds a query; paths are appended to it, so leave out what begins at "
        "the '?' (a list given with --urls may have queries)",
        url));
  }
  if (url.find('#') != std::string::npos) {
    throw UsageError(
        fmt::format("the base URL \"{}\" holds a fragment: leave out what begins at the '#'", url));
  }
}

/// Takes the zone out of "http://[fe80::1%25eth0]/", where libevent expects none. Returns it: "eth0".
std::string take_zone(std::string& url) {
  const std::size_t close = url.find(']');
  const std::size_t mark = url.find('%');
  if (close == std::string::npos || mark > close) {
    return {};
  }
  std::string zone = url.substr(mark + 1, close - mark - 1);
  url.erase(mark, close - mark);
  return zone.rfind("25", 0) == 0 ? zone.substr(2) : zone;
}

Target parse_target(const std::string& url) {
  check_scheme(url);
  check_bare(url);
  std::string bare = url;
  const std::string zone = take_zone(bare);
  const Uri parsed(evhttp_uri_parse(bare.c_str()), &evhttp_uri_free);
  const char* named = parsed ? evhttp_uri_get_host(parsed.get()) : nullptr;
  if (named == nullptr || *named == '\0') {
    throw UsageError(fmt::format("the URL \"{}\" cannot be read: write it like http://server:8080/", url));
  }
  Target target;
  target.url = url;
  target.scheme = lower(evhttp_uri_get_scheme(parsed.get()));
  const std::string host = named;
  target.host = host.front() == '[' ? host.substr(1, host.size() - 2) : host;
  const std::uint16_t own_port = target.scheme == "https" ? kHttpsPort : kHttpPort;
  const int port = evhttp_uri_get_port(parsed.get());
  target.port = port < 0 ? own_port : static_cast<std::uint16_t>(port);
  if (target.port == 0) {
    throw UsageError(fmt::format("the URL \"{}\" names port 0, where nothing can listen", url));
  }
  target.host_header = target.port == own_port ? host : fmt::format("{}:{}", host, target.port);
  const char* path = evhttp_uri_get_path(parsed.get());
  target.base_path = path == nullptr || *path == '\0' ? "/" : path;
  if (target.base_path.back() != '/') {
    target.base_path += '/';
  }
  if (!zone.empty()) {
    target.host += '%' + zone;  // a link-local address means nothing without its interface
  }
  return target;
}

}  // namespace

std::vector<Target> resolve_targets(const std::vector<std::string>& urls) {
  std::vector<Target> targets;
  targets.reserve(urls.size());
  for (const std::string& url : urls) {
    Target& target = targets.emplace_back(parse_target(url));
    target.address = resolve_address(target.host, target.port, url);
  }
  return targets;
}

}  // namespace scalemark::web

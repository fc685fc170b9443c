#include "web_bench/target.h"

#include <arpa/inet.h>
#include <event2/http.h>
#include <fmt/format.h>
#include <netdb.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <string_view>

#include "core/error.h"

namespace scalemark::web {
namespace {

constexpr std::uint16_t kHttpPort = 80;
constexpr std::uint16_t kHttpsPort = 443;
constexpr std::size_t kLargestRange = 65'536;

using Uri = std::unique_ptr<evhttp_uri, decltype(&evhttp_uri_free)>;
using AddressList = std::unique_ptr<addrinfo, decltype(&freeaddrinfo)>;

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

/// The first address that the system gives for a host, with the port filled in.
Address resolve(const Target& target) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const std::string port = std::to_string(target.port);
  int code = ::getaddrinfo(target.host.c_str(), port.c_str(), &hints, &found);
  if (code == EAI_NONAME) {
    // A name. Address families that this machine has no address of would only lead to refused connections.
    hints.ai_flags = AI_NUMERICSERV | AI_ADDRCONFIG;
    code = ::getaddrinfo(target.host.c_str(), port.c_str(), &hints, &found);
  }
  if (code != 0) {
    throw RunError(fmt::format(
        "the host \"{}\" of {} cannot be resolved ({}): check the name or give an address", target.host,
        target.url, code == EAI_SYSTEM ? std::strerror(errno) : ::gai_strerror(code)));
  }
  const AddressList list(found, &freeaddrinfo);
  Address address;
  std::memcpy(&address.storage, list->ai_addr, list->ai_addrlen);
  address.length = list->ai_addrlen;
  return address;
}

// --- Ranges of local addresses
// --------------------------------------------------------------------------------

/// An address as a number: most significant byte first, of which the last `size` bytes count.
struct AddressNumber {
  int family = AF_UNSPEC;
  std::array<unsigned char, 16> bytes{};

  [[nodiscard]] std::size_t first_byte() const { return family == AF_INET ? 12 : 0; }
  /// The next higher number; wraps to zero, which no range ever reaches.
  void increment() {
    for (std::size_t i = bytes.size(); i-- > first_byte();) {
      if (++bytes[i] != 0) {
        return;
      }
    }
  }
  friend bool operator==(const AddressNumber&, const AddressNumber&) = default;
};

AddressNumber parse_number(const std::string& text, const std::string& whole) {
  AddressNumber number;
  number.family = text.find(':') == std::string::npos ? AF_INET : AF_INET6;
  if (::inet_pton(number.family, text.c_str(), number.bytes.data() + number.first_byte()) != 1) {
    throw UsageError(fmt::format(
        "\"{}\" is no local address or range of them: write 10.0.0.2, 10.0.0.2-10.0.0.20 or fd00::1-fd00::8",
        whole));
  }
  return number;
}

Address to_address(const AddressNumber& number) {
  Address address;
  if (number.family == AF_INET) {
    sockaddr_in in{};
    in.sin_family = AF_INET;
    std::memcpy(&in.sin_addr, number.bytes.data() + number.first_byte(), sizeof in.sin_addr);
    std::memcpy(&address.storage, &in, sizeof in);
    address.length = sizeof in;
  } else {
    sockaddr_in6 in{};
    in.sin6_family = AF_INET6;
    std::memcpy(&in.sin6_addr, number.bytes.data(), sizeof in.sin6_addr);
    std::memcpy(&address.storage, &in, sizeof in);
    address.length = sizeof in;
  }
  return address;
}

std::string host_text(const Address& address) {
  std::array<char, NI_MAXHOST> host{};
  if (::getnameinfo(address.get(), address.length, host.data(), host.size(), nullptr, 0, NI_NUMERICHOST) !=
      0) {
    return "?";
  }
  return host.data();
}

void check_local(const Address& address) {
  const int fd = ::socket(address.family(), SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) {
    throw RunError(
        fmt::format("cannot check the local address {} ({})", host_text(address), std::strerror(errno)));
  }
  const int error = ::bind(fd, address.get(), address.length) == 0 ? 0 : errno;
  ::close(fd);
  if (error != 0) {
    throw UsageError(
        fmt::format("{} cannot be bound to ({}): name addresses that this machine has, or add it with "
                    "`ip address add`",
                    host_text(address), std::strerror(error)));
  }
}

void append_range(const std::string& text, std::vector<Address>& to) {
  const std::size_t dash = text.find('-');
  AddressNumber number = parse_number(text.substr(0, dash), text);
  const AddressNumber last = dash == std::string::npos ? number : parse_number(text.substr(dash + 1), text);
  if (number.family != last.family) {
    throw UsageError(fmt::format("the range \"{}\" mixes IPv4 and IPv6: give one range for each", text));
  }
  if (last.bytes < number.bytes) {
    throw UsageError(fmt::format("the range \"{}\" is empty: its first address is above its last", text));
  }
  std::vector<Address> addresses;
  for (;; number.increment()) {
    if (addresses.size() == kLargestRange) {
      throw UsageError(fmt::format("the range \"{}\" holds more than {} addresses: give a smaller one", text,
                                   kLargestRange));
    }
    addresses.push_back(to_address(number));
    if (number == last) {
      break;
    }
  }
  std::for_each(addresses.begin(), addresses.end(), check_local);
  to.insert(to.end(), addresses.begin(), addresses.end());
}

}  // namespace

std::string Address::text() const {
  const std::uint16_t port = family() == AF_INET6
                                 ? ntohs(reinterpret_cast<const sockaddr_in6*>(&storage)->sin6_port)
                                 : ntohs(reinterpret_cast<const sockaddr_in*>(&storage)->sin_port);
  const std::string host = host_text(*this);
  return family() == AF_INET6 ? fmt::format("[{}]:{}", host, port) : fmt::format("{}:{}", host, port);
}

std::vector<Target> resolve_targets(const std::vector<std::string>& urls) {
  std::vector<Target> targets;
  targets.reserve(urls.size());
  for (const std::string& url : urls) {
    targets.push_back(parse_target(url));
    targets.back().address = resolve(targets.back());
  }
  return targets;
}

std::vector<Address> bind_addresses(const std::vector<std::string>& texts) {
  std::vector<Address> addresses;
  for (const std::string& text : texts) {
    append_range(text, addresses);
  }
  return addresses;
}

}  // namespace scalemark::web

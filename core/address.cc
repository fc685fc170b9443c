#include "core/address.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netdb.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <memory>

#include "core/error.h"
#include "core/units.h"

namespace scalemark {
namespace {

constexpr std::size_t kLargestRange = 65'536;

using AddressList = std::unique_ptr<addrinfo, decltype(&freeaddrinfo)>;

/// Puts the first address that getaddrinfo() finds into `address`. Returns its code, 0 for success.
int look_up(const std::string& host, std::uint16_t port, int flags, Address& address) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = flags | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const int code = ::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found);
  if (code != 0) {
    return code;
  }
  const AddressList list(found, &freeaddrinfo);
  std::memcpy(&address.storage, list->ai_addr, list->ai_addrlen);
  address.length = list->ai_addrlen;
  return 0;
}

// --- Ranges of local addresses ---------------------------------------------------------------------------

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

void check_local(const Address& address) {
  const int fd = ::socket(address.family(), SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) {
    throw RunError(
        fmt::format("cannot check the local address {} ({})", address.host(), std::strerror(errno)));
  }
  const int error = ::bind(fd, address.get(), address.length) == 0 ? 0 : errno;
  ::close(fd);
  if (error != 0) {
    throw UsageError(
        fmt::format("{} cannot be bound to ({}): name addresses that this machine has, or add it with "
                    "`ip address add`",
                    address.host(), std::strerror(error)));
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

std::string Address::host() const {
  std::array<char, NI_MAXHOST> host{};
  if (::getnameinfo(get(), length, host.data(), host.size(), nullptr, 0, NI_NUMERICHOST) != 0) {
    return "?";
  }
  return host.data();
}

std::uint16_t Address::port() const {
  return family() == AF_INET6 ? ntohs(reinterpret_cast<const sockaddr_in6*>(&storage)->sin6_port)
                              : ntohs(reinterpret_cast<const sockaddr_in*>(&storage)->sin_port);
}

std::string Address::text() const {
  return host_and_port(host(), port());
}

std::optional<HostPort> split_host_and_port(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) {
    return std::nullopt;
  }
  std::string_view host = text.substr(0, colon);
  const bool bracketed = host.size() >= 2 && host.front() == '[' && host.back() == ']';
  if (bracketed) {
    host = host.substr(1, host.size() - 2);
  }
  if (host.empty() || bracketed != (host.find(':') != std::string_view::npos)) {
    return std::nullopt;
  }
  const auto port = parse_count(text.substr(colon + 1), "port", 0, 65'535);
  return HostPort{std::string(host), static_cast<std::uint16_t>(port)};
}

std::string host_and_port(std::string_view host, std::uint16_t port) {
  const bool bracketed = host.find(':') != std::string_view::npos;
  return fmt::format("{}{}{}:{}", bracketed ? "[" : "", host, bracketed ? "]" : "", port);
}

std::optional<Address> numeric_address(const std::string& host, std::uint16_t port) {
  Address address;
  return look_up(host, port, AI_NUMERICHOST, address) == 0 ? std::optional(address) : std::nullopt;
}

Address resolve_address(const std::string& host, std::uint16_t port, std::string_view named_in) {
  Address address;
  int code = look_up(host, port, AI_NUMERICHOST, address);
  if (code == EAI_NONAME) {
    // A name. Address families that this machine has no address of would only lead to refused connections.
    code = look_up(host, port, AI_ADDRCONFIG, address);
  }
  if (code != 0) {
    throw RunError(
        fmt::format("the host \"{}\" of {} cannot be resolved ({}): check the name or give an address", host,
                    named_in, code == EAI_SYSTEM ? std::strerror(errno) : ::gai_strerror(code)));
  }
  return address;
}

std::vector<Address> bind_addresses(const std::vector<std::string>& texts) {
  std::vector<Address> addresses;
  for (const std::string& text : texts) {
    append_range(text, addresses);
  }
  return addresses;
}

}  // namespace scalemark

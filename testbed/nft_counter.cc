#include "testbed/nft_counter.h"

#include <endian.h>
#include <linux/netfilter.h>
#include <linux/netfilter/nf_tables.h>
#include <linux/netfilter/nfnetlink.h>
#include <linux/netlink.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/error.h"
#include "testbed/netns.h"

namespace scalemark::testbed {
namespace {

constexpr std::size_t kAttributeHead = sizeof(nlattr);

std::size_t padded(std::size_t length) {
  return (length + 3) / 4 * 4;
}

/// A netlink attribute: length and type, the value, and zeros up to the next multiple of four.
void append_attribute(std::string& message, std::uint16_t type, std::string_view value) {
  const nlattr head{static_cast<std::uint16_t>(kAttributeHead + value.size()), type};
  message.append(reinterpret_cast<const char*>(&head), sizeof head);
  message.append(value);
  message.append(padded(value.size()) - value.size(), '\0');
}

std::string question(const std::string& table, const std::string& name, std::uint8_t family,
                     std::uint32_t sequence) {
  std::string message(NLMSG_HDRLEN, '\0');
  const nfgenmsg general{family, NFNETLINK_V0, 0};
  message.append(reinterpret_cast<const char*>(&general), sizeof general);
  append_attribute(message, NFTA_OBJ_TABLE, {table.c_str(), table.size() + 1});
  append_attribute(message, NFTA_OBJ_NAME, {name.c_str(), name.size() + 1});
  const std::uint32_t type = htobe32(NFT_OBJECT_COUNTER);
  append_attribute(message, NFTA_OBJ_TYPE, {reinterpret_cast<const char*>(&type), sizeof type});
  nlmsghdr head{};
  head.nlmsg_len = static_cast<std::uint32_t>(message.size());
  head.nlmsg_type = NFNL_SUBSYS_NFTABLES << 8 | NFT_MSG_GETOBJ;
  head.nlmsg_flags = NLM_F_REQUEST;
  head.nlmsg_seq = sequence;
  std::memcpy(message.data(), &head, sizeof head);
  return message;
}

/// The value of the first attribute of that type; "" when there is none.
std::string_view attribute(std::string_view attributes, std::uint16_t type) {
  while (attributes.size() >= sizeof(nlattr)) {
    nlattr head{};
    std::memcpy(&head, attributes.data(), sizeof head);
    if (head.nla_len < sizeof head || head.nla_len > attributes.size()) {
      break;
    }
    if ((head.nla_type & NLA_TYPE_MASK) == type) {
      return attributes.substr(kAttributeHead, head.nla_len - kAttributeHead);
    }
    attributes.remove_prefix(std::min<std::size_t>(padded(head.nla_len), attributes.size()));
  }
  return {};
}

std::optional<std::uint64_t> packets_in(std::string_view message) {
  constexpr std::size_t kHeads = NLMSG_HDRLEN + sizeof(nfgenmsg);
  nlmsghdr head{};
  if (message.size() < kHeads) {
    return std::nullopt;
  }
  std::memcpy(&head, message.data(), sizeof head);
  if (head.nlmsg_type != (NFNL_SUBSYS_NFTABLES << 8 | NFT_MSG_NEWOBJ)) {
    return std::nullopt;  // an error: no such counter, or we may not ask
  }
  const std::string_view data = attribute(message.substr(kHeads), NFTA_OBJ_DATA);
  const std::string_view packets = attribute(data, NFTA_COUNTER_PACKETS);
  std::uint64_t number = 0;
  if (packets.size() != sizeof number) {
    return std::nullopt;
  }
  std::memcpy(&number, packets.data(), sizeof number);
  return be64toh(number);
}

}  // namespace

NftCounter::NftCounter(const std::string& netns, std::string table, std::string name)
    : table_(std::move(table)), name_(std::move(name)) {
  std::optional<NetnsVisit> visit;
  if (!netns.empty()) {
    visit.emplace(netns);
  }
  socket_ = ::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_NETFILTER);
  if (socket_ < 0) {
    throw RunError("cannot ask nftables for counters: " + std::generic_category().message(errno));
  }
  // The kernel answers within the call that asks; this is for a kernel that would not.
  const timeval patience{1, 0};
  ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
}

NftCounter::~NftCounter() {
  if (socket_ >= 0) {
    ::close(socket_);
  }
}

NftCounter::NftCounter(NftCounter&& other) noexcept
    : table_(std::move(other.table_)),
      name_(std::move(other.name_)),
      socket_(std::exchange(other.socket_, -1)),
      sequence_(other.sequence_) {}

std::optional<std::uint64_t> NftCounter::packets() {
  for (const std::uint8_t family : {NFPROTO_NETDEV, NFPROTO_IPV4}) {
    if (const auto count = ask(family)) {
      return count;
    }
  }
  return std::nullopt;
}

std::optional<std::uint64_t> NftCounter::ask(std::uint8_t family) {
  const std::uint32_t sequence = ++sequence_;
  const std::string message = question(table_, name_, family, sequence);
  if (::send(socket_, message.data(), message.size(), 0) != static_cast<ssize_t>(message.size())) {
    return std::nullopt;
  }
  alignas(nlmsghdr) std::array<char, 8192> answer{};
  while (true) {
    const ssize_t got = ::recv(socket_, answer.data(), answer.size(), 0);
    if (got < static_cast<ssize_t>(sizeof(nlmsghdr))) {
      return std::nullopt;
    }
    nlmsghdr head{};
    std::memcpy(&head, answer.data(), sizeof head);
    if (head.nlmsg_seq == sequence) {  // else the late answer to an earlier question
      return packets_in({answer.data(), static_cast<std::size_t>(got)});
    }
  }
}

}  // namespace scalemark::testbed

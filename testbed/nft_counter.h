// A named counter of nftables, asked for over netlink: that costs microseconds, where starting the nft
// program would cost milliseconds of a processor that a measurement is using. Belongs to one
// thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace scalemark::testbed {

class NftCounter {
 public:
  /// The counter `name` of the table `table`, of family netdev or ip, in that network namespace ("" the
  /// caller's). It need not exist yet. Throws RunError when there is no such namespace or no socket to be
  /// had.
  NftCounter(const std::string& netns, std::string table, std::string name);
  ~NftCounter();
  NftCounter(NftCounter&& other) noexcept;
  NftCounter(const NftCounter&) = delete;
  NftCounter& operator=(const NftCounter&) = delete;
  NftCounter& operator=(NftCounter&&) = delete;

  /// Packets counted so far; none while there is no such counter or we may not see it.
  [[nodiscard]] std::optional<std::uint64_t> packets();

 private:
  [[nodiscard]] std::optional<std::uint64_t> ask(std::uint8_t family);

  std::string table_;
  std::string name_;
  int socket_ = -1;
  std::uint32_t sequence_ = 0;
};

}  // namespace scalemark::testbed

#include "mail_bench/pop3_list.h"

#include <algorithm>

namespace scalemark::mail {
namespace {

// A user's mailbox holds a few messages; what a fuller one took is given back.
constexpr std::size_t kKeptEntries = 1024;

}  // namespace

void Pop3List::begin(std::uint32_t most) {
  most_ = most == 0 ? kMost : most;
  listed_ = 0;
  wanted_ = 0;
  next_ = 0;
  entries_.clear();
  names_.clear();
  if (entries_.capacity() > kKeptEntries) {
    entries_.shrink_to_fit();
    names_.shrink_to_fit();
  }
}

bool Pop3List::add(const Message& message) {
  if (wanted_ < most_) {
    entries_.push_back({message.number, static_cast<std::uint32_t>(message.uid.size()), names_.size()});
    names_ += message.uid;
    ++wanted_;
  }
  return ++listed_ <= kMost;
}

bool Pop3List::add_numbered(std::uint32_t count) {
  listed_ = count;
  wanted_ = std::min(count, most_);
  return count <= kMost;
}

Pop3List::Message Pop3List::next() {
  const std::uint32_t at = next_++;
  if (entries_.empty()) {
    return {at + 1, {}};
  }
  const Entry& entry = entries_[at];
  return {entry.number, std::string_view(names_).substr(entry.uid_at, entry.uid_size)};
}

}  // namespace scalemark::mail

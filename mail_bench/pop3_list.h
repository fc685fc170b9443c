// The messages of a mailbox that a session is to work on, as the server listed them.
//
// Keeps its memory from session to session, unless it was a lot. Belongs to one thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace scalemark::mail {

class Pop3List {
 public:
  /// No server is believed that lists more.
  static constexpr std::uint32_t kMost = 1'000'000;

  struct Message {
    std::uint32_t number = 0;
    std::string_view uid;  ///< "" when the server has none
  };

  /// Begins a list of which at most `most` messages are worked on (0: all).
  void begin(std::uint32_t most);
  /// Takes the next message. False when there are too many.
  bool add(const Message& message);
  /// Messages 1 to `count`, without names. False when there are too many.
  bool add_numbered(std::uint32_t count);

  /// How many were listed, whether they are worked on or not.
  [[nodiscard]] std::uint32_t listed() const { return listed_; }
  /// Whether all that is to be worked on was taken by next().
  [[nodiscard]] bool done() const { return next_ == wanted_; }
  /// The message after the last one. The view is valid until begin().
  [[nodiscard]] Message next();

 private:
  struct Entry {
    std::uint32_t number = 0;
    std::uint32_t uid_size = 0;
    std::size_t uid_at = 0;  // in names_
  };

  std::uint32_t most_ = kMost;
  std::uint32_t listed_ = 0;
  std::uint32_t wanted_ = 0;
  std::uint32_t next_ = 0;
  std::vector<Entry> entries_;  // none when messages have no names
  std::string names_;           // one after the other
};

}  // namespace scalemark::mail

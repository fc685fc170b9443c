// The messages that a mail run sends, and how one is known again when it comes back.
//
// Every message says in its own text who it is: run, number, sender, recipient, when it was sent, how long
// its payload is and what its digest should be. Servers add lines of their own at the head, so nothing but
// the payload between the two marks is held against the digest. Texts are in wire form: lines end in CRLF, no
// lone CR or LF, the last line is ended. Not stuffed: that is the protocol's business. Pure; thread-safe.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace scalemark::filesets {

/// What a message's payload is: lines in wire form, with the digest that every copy of it must have.
/// Immutable once made, shared by all messages that carry it.
struct MailPayload {
  std::string text;          ///< whole lines, each ended by CRLF
  std::uint64_t digest = 0;  ///< mail_digest(text)
};

/// XXH3, 64 bits (xxHash): tells an accident, not an attack.
[[nodiscard]] std::uint64_t mail_digest(std::string_view text);

/// Who a message is. `run` is drawn anew for each run, so that what an earlier run left behind is known.
struct MailIdentity {
  std::uint64_t run = 0;
  std::uint64_t number = 0;  ///< within the run, unique over all its threads
  friend bool operator==(const MailIdentity&, const MailIdentity&) = default;
};

/// What is written at a message's head. No text may hold blanks or control characters.
struct MailFacts {
  MailIdentity identity;
  std::string_view sender;     ///< "user0001@example.test"
  std::string_view recipient;  ///< likewise
  std::string_view node;       ///< where it should arrive; "" unknown
  std::int64_t sent_unix_ms = 0;
};

/// Appends the whole message to `to`: head, empty line, begin mark, payload, end mark.
void append_message(std::string& to, const MailFacts& facts, const MailPayload& payload);

/// Bytes that append_message() adds to the payload: what a size on the command line is reduced by. The begin
/// mark is lengthened until this is exact, unless addresses and node are longer than usual.
inline constexpr std::size_t kMailOverhead = 512;

/// What a fetched text turned out to be.
enum class MailCondition : std::uint8_t {
  sound,      ///< ours, and the payload has the length and digest that its head states
  corrupt,    ///< ours, but the payload differs
  truncated,  ///< ours, but it ends before its end mark
  foreign,    ///< not made by scalemark, or what its head says of it has suffered
};

/// A fetched message, read. Views point into the text that was read.
struct MailReading {
  MailCondition condition = MailCondition::foreign;
  MailIdentity identity;       ///< zero when foreign
  std::string_view recipient;  ///< whom it was sent to; "" when foreign
  std::string_view node;       ///< where it should have arrived; "" unknown
  std::string_view seen_node;  ///< the host after "by" in the topmost Received line; "" when there is none
};

/// Reads a fetched text in wire form, un-stuffed, without the final dot. Lines that servers add at the head,
/// and empty lines after the end mark, do not matter.
[[nodiscard]] MailReading read_message(std::string_view text);

}  // namespace scalemark::filesets

// The mailboxes of the built-in mail sink.
//
// A mailbox comes into being when it is first named. Its messages stand in the order of their delivery. One
// session at a time has it open and sees the messages that were visible when it began, no others; what it
// marks for deletion goes when it commits, and stays when it just ends. Pure: told the time. Belongs to one
// thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/clock.h"
#include "testbed/mail_text.h"

namespace scalemark::testbed {

/// A message in a mailbox.
struct KeptMail {
  std::shared_ptr<const MailText> text;
  std::uint64_t number = 0;  ///< unlike that of any other delivery to this store
  TimePoint visible_at{};
};

struct Mailbox {
  std::deque<KeptMail> mails;  ///< in the order of visible_at
  bool open = false;
};

/// A mailbox that is open. The store must outlive it.
class MailboxSession {
 public:
  /// Mails from the front of the mailbox, which has no other session.
  MailboxSession(Mailbox& mailbox, std::size_t mails);
  ~MailboxSession();
  MailboxSession(const MailboxSession&) = delete;
  MailboxSession& operator=(const MailboxSession&) = delete;

  [[nodiscard]] std::size_t size() const { return marked_.size(); }
  /// By its place from 0, marked or not.
  [[nodiscard]] const KeptMail& mail(std::size_t place) const { return mailbox_.mails[place]; }
  [[nodiscard]] bool marked(std::size_t place) const { return marked_[place]; }
  void mark(std::size_t place) { marked_[place] = true; }
  void unmark_all();

  /// How many are not marked, and their octets together.
  [[nodiscard]] std::pair<std::size_t, std::uint64_t> unmarked() const;
  /// Takes the marked mails out of the mailbox and returns them. The session is at its end then.
  std::vector<KeptMail> commit();

 private:
  Mailbox& mailbox_;
  std::vector<bool> marked_;
};

class MailStore {
 public:
  /// A delivered message can be seen by sessions that begin so much later.
  explicit MailStore(Duration visible_after) : visible_after_(visible_after) {}
  MailStore(const MailStore&) = delete;
  MailStore& operator=(const MailStore&) = delete;

  /// Returns the delivery's number. `now` never goes back.
  std::uint64_t deliver(std::string_view mailbox, std::shared_ptr<const MailText> text, TimePoint now);
  /// Null while another session has the mailbox open.
  [[nodiscard]] std::unique_ptr<MailboxSession> open(std::string_view mailbox, TimePoint now);
  /// Messages in all mailboxes, visible or not.
  [[nodiscard]] std::uint64_t kept() const;

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  Mailbox& mailbox(std::string_view name);

  Duration visible_after_;
  std::unordered_map<std::string, Mailbox, Hash, std::equal_to<>> mailboxes_;
  std::uint64_t deliveries_ = 0;
};

/// The mailbox of an address: addresses that differ in upper and lower case only have the same.
[[nodiscard]] std::string mailbox_name(std::string_view address);

}  // namespace scalemark::testbed

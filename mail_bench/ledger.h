// Every message accounted for: the books of one user's messages, and the classes that they end in.
//
// A message is entered when its sending begins and stands in exactly one class at the end; the classes add up
// to the messages planned. Pure: facts in, books out; told the time. One ledger belongs to one thread; the
// sums of several are merged afterwards, which is commutative and associative.
//
// Two things are known only after a message was settled, and move it to another class in the sums: a second
// copy (from verified or reply_lost to duplicate, which a Settled that `corrects` reports), and that it lay
// in another user's mailbox (from lost and the like to wrong_mailbox, when the sums of the two are merged).
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/clock.h"
#include "filesets/mail_message.h"
#include "mail_bench/ledger_sums.h"
#include "mail_bench/pop3_session.h"
#include "mail_bench/smtp_session.h"

namespace scalemark::mail {

/// What a ledger tells its user at an instant that matters to the books in time.
struct Settled {
  std::uint64_t number = 0;
  MessageClass what = MessageClass::verified;
  TimePoint begun{};  ///< when sending began, or was planned to
  TimePoint at{};     ///< when it was known
  /// Takes back what was reported for this number before, with the same `begun` and `at`: `was` turned out to
  /// be `what`. It is to be booked where the first report was.
  bool corrects = false;
  MessageClass was = MessageClass::verified;
};

/// The messages of one user.
class Ledger {
 public:
  /// The views must outlive the ledger.
  struct Setup {
    std::uint64_t run = 0;
    std::string_view recipient;  ///< the user's own address
    std::string_view node;       ///< where its mailbox should be, with or without domain; "" unknown
    Duration visible_limit = std::chrono::seconds(60);
  };
  explicit Ledger(const Setup& setup);

  /// A message's sending begins. No number twice.
  void plan(std::uint64_t number, TimePoint begun);
  /// SMTP is done with it. Returns what that settles, if it does.
  std::vector<Settled> sent(std::uint64_t number, const SmtpResult& result);

  struct Sight {
    bool erase = true;   ///< delete it from the mailbox
    bool first = false;  ///< one of ours, of this run, for the first time
    Duration hidden{};   ///< from the accepted reply to when it was seen; of first sights with a reply
    bool has_hidden = false;
  };
  /// POP3 fetched something.
  Sight fetched(const Fetched& message);
  /// The session in which fetched() was called is over; also to be told of sessions that fetched nothing. Its
  /// deletions hold when QUIT was answered by +OK; when fewer were answered than asked for, the first ones.
  std::vector<Settled> session_ended(const Pop3Result& result);
  /// The user may not log in: what it still waits for is settled, as login_refused unless it is known better.
  std::vector<Settled> give_up(TimePoint now);
  /// The drain is over: what is still open gets its final class (unsettled when the run was cut off).
  std::vector<Settled> close(TimePoint now, bool cut_off);

  /// Messages accepted (or perhaps accepted) and not settled.
  [[nodiscard]] std::size_t under_way() const;
  [[nodiscard]] const LedgerSums& sums() const { return sums_; }

 private:
  /// A message that is not settled.
  struct Entry {
    TimePoint begun{};
    TimePoint accepted{};     ///< when SMTP was done with it
    bool has_reply = false;   ///< SMTP said 250
    bool unknown = false;     ///< SMTP ended without saying
    bool seen = false;        ///< fetched at least once
    bool in_session = false;  ///< fetched in the session that goes on
    bool committed = false;   ///< its deletion holds; SMTP is not done with it yet
    bool bad = false;         ///< `verdict` says how
    MessageClass verdict = MessageClass::verified;
    std::string uid{};
    std::string node{};  ///< that its trace names

    [[nodiscard]] bool sending() const { return !has_reply && !unknown; }
    void find_bad(MessageClass how);
  };
  /// A message that was settled well and of which a second copy may come.
  struct Done {
    Settled settled;
    std::string uid;
    std::string node;
  };

  void see(Entry& entry, const Fetched& message, const filesets::MailReading& reading, Sight& sight);
  void see_settled(std::uint64_t number, std::string_view uid);
  Settled settle(std::uint64_t number, MessageClass what, TimePoint at);
  [[nodiscard]] MessageClass final_class(const Entry& entry, bool cut_off) const;
  std::vector<Settled> settle_open(TimePoint now, bool cut_off, bool with_sending);

  Setup setup_;
  LedgerSums sums_;
  std::unordered_map<std::uint64_t, Entry> open_;
  std::size_t sending_ = 0;                            ///< of the open ones
  std::vector<std::optional<std::uint64_t>> session_;  ///< what this session fetched; nothing: none of ours
  std::deque<Done> done_;                              ///< the most recent ones
  std::vector<Settled> corrections_;                   ///< to be reported when the session is over
  Pop3Refusal last_refusal_ = Pop3Refusal::none;
  Outcome last_session_ = Outcome::good;
};

}  // namespace scalemark::mail

// A ledger with a mailbox server played beside it: short ways to send, fetch and quit at seconds of one's
// own.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mail_bench/ledger.h"

namespace scalemark::mail {

inline TimePoint second(int seconds) {
  return TimePoint{} + std::chrono::seconds(seconds);
}

inline std::uint64_t count(const LedgerSums& sums, MessageClass what) {
  return sums.classes.at(static_cast<std::size_t>(what));
}

/// A message as it comes out of a mailbox.
struct Letter {
  std::uint64_t number = 0;
  std::string uid = "uid";
  std::uint64_t run = 7;
  std::string recipient = "user1@example.test";
  std::string by{};  ///< node that its trace names; "" no trace
  bool corrupt = false;
  bool truncated = false;

  [[nodiscard]] std::string text() const {
    const std::string payload = "some words\r\n.\r\n";
    std::string text = by.empty() ? "" : "Received: from front by " + by + " with LMTP; today\r\n";
    filesets::append_message(text,
                             {.identity = {run, number},
                              .sender = recipient,
                              .recipient = recipient,
                              .node = "",
                              .sent_unix_ms = 0},
                             {payload, filesets::mail_digest(payload)});
    if (corrupt) {
      text.replace(text.find("words"), 5, "sword");
    }
    return truncated ? text.substr(0, text.find("words")) : text;
  }
};

inline SmtpResult accepted(TimePoint at) {
  SmtpResult result;
  result.code = 250;
  result.ended = at;
  return result;
}

inline SmtpResult failed(Outcome outcome, int code, TimePoint at) {
  SmtpResult result;
  result.outcome = outcome;
  result.code = code;
  result.ended = at;
  return result;
}

/// Time or connection ended after the final dot.
inline SmtpResult unanswered(TimePoint at, Outcome outcome = Outcome::read_timeout) {
  SmtpResult result = failed(outcome, 0, at);
  result.unknown = true;
  return result;
}

/// A session that ended in this way, with nothing committed.
inline Pop3Result broken(Outcome outcome, TimePoint at, Pop3Refusal refusal = Pop3Refusal::none) {
  Pop3Result result;
  result.outcome = outcome;
  result.refusal = refusal;
  result.ended = at;
  return result;
}

/// A session that deleted so many and whose QUIT was answered.
inline Pop3Result good_quit(std::uint32_t deleted, TimePoint at) {
  Pop3Result result;
  result.deleted = deleted;
  result.committed = true;
  result.ended = at;
  return result;
}

class LedgerRig {
 public:
  explicit LedgerRig(const std::string_view node = "")
      : ledger({.run = 7,
                .recipient = "user1@example.test",
                .node = node,
                .visible_limit = std::chrono::seconds(60)}) {}

  /// Sends and is answered by 250 a second later.
  void send(std::uint64_t number, int at = 0) {
    ledger.plan(number, second(at));
    EXPECT_TRUE(ledger.sent(number, accepted(second(at + 1))).empty());
  }
  /// Sends and is not answered.
  void send_unanswered(std::uint64_t number, int at = 0) {
    ledger.plan(number, second(at));
    EXPECT_TRUE(ledger.sent(number, unanswered(second(at + 1))).empty());
  }
  Ledger::Sight fetch(const Letter& letter, int at = 2) {
    const std::string text = letter.text();
    return ledger.fetched({.uid = letter.uid, .text = text, .seen = second(at), .whole = second(at)});
  }
  /// A session that fetches these and commits.
  std::vector<Settled> session(const std::vector<Letter>& letters, int at = 2) {
    for (const Letter& letter : letters) {
      fetch(letter, at);
    }
    return ledger.session_ended(good_quit(static_cast<std::uint32_t>(letters.size()), second(at + 1)));
  }
  /// A session that fetches these and is cut off before QUIT's reply.
  std::vector<Settled> broken_session(const std::vector<Letter>& letters, int at = 2) {
    for (const Letter& letter : letters) {
      fetch(letter, at);
    }
    Pop3Result result = broken(Outcome::closed_early, second(at + 1));
    result.deleted = static_cast<std::uint32_t>(letters.size());
    return ledger.session_ended(result);
  }
  /// Closes the books; the class of the only message.
  MessageClass only_class() {
    ledger.close(second(100), false);
    EXPECT_TRUE(ledger.sums().adds_up());
    EXPECT_EQ(ledger.sums().planned, 1U);
    const auto& classes = ledger.sums().classes;
    const auto one = std::find(classes.begin(), classes.end(), 1U);
    EXPECT_NE(one, classes.end());
    return static_cast<MessageClass>(one - classes.begin());
  }
  [[nodiscard]] const LedgerSums& sums() const { return ledger.sums(); }

  Ledger ledger;
};

}  // namespace scalemark::mail

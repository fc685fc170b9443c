// Books of a mail run in which nothing went wrong, for tests of what is made of them.
#pragma once

#include "mail_bench/figures.h"
#include "mail_bench/judge.h"

namespace scalemark::mail {

/// Ten users over a window of ten seconds: a hundred messages, each delivered, fetched and committed.
struct Books {
  static constexpr std::uint64_t kMessages = 100;

  MailPlan plan;
  Tally tally;

  Books() {
    plan.users = 10;
    plan.phases = {.ramp_up = {}, .warm_up = {}, .window = std::chrono::seconds(10), .ramp_down = {}};
    tally.window_length = plan.phases.window;
    for (Accounting* books : {&tally.window, &tally.run, &tally.smtp.window, &tally.smtp.run,
                              &tally.pop3.window, &tally.pop3.run}) {
      books->issued = kMessages;
      books->ended[index_of(Outcome::good)] = kMessages;
    }
    tally.pop3.window_retrieved = kMessages;
    tally.pop3.run_retrieved = kMessages;
    tally.ledger.planned = kMessages;
    class_count(MessageClass::verified) = kMessages;
    tally.threads.push_back({0, 1.0, 0.1});
  }

  std::uint64_t& class_count(MessageClass what) {
    return tally.ledger.classes.at(static_cast<std::size_t>(what));
  }
  /// So many messages end as `what` instead of well, within the window or only later.
  void spoil(MessageClass what, std::uint64_t count, bool in_window = true) {
    class_count(MessageClass::verified) -= count;
    class_count(what) += count;
    const std::size_t outcome = index_of(outcome_of(what));
    tally.run.ended[index_of(Outcome::good)] -= count;
    tally.run.ended.at(outcome) += count;
    tally.window.ended[index_of(Outcome::good)] -= count;
    if (in_window) {
      tally.window.ended.at(outcome) += count;
    } else {
      tally.window.unfinished += count;
    }
  }
  /// Nothing is done at all.
  void empty() {
    const auto threads = tally.threads;
    tally = {};
    tally.threads = threads;
    tally.window_length = plan.phases.window;
  }

  [[nodiscard]] Schedule schedule() const { return Schedule::plan(plan.phases, true, TimePoint{}); }
  [[nodiscard]] IterationFigures figures(std::uint32_t number = 1) const {
    return figures_of(tally, plan, schedule(), number);
  }
  [[nodiscard]] Verdict verdict() const { return judge_run({figures()}, plan, false); }
};

}  // namespace scalemark::mail

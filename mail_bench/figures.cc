#include "mail_bench/figures.h"

#include <algorithm>
#include <utility>

#include "mail_bench/judge.h"

namespace scalemark::mail {
namespace {

/// Unfinished operations that the record lists.
constexpr std::size_t kMostListed = 20;

void enter_rates(IterationFigures& figures, const MailPlan& plan) {
  const auto per_hour = [&figures](std::uint64_t count) {
    return static_cast<double>(count) * 3600 / figures.window_seconds;
  };
  figures.smtp_per_hour = per_hour(figures.smtp.window.good());
  figures.pop3_per_hour = per_hour(figures.pop3.window_retrieved);
  figures.operations_per_hour = plan.pairing == Pairing::message
                                    ? per_hour(figures.window.good())
                                    : std::min(figures.smtp_per_hour, figures.pop3_per_hour);
}

}  // namespace

IterationFigures figures_of(const Tally& tally, const MailPlan& plan, const Schedule& schedule,
                            std::uint32_t number, std::vector<std::string> generator_faults) {
  IterationFigures figures;
  figures.number = number;
  const Duration window = tally.window_length == Duration::max() ? Duration::zero() : tally.window_length;
  figures.partial = window < plan.phases.window;
  figures.window_seconds = to_seconds(window);
  figures.opened = schedule.open;
  figures.closed = schedule.open + window;
  figures.users = plan.users;
  figures.window = tally.window;
  figures.run = tally.run;
  figures.smtp = tally.smtp;
  figures.pop3 = tally.pop3;
  figures.ledger = tally.ledger;
  figures.steps = tally.steps;
  figures.users_refused = tally.users_refused;
  figures.unfinished = oldest(tally.unfinished, kMostListed);
  figures.generator.lag = tally.lag;
  figures.generator.late_timers = tally.late_timers;
  figures.generator.threads = tally.threads;
  figures.series = series_of(tally.seconds, schedule);
  if (window > Duration::zero()) {
    enter_rates(figures, plan);
    figures.generator.lateness_share =
        to_seconds(tally.lag_sum) / (figures.window_seconds * static_cast<double>(plan.users));
  }
  figures.findings.broken = std::move(generator_faults);
  figures.findings.add(findings_of(figures, plan));
  return figures;
}

}  // namespace scalemark::mail

#include "tests/mail_bench/crowd_rig.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace scalemark::mail {

void MemoryMail::send(LocalUser user, const Envelope& envelope) {
  note(Call::Kind::send, user);
  if (answers) {
    due_.emplace(clock_.now() + smtp_time,
                 std::pair{user, [this, user, begun = clock_.now(), text = std::string(envelope.text)] {
                             end_sent(user, begun, text);
                           }});
  }
}

void MemoryMail::collect(LocalUser user, std::uint32_t most) {
  note(Call::Kind::collect, user);
  if (answers) {
    due_.emplace(clock_.now() + pop3_time, std::pair{user, [this, user, begun = clock_.now(), most] {
                                                       end_collected(user, begun, most);
                                                     }});
  }
}

void MemoryMail::drop(LocalUser user) {
  note(Call::Kind::drop, user);
  std::erase_if(due_, [user](const auto& entry) { return entry.second.first == user; });
}

TimePoint MemoryMail::next() const {
  return due_.empty() ? TimePoint::max() : due_.begin()->first;
}

void MemoryMail::play() {
  while (!due_.empty() && due_.begin()->first <= clock_.now()) {
    const auto end = std::move(due_.begin()->second.second);
    due_.erase(due_.begin());
    end();
  }
}

std::size_t MemoryMail::count(Call::Kind kind) const {
  return static_cast<std::size_t>(
      std::count_if(calls.begin(), calls.end(), [kind](const Call& call) { return call.kind == kind; }));
}

void MemoryMail::end_sent(LocalUser user, TimePoint begun, const std::string& text) {
  SmtpResult result;
  result.code = 250;
  result.begun = begun;
  result.ended = clock_.now();
  result.sent_bytes = text.size();
  if (change_sent) {
    change_sent(user, result);
  }
  if (result.outcome == Outcome::good || result.unknown) {
    Stored stored{fmt::format("uid{}", ++stored_), text, clock_.now() + hidden};
    if (!deliver || deliver(stored)) {
      mailboxes[user].push_back(std::move(stored));
    }
  }
  events_->on_sent(user, result);
}

void MemoryMail::end_collected(LocalUser user, TimePoint begun, std::uint32_t most) {
  Pop3Result result;
  result.committed = true;
  result.begun = begun;
  result.ended = clock_.now();
  if (change_collected) {
    change_collected(user, result);
  }
  auto& mailbox = mailboxes[user];
  std::vector<Stored> kept;
  if (result.refusal == Pop3Refusal::none) {
    for (Stored& stored : mailbox) {
      const bool visible = stored.visible <= clock_.now();
      result.listed += visible ? 1U : 0U;
      const bool fetch = visible && (most == 0 || result.fetched < most);
      if (fetch) {
        ++result.fetched;
        result.received_bytes += stored.text.size();
        if (events_->on_fetched(user, {stored.uid, stored.text, clock_.now(), clock_.now()})) {
          ++result.deleted;
          if (result.committed) {
            continue;
          }
        }
      }
      kept.push_back(std::move(stored));
    }
    mailbox = std::move(kept);
  }
  events_->on_collected(user, result);
}

CrowdRig::CrowdRig() {
  using namespace std::chrono_literals;
  plan.users = 1;
  plan.phases = {0s, 0s, 10s, 0s};
  plan.drain = 5s;
  plan.failure_pause = 250ms;
}

void CrowdRig::begin() {
  for (std::uint32_t i = 0; i < plan.users; ++i) {
    const std::string name = fmt::format("user{}@example.test", i);
    accounts.push_back({name, name, "secret", ""});
  }
  corpus = std::make_unique<filesets::MailCorpus>(plan.sizes, plan.seed);
  crowd = std::make_unique<Crowd>(
      Crowd::Setup{plan, *corpus, accounts, 4711, UserShare{0, 1, plan.users}, 1, clock});
  transport.attach(*crowd);
  crowd->attach(transport);
  crowd->begin(Schedule::plan(plan.phases, true, clock.now()));
}

void CrowdRig::run_until(Duration at) {
  const TimePoint end = TimePoint{} + at;
  while (!crowd->done()) {
    const TimePoint next = std::min(transport.next(), crowd->next_due());
    if (next > end) {
      break;
    }
    clock.set(std::max(next, clock.now()));
    transport.play();
    crowd->wake();
  }
  clock.set(std::max(end, clock.now()));
  crowd->settle_phase(clock.now());
}

void CrowdRig::run() {
  using namespace std::chrono_literals;
  run_until(crowd->drain_end() - TimePoint{} + 1s);
}

}  // namespace scalemark::mail

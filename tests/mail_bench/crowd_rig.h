// A crowd of mail users on a manual clock, over a transport that plays SMTP and POP3 in memory.
//
// Deliveries and sessions take the times that a test sets; what they answer can be changed per call. Messages
// are real texts, so that what is fetched is read and verified as in a run.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/clock.h"
#include "filesets/mail_corpus.h"
#include "mail_bench/crowd.h"

namespace scalemark::mail {

class MemoryMail final : public Transport {
 public:
  struct Stored {
    std::string uid;
    std::string text;
    TimePoint visible{};
  };
  struct Call {
    enum class Kind : std::uint8_t { send, hang_up, collect, drop } kind;
    LocalUser user;
    TimePoint at{};
  };

  explicit MemoryMail(ManualClock& clock) : clock_(clock) {}

  void attach(TransportEvents& events) { events_ = &events; }
  void send(LocalUser user, const Envelope& envelope) override;
  void hang_up(LocalUser user) override { note(Call::Kind::hang_up, user); }
  void collect(LocalUser user, std::uint32_t most) override;
  void sweep(TimePoint /*now*/) override {}
  void drop(LocalUser user) override;

  /// When something ends next; TimePoint::max() when nothing is under way.
  [[nodiscard]] TimePoint next() const;
  /// Ends what ends at the clock's instant.
  void play();

  [[nodiscard]] std::size_t count(Call::Kind kind) const;

  Duration smtp_time = std::chrono::milliseconds(10);
  Duration pop3_time = std::chrono::milliseconds(10);
  Duration hidden{};    ///< from the accepted reply to when a message can be fetched
  bool answers = true;  ///< false: what is begun never ends
  std::function<void(LocalUser, SmtpResult&)> change_sent;       ///< may be empty
  std::function<void(LocalUser, Pop3Result&)> change_collected;  ///< may be empty; decides before fetching
  std::function<bool(Stored&)> deliver;  ///< may be empty; false: the message vanishes
  std::map<LocalUser, std::vector<Stored>> mailboxes;
  std::vector<Call> calls;

 private:
  void note(Call::Kind kind, LocalUser user) { calls.push_back({kind, user, clock_.now()}); }
  void end_sent(LocalUser user, TimePoint begun, const std::string& text);
  void end_collected(LocalUser user, TimePoint begun, std::uint32_t most);

  ManualClock& clock_;
  TransportEvents* events_ = nullptr;
  std::multimap<TimePoint, std::pair<LocalUser, std::function<void()>>> due_;
  std::uint64_t stored_ = 0;
};

/// A crowd of `plan.users` users over MemoryMail. Change plan and transport, then begin().
struct CrowdRig {
  CrowdRig();
  void begin();
  void run_until(Duration at);
  /// To the end of the drain.
  void run();
  [[nodiscard]] Tally& tally() { return crowd->tally(); }

  ManualClock clock;
  MailPlan plan;
  MemoryMail transport{clock};
  std::vector<Account> accounts;
  std::unique_ptr<filesets::MailCorpus> corpus;
  std::unique_ptr<Crowd> crowd;
};

}  // namespace scalemark::mail

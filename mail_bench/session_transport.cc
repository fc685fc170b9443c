#include "mail_bench/transport.h"

namespace scalemark::mail {
namespace {

/// The two sessions of one user, and who they belong to.
class UserSessions final : private SmtpEvents, private Pop3Events {
 public:
  UserSessions(const SessionNeeds& needs, LocalUser number)
      : number_(number),
        account_(needs.accounts[needs.share.global(number)]),
        events_(needs.events),
        smtp_({needs.loop, needs.clock, needs.smtp, peer_of(needs.smtp_peers, needs, number),
               source_of(needs, number), *this, needs.events}),
        pop3_({needs.loop, needs.clock, needs.pop3, peer_of(needs.pop3_peers, needs, number),
               source_of(needs, number), *this, needs.events}) {}

  void send(const Envelope& envelope) {
    if (parting_) {
      smtp_.abandon();  // the peer has not answered QUIT yet; a new connection is not kept waiting for it
      parting_ = false;
    }
    smtp_.send(envelope, {account_.login, account_.password});
  }
  void hang_up() {
    parting_ = smtp_.connected();
    smtp_.quit();
  }
  void collect(std::uint32_t most) {
    pop3_.begin(Pop3Session::Work::collect, {account_.login, account_.password}, most);
  }
  void sweep(TimePoint now) {
    smtp_.sweep(now);
    pop3_.sweep(now);
  }
  void drop() {
    parting_ = false;
    smtp_.abandon();
    pop3_.abandon();
  }

 private:
  static Stream::Peer peer_of(const std::vector<Stream::Peer>& peers, const SessionNeeds& needs,
                              LocalUser number) {
    return peers[needs.share.global(number) % peers.size()];
  }
  static const Address* source_of(const SessionNeeds& needs, LocalUser number) {
    return needs.bind.empty() ? nullptr : &needs.bind[needs.share.global(number) % needs.bind.size()];
  }

  void on_smtp_end(const SmtpResult& result) override { events_.on_sent(number_, result); }
  void on_smtp_closed() override { parting_ = false; }
  bool on_fetched(const Fetched& message) override { return events_.on_fetched(number_, message); }
  void on_pop3_end(const Pop3Result& result) override { events_.on_collected(number_, result); }

  LocalUser number_;
  const Account& account_;
  TransportEvents& events_;
  SmtpSession smtp_;
  Pop3Session pop3_;
  bool parting_ = false;  // QUIT was said and not answered yet
};

class SessionTransport final : public Transport {
 public:
  explicit SessionTransport(const SessionNeeds& needs) {
    users_.reserve(needs.share.count());
    for (LocalUser number = 0; number < needs.share.count(); ++number) {
      users_.push_back(std::make_unique<UserSessions>(needs, number));
    }
  }

  void send(LocalUser user, const Envelope& envelope) override { users_[user]->send(envelope); }
  void hang_up(LocalUser user) override { users_[user]->hang_up(); }
  void collect(LocalUser user, std::uint32_t most) override { users_[user]->collect(most); }
  void sweep(TimePoint now) override {
    for (const auto& user : users_) {
      user->sweep(now);
    }
  }
  void drop(LocalUser user) override { users_[user]->drop(); }

 private:
  std::vector<std::unique_ptr<UserSessions>> users_;  // sessions stay where they are
};

}  // namespace

std::unique_ptr<Transport> make_transport(const SessionNeeds& needs) {
  return std::make_unique<SessionTransport>(needs);
}

}  // namespace scalemark::mail

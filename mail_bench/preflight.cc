#include "mail_bench/preflight.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include "core/error.h"
#include "core/event_loop.h"
#include "core/machine_checks.h"

namespace scalemark::mail {
namespace {

using Level = PreflightFinding::Level;

/// One SMTP connection and one POP3 connection, and for a moment the one before.
constexpr std::uint64_t kDescriptorsPerUser = 3;

std::vector<Stream::Peer> peers_of(const std::vector<std::string>& texts, const std::string& option) {
  std::vector<Stream::Peer> peers;
  for (const std::string& text : texts) {
    const auto place = split_host_and_port(text);
    if (!place) {
      throw UsageError(
          fmt::format("{}: '{}' is no HOST:PORT (an IPv6 address stands in brackets)", option, text));
    }
    peers.push_back({resolve_address(place->host, place->port, option), place->host});
  }
  return peers;
}

/// Whether a server greets: connects, waits for the first bytes, and hangs up.
class Greeting final : private StreamEvents {
 public:
  Greeting(const Stream::Peer& peer, const Address* from, bool secret, Duration patience,
           const std::atomic<bool>* stop)
      : secret_(secret), stop_(stop), stream_(loop_.base(), *this), timer_(loop_, [this] { look(); }) {
    deadline_ = clock_.now() + patience;
    stream_.connect(peer, from);
    timer_.set(kLook);
    loop_.run();
    stream_.close();
  }

  /// What is wrong, in words; nothing when it greeted.
  [[nodiscard]] std::optional<std::string> fault() const {
    if (stopped_) {
      throw RunError("interrupted while the servers were looked at");
    }
    if (why_) {
      return std::string(meaning_of(*why_));
    }
    if (!heard_.empty() && !heard_.starts_with("220")) {
      return fmt::format("it says '{}' where '220' belongs", heard_.substr(0, heard_.find_first_of("\r\n")));
    }
    return heard_.empty() && !(secret_ && connected_) ? std::optional<std::string>("it does not greet")
                                                      : std::nullopt;
  }

 private:
  static constexpr Duration kLook = std::chrono::milliseconds(100);

  void on_connected() override {
    connected_ = true;
    if (secret_) {
      loop_.stop();  // its greeting comes under TLS; the first session will see to that
    }
  }
  void on_secured() override {}
  void on_data(std::string_view bytes) override {
    heard_ += bytes;
    if (heard_.size() >= 3) {
      loop_.stop();
    }
  }
  void on_end(Outcome why) override {
    why_ = why;
    loop_.stop();
  }
  void look() {
    stopped_ = stop_ != nullptr && stop_->load(std::memory_order_relaxed);
    if (stopped_ || clock_.now() >= deadline_) {
      loop_.stop();
      return;
    }
    timer_.set(kLook);
  }

  bool secret_;
  const std::atomic<bool>* stop_;
  SteadyClock clock_;
  TimePoint deadline_{};
  EventLoop loop_;
  Stream stream_;
  Timer timer_;
  bool connected_ = false;
  bool stopped_ = false;
  std::string heard_;
  std::optional<Outcome> why_;
};

PreflightFinding check_smtp(const Prepared& prepared, const Stream::Peer& peer, const std::string& name,
                            const std::atomic<bool>* stop) {
  const Greeting greeting(peer, prepared.bind.empty() ? nullptr : prepared.bind.data(),
                          prepared.smtp.tls == TlsUse::implicit, prepared.smtp.connect_timeout, stop);
  if (const auto fault = greeting.fault()) {
    return {Level::refuse, "smtp",
            fmt::format("--smtp {} ({}): {}; is the server up, and is this its SMTP port?", name,
                        peer.address.text(), *fault)};
  }
  return {Level::ok, "smtp", fmt::format("{} ({}) greets", name, peer.address.text())};
}

/// Every operation opens a POP3 connection, and an SMTP connection unless messages share one; the server of
/// each closes first when all goes well.
PreflightFinding check_ports(const MailPlan& plan, const Prepared& prepared) {
  const std::uint64_t pairs = std::max({std::size_t{1}, prepared.pop3_peers.size(), prepared.bind.size()});
  return scalemark::check_ports((plan.users + pairs - 1) / pairs, std::nullopt);
}

}  // namespace

Prepared prepare_access(const MailPlan& plan) {
  Prepared prepared;
  prepared.smtp = plan.smtp_settings;
  prepared.pop3 = plan.pop3_settings;
  if (plan.smtp_settings.tls != TlsUse::off || plan.pop3_settings.tls != TlsUse::off) {
    prepared.tls = std::make_unique<TlsContext>(plan.ca_file, plan.insecure);
    prepared.smtp.tls_context = prepared.tls.get();
    prepared.pop3.tls_context = prepared.tls.get();
  }
  prepared.bind = bind_addresses(plan.bind);
  prepared.pop3_peers = peers_of(plan.pop3, "--pop3");
  return prepared;
}

Prepared prepare(const MailPlan& plan, const std::atomic<bool>* stop) {
  Prepared prepared = prepare_access(plan);
  prepared.smtp_peers = peers_of(plan.smtp, "--smtp");
  prepared.accounts = accounts_of(plan);
  prepared.corpus = plan.corpus.empty()
                        ? std::make_unique<filesets::MailCorpus>(plan.sizes, plan.seed)
                        : std::make_unique<filesets::MailCorpus>(std::filesystem::path(plan.corpus));
  prepared.findings = {check_clock(),
                       check_descriptors(plan.threads, plan.users, kDescriptorsPerUser, "users", "--users"),
                       check_ports(plan, prepared)};
  for (std::size_t i = 0; i < prepared.smtp_peers.size(); ++i) {
    prepared.findings.push_back(check_smtp(prepared, prepared.smtp_peers[i], plan.smtp[i], stop));
  }
  return prepared;
}

}  // namespace scalemark::mail

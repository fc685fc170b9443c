#include "web_bench/probe.h"

#include <fmt/format.h>

#include <memory>

#include "core/error.h"
#include "core/event_loop.h"
#include "web_bench/transports.h"

namespace scalemark::web {
namespace {

/// Passes a source on and keeps the body that an engine shows it for checking.
class KeepingSource final : public RequestSource {
 public:
  explicit KeepingSource(const RequestSource& source) : source_(source) {}

  /// The body as far as it was kept; nothing when it was too large to keep.
  [[nodiscard]] std::optional<std::string_view> body() const {
    return whole_ ? std::optional<std::string_view>(body_) : std::nullopt;
  }

  const std::vector<std::string>& classes() const override { return source_.classes(); }
  const std::vector<std::uint32_t>& mix() const override { return source_.mix(); }
  bool rare(std::uint32_t cls) const override { return source_.rare(cls); }
  std::optional<double> mean_bytes() const override { return source_.mean_bytes(); }
  std::uint32_t class_of(Item item) const override { return source_.class_of(item); }
  std::optional<std::uint64_t> size_of(Item item) const override { return source_.size_of(item); }
  void append_path(Item item, std::string& to) const override { source_.append_path(item, to); }
  bool content_matches(Item, std::uint64_t, std::span<const char> bytes) const override {
    constexpr std::size_t kMostBytes = std::size_t{64} << 20U;
    whole_ = whole_ && body_.size() + bytes.size() <= kMostBytes;
    if (whole_) {
      body_.append(bytes.data(), bytes.size());
    }
    return true;
  }
  std::optional<std::string> body_fault(Item item, std::string_view body) const override {
    return source_.body_fault(item, body);
  }
  Item draw(std::uint32_t cls, Random& random) const override { return source_.draw(cls, random); }
  std::vector<Item> probes() const override { return source_.probes(); }

 private:
  const RequestSource& source_;
  mutable std::string body_;  // a probe has one exchange on one thread
  mutable bool whole_ = true;
};

/// One exchange on a loop of its own.
class Probe final : private TransportEvents {
 public:
  Probe(const Target& target, const std::vector<Address>& bind, const RequestSource& source,
        const WebPlan& plan, const std::atomic<bool>* stop)
      : stop_(stop),
        targets_{target},
        source_(source),
        sweep_(loop_, [this] { sweep(); }),
        transport_(make_transport(
            {loop_.base(), plan, source_, targets_, bind, UserShare{0, 1, 1}, clock_, *this})) {}

  void run(Item item) {
    sweep_.set(Transport::kSweep);
    transport_->start(0, {item, false, true, false});
    if (!over_) {
      loop_.run();
    }
  }

  [[nodiscard]] const ExchangeResult& result() const { return result_; }
  [[nodiscard]] std::optional<std::string_view> body() const { return source_.body(); }
  [[nodiscard]] std::uint32_t mss() const { return mss_; }

 private:
  void on_exchange_end(LocalUser user, const ExchangeResult& result) override {
    result_ = result;
    mss_ = transport_->segment_bytes(user);
    over_ = true;
    loop_.stop();
  }
  void on_idle_close(LocalUser) override {}

  void sweep() {
    if (stop_ != nullptr && stop_->load(std::memory_order_relaxed)) {
      throw RunError("stopped before any load began; nothing was measured");
    }
    transport_->sweep(clock_.now());
    sweep_.set(Transport::kSweep);
  }

  const std::atomic<bool>* stop_;
  std::vector<Target> targets_;
  KeepingSource source_;
  SteadyClock clock_;
  EventLoop loop_;
  Timer sweep_;
  std::unique_ptr<Transport> transport_;
  ExchangeResult result_;
  std::uint32_t mss_ = 0;
  bool over_ = false;
};

std::string status_fault(const std::string& what, int status, const WebPlan& plan) {
  if (!plan.urls_file.empty()) {
    return fmt::format("{} answered {}; check the list of URLs", what, status);
  }
  return fmt::format(
      "{} answered {}; make the file set with 'scalemark files web --connections {}' and serve that folder, "
      "or pass --directories with the number that the set has",
      what, status, plan.connections);
}

std::optional<std::string> fault_of(const Probe& probe, const std::string& what, Item item,
                                    const RequestSource& source, const WebPlan& plan) {
  const ExchangeResult& result = probe.result();
  switch (result.outcome) {
    case Outcome::good:
    case Outcome::short_body:
    case Outcome::long_body:
    case Outcome::wrong_content:
      break;
    case Outcome::bad_status:
      return status_fault(what, result.status, plan);
    case Outcome::tls_failed:
      return fmt::format(
          "{} failed: {}; give the server's certificate with --ca-file, or accept any with --insecure", what,
          meaning_of(result.outcome));
    default:
      return fmt::format("{} failed: {}; check that the server runs and can be reached", what,
                         meaning_of(result.outcome));
  }
  const auto fault = probe.body() ? source.body_fault(item, *probe.body()) : std::nullopt;
  if (fault) {
    return fmt::format("{} gave the wrong content: {}", what, *fault);
  }
  if (result.outcome != Outcome::good) {
    return fmt::format("{} gave the wrong content: {}", what, meaning_of(result.outcome));
  }
  return std::nullopt;
}

}  // namespace

ProbeResult probe(const Target& target, const std::vector<Address>& bind, const RequestSource& source,
                  Item item, const WebPlan& plan, const std::atomic<bool>* stop) {
  Probe probe(target, bind, source, plan, stop);
  probe.run(item);
  std::string url = fmt::format("{}://{}{}", target.scheme, target.host_header, target.base_path);
  source.append_path(item, url);
  const std::string what = fmt::format("GET {} ({})", url, target.address.text());
  return {fault_of(probe, what, item, source, plan), probe.mss()};
}

}  // namespace scalemark::web

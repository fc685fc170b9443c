// The curl engine: libcurl on the worker's event loop.
//
// What differs from the native engine because libcurl does not show it:
// - the framing of chunked bodies, of HTTP/2 and of TLS is not in `wire_bytes`: these are the heads as text
// and
//   the decoded body; the first byte is noted when the first line of the head is whole;
// - bytes behind an answer that libcurl reads and drops go unseen after a connection's last exchange, and
//   behind a chunked body;
// - in HTTP/2 we are the first to close after a connection's last exchange, so its port stays in TIME_WAIT
//   on this machine; in HTTP/1.x the server is.
// A connection that closes while idle is told as an idle close, and one that libcurl finds closed when it is
// used next as `stale`: libcurl is kept from asking again by itself, so retries stay with the user model.

#include <deque>

#include "web_bench/curl_user.h"
#include "web_bench/transports.h"

namespace scalemark::web {
namespace {

class CurlTransport final : public Transport {
 public:
  explicit CurlTransport(const TransportSetup& setup) : common_(setup) {
    for (LocalUser number = 0; number < setup.share.count(); ++number) {
      users_.emplace_back(common_, number);
    }
  }

  void start(LocalUser user, const Exchange& exchange) override { users_[user].start(exchange); }
  [[nodiscard]] std::uint64_t received(LocalUser user) const override { return users_[user].received(); }
  [[nodiscard]] std::uint32_t segment_bytes(LocalUser user) const override {
    return users_[user].segment_bytes();
  }
  void sweep(TimePoint now) override {
    for (CurlUser& user : users_) {
      user.sweep(now);
    }
  }
  void drop(LocalUser user) override { users_[user].drop(); }

 private:
  CurlCommon common_;
  std::deque<CurlUser> users_;  // a user stays where it is: libcurl and libevent hold its address
};

}  // namespace

std::unique_ptr<Transport> make_curl_transport(const TransportSetup& setup) {
  return std::make_unique<CurlTransport>(setup);
}

}  // namespace scalemark::web

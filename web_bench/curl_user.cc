#include "web_bench/curl_user.h"

#include <event2/event.h>
#include <sys/time.h>
#include <unistd.h>

#include <cstddef>
#include <cstring>
#include <string>

#include "core/tcp_socket.h"
#include "web_bench/curl_outcome.h"

namespace scalemark::web {
CurlUser::CurlUser(const CurlCommon& common, LocalUser number)
    : common_(common),
      number_(number),
      watch_(common.setup.loop, &CurlUser::on_ready, this),
      parting_(common.setup.loop) {
  evtimer_assign(&timer_, common.setup.loop, &CurlUser::on_timer, this);
}

CurlUser::~CurlUser() {
  drop();
  // libcurl's last calls come while the members that they use still stand.
  hard_close_ = true;
  easy_.reset();
  multi_.reset();
  evtimer_del(&timer_);
}

// --- The exchange ----------------------------------------------------------------------------------------

void CurlUser::start(const Exchange& exchange) {
  if (exchange.fresh_connection) {
    close_connection();
  }
  watch_.off();
  exchange_ = exchange;
  answer_.emplace(common_.setup.source, exchange);
  progress_ = {};
  progress_.on_open_connection = socket_ >= 0;
  progress_.connecting_since = common_.setup.clock.now();
  if (!make_handles() || !set_up(exchange) ||
      libcurl().multi_add_handle(multi_.get(), easy_.get()) != CURLM_OK) {
    abandon_exchange();
    report(Outcome::local);
  }
  // Otherwise libcurl has set its timer to zero: it begins in the loop's next round.
}

/// Makes what is missing. False when out of memory.
bool CurlUser::make_handles() {
  if (!multi_) {
    multi_.reset(libcurl().multi_init());
    if (!multi_) {
      return false;
    }
    libcurl().multi_setopt(multi_.get(), CURLMOPT_SOCKETFUNCTION, &CurlUser::want_watch);
    libcurl().multi_setopt(multi_.get(), CURLMOPT_SOCKETDATA, this);
    libcurl().multi_setopt(multi_.get(), CURLMOPT_TIMERFUNCTION, &CurlUser::want_timer);
    libcurl().multi_setopt(multi_.get(), CURLMOPT_TIMERDATA, this);
    libcurl().multi_setopt(multi_.get(), CURLMOPT_MAXCONNECTS, 1L);
  }
  if (easy_) {
    return true;
  }
  easy_ = make_curl_handle(common_, index_in(common_.setup.targets.size()));
  CURL* handle = easy_.get();
  if (handle == nullptr) {
    return false;
  }
  libcurl().easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, &CurlUser::open_socket);
  libcurl().easy_setopt(handle, CURLOPT_OPENSOCKETDATA, this);
  libcurl().easy_setopt(handle, CURLOPT_CLOSESOCKETFUNCTION, &CurlUser::close_socket);
  libcurl().easy_setopt(handle, CURLOPT_CLOSESOCKETDATA, this);
  libcurl().easy_setopt(handle, CURLOPT_PREREQFUNCTION, &CurlUser::request_ready);
  libcurl().easy_setopt(handle, CURLOPT_PREREQDATA, this);
  libcurl().easy_setopt(handle, CURLOPT_HEADERFUNCTION, &CurlUser::take_head);
  libcurl().easy_setopt(handle, CURLOPT_HEADERDATA, this);
  libcurl().easy_setopt(handle, CURLOPT_WRITEFUNCTION, &CurlUser::take_body);
  libcurl().easy_setopt(handle, CURLOPT_WRITEDATA, this);
  return true;
}

/// The options of one exchange.
bool CurlUser::set_up(const Exchange& exchange) {
  const Target& goal = target();
  std::string url = goal.scheme + "://" + goal.host_header + goal.base_path;
  common_.setup.source.append_path(exchange.item, url);
  // The header makes an HTTP/1.1 server close first (see PartingSocket). HTTP/2 knows no such header and
  // libcurl leaves it out: there, and where a server ignores it, forbidding reuse makes us close.
  const bool last = exchange.last_on_connection;
  curl_slist* headers = last ? common_.close_header.get() : nullptr;
  return libcurl().easy_setopt(easy_.get(), CURLOPT_URL, url.c_str()) == CURLE_OK &&
         libcurl().easy_setopt(easy_.get(), CURLOPT_HTTPHEADER, headers) == CURLE_OK &&
         libcurl().easy_setopt(easy_.get(), CURLOPT_HTTP_VERSION,
                               curl_http_version(common_.setup.plan, goal, socket_ >= 0)) == CURLE_OK &&
         libcurl().easy_setopt(easy_.get(), CURLOPT_FORBID_REUSE, last ? 1L : 0L) == CURLE_OK;
}

/// Lets libcurl work, and looks whether the exchange is over then.
void CurlUser::act(curl_socket_t socket, int what) {
  int running = 0;
  libcurl().multi_socket_action(multi_.get(), socket, what, &running);
  int queued = 0;
  const CURLMsg* message = libcurl().multi_info_read(multi_.get(), &queued);
  if (message != nullptr && message->msg == CURLMSG_DONE) {
    finish(message->data.result);
  }
}

void CurlUser::finish(CURLcode code) {
  long error = 0;
  if (code != CURLE_OK) {
    libcurl().easy_getinfo(easy_.get(), CURLINFO_OS_ERRNO, &error);
  }
  libcurl().multi_remove_handle(multi_.get(), easy_.get());
  if (code == CURLE_OK) {
    look_for_surplus();
  } else {
    easy_.reset();  // libcurl 7.88 would take this errno for one of the next exchange
    if (!progress_.request_sent || progress_.connection_lost) {
      close_connection();  // libcurl closes a socket that never got connected without telling
    }
  }
  report(judge(code, static_cast<int>(error)));
}

Outcome CurlUser::judge(CURLcode code, int os_error) const {
  if (progress_.connection_lost) {
    return progress_.was_reset ? Outcome::reset : Outcome::closed_early;
  }
  CurlEnding ending;
  ending.code = code;
  ending.os_error = os_error;
  ending.local_fault = progress_.local_fault;
  ending.request_sent = progress_.request_sent;
  ending.peer_closed = progress_.peer_closed;
  ending.secure = target().scheme == "https";
  ending.status = answer_->head().status();
  ending.surplus = progress_.surplus;
  ending.too_long = answer_->too_long();
  ending.wrong_content = answer_->wrong_content();
  ending.body_bytes = answer_->body_bytes();
  ending.expected_bytes = answer_->expected_bytes();
  return outcome_of(ending);
}

/// Bytes beyond the answer, as far as they can be seen. libcurl drops those that it read together with the
/// answer, and closes a connection that could have lived on; in HTTP/1.x in the clear others may lie in the
/// socket. (After a connection's last exchange, and behind chunks, those that libcurl read go unseen.)
void CurlUser::look_for_surplus() {
  if (!plain_http1()) {
    return;
  }
  if (socket_ < 0) {
    const bool could_live = !exchange_.last_on_connection && answer_->head().keeps_connection();
    progress_.surplus = progress_.surplus || could_live;
    return;
  }
  if (has_unread(socket_)) {
    progress_.surplus = true;
    close_connection();
  }
}

/// Takes an exchange that is not over away from libcurl, and its connection with it.
void CurlUser::abandon_exchange() {
  hard_close_ = true;
  if (multi_ && easy_) {
    libcurl().multi_remove_handle(multi_.get(), easy_.get());
  }
  easy_.reset();
  close_connection();
}

/// Reports the end of the exchange. The last thing that any path does: the owner may start the next exchange,
/// or drop the user, from within.
void CurlUser::report(Outcome outcome) {
  hard_close_ = false;
  ExchangeResult result;
  result.outcome = outcome;
  result.status = answer_->head().status();
  result.wire_bytes = answer_->wire_bytes();
  result.body_bytes = answer_->body_bytes();
  result.first_byte = progress_.first_byte;
  result.end = common_.setup.clock.now();
  result.connect = progress_.connect;
  result.connection_open = socket_ >= 0;
  result.stale = progress_.connection_lost && !progress_.byte_seen;
  result.retried = progress_.requests > 1;
  answer_.reset();
  if (socket_ >= 0) {
    watch_.on(socket_, EV_READ | EV_ET);  // told once of bytes that are left unread, and again of the close
  }
  common_.setup.events.on_exchange_end(number_, result);
}

void CurlUser::sweep(TimePoint now) {
  if (!answer_) {
    return;
  }
  const WebPlan& plan = common_.setup.plan;
  const bool sent = progress_.request_sent;
  const TimePoint deadline =
      sent ? progress_.last_byte + plan.read_timeout : progress_.connecting_since + plan.connect_timeout;
  if (now >= deadline) {
    abandon_exchange();
    report(sent ? Outcome::read_timeout : Outcome::connect_timeout);
  }
}

void CurlUser::drop() {
  if (answer_) {
    abandon_exchange();
    answer_.reset();
  }
  close_connection();
  hard_close_ = false;
  parting_.close();
}

// --- The connection --------------------------------------------------------------------------------------

/// There is no call to close a single connection; taking down its multi handle does it.
void CurlUser::close_connection() {
  if (socket_ < 0) {
    return;
  }
  hard_close_ = true;
  watch_.off();
  evtimer_del(&timer_);
  multi_.reset();
  socket_ = -1;
  hard_close_ = false;
}

/// The server spoke or closed while nothing was asked for.
void CurlUser::on_idle_readable() {
  if (!plain_http1() && !has_hung_up(socket_)) {
    return;  // TLS tickets or HTTP/2 control frames: libcurl reads them when the connection is used next
  }
  close_connection();
  common_.setup.events.on_idle_close(number_);
}

curl_socket_t CurlUser::open_socket(void* self, curlsocktype /*purpose*/, curl_sockaddr* address) {
  auto& user = *static_cast<CurlUser*>(self);
  Progress& progress = user.progress_;
  if (progress.on_open_connection) {
    // The open connection has turned out to be closed, and libcurl would ask again by itself on a new one.
    // Whether to do so is the user model's decision, as with the other engine.
    progress.connection_lost = true;
    return CURL_SOCKET_BAD;
  }
  progress.opened = true;
  progress.request_sent = false;
  progress.connecting_since = user.common_.setup.clock.now();
  // The URL's host may be a name with several addresses, or one with a zone: connect to the one that was
  // resolved before the run. libcurl keeps room for any kind of address behind this declared 16 bytes.
  const Address& to = user.target().address;
  address->family = to.family();
  address->addrlen = to.length;
  std::memcpy(reinterpret_cast<char*>(address) + offsetof(curl_sockaddr, addr), to.get(), to.length);
  const auto& bind = user.common_.setup.bind;
  const Address* from = bind.empty() ? nullptr : &bind[user.index_in(bind.size())];
  user.socket_ = make_tcp_socket(to, from, user.common_.setup.plan.mss);
  progress.local_fault = user.socket_ < 0;
  return user.socket_;
}

int CurlUser::close_socket(void* self, curl_socket_t socket) {
  auto& user = *static_cast<CurlUser*>(self);
  user.watch_.off(socket);
  if (user.socket_ == socket) {
    user.socket_ = -1;
  }
  // libcurl 7.88 says no farewell in HTTP/2, so the server would not know that it should close.
  const bool peer_closes_first = !user.hard_close_ && user.answer_ && !user.answer_->head().is_http2();
  if (!peer_closes_first) {
    return ::close(socket);
  }
  user.note_loss(socket);
  const PartingSocket::Found found = user.parting_.hold(socket);
  user.progress_.peer_closed = found == PartingSocket::Found::closed;
  user.progress_.surplus = found == PartingSocket::Found::bytes && user.plain_http1();
  return 0;
}

/// How a connection that an exchange had taken over from the one before came to its end. libcurl knows of
/// whole lines only, so the system is asked whether any part of an answer came.
void CurlUser::note_loss(int fd) {
  if (!progress_.on_open_connection) {
    return;
  }
  progress_.was_reset = was_reset(fd);
  if (plain_http1() && progress_.request_sent) {  // with TLS or HTTP/2 the bytes may be but a farewell
    const std::uint64_t fin = progress_.was_reset ? 0 : 1;
    progress_.byte_seen = bytes_received(fd) > progress_.received_before + fin;
  }
}

int CurlUser::request_ready(void* self, char* /*peer_ip*/, char* /*own_ip*/, int /*peer_port*/,
                            int /*own_port*/) {
  auto& user = *static_cast<CurlUser*>(self);
  Progress& progress = user.progress_;
  progress.request_sent = true;
  ++progress.requests;
  progress.last_byte = user.common_.setup.clock.now();
  if (progress.on_open_connection && user.plain_http1()) {
    progress.received_before = bytes_received(user.socket_);
  }
  if (progress.opened) {
    progress.connect = progress.last_byte - progress.connecting_since;
  }
  return CURL_PREREQFUNC_OK;
}

std::size_t CurlUser::index_in(std::size_t size) const {
  return common_.setup.share.global(number_) % size;
}

const Target& CurlUser::target() const {
  return common_.setup.targets[index_in(common_.setup.targets.size())];
}

bool CurlUser::plain_http1() const {
  return common_.setup.plan.http == HttpVersion::http1 && target().scheme == "http";
}

// --- The answer ------------------------------------------------------------------------------------------

std::size_t CurlUser::take_head(char* data, std::size_t /*size*/, std::size_t count, void* self) {
  auto& user = *static_cast<CurlUser*>(self);
  if (user.answer_->wire_bytes() == 0) {
    user.progress_.first_byte = user.common_.setup.clock.now();
  }
  const bool go_on = user.answer_->take_head({data, count});
  user.hard_close_ = !go_on;
  return go_on ? count : 0;
}

std::size_t CurlUser::take_body(char* data, std::size_t /*size*/, std::size_t count, void* self) {
  auto& user = *static_cast<CurlUser*>(self);
  const bool go_on = user.answer_->take_body({data, count});
  user.hard_close_ = !go_on;
  return go_on ? count : 0;
}

// --- The event loop --------------------------------------------------------------------------------------

int CurlUser::want_watch(CURL* /*handle*/, curl_socket_t socket, int what, void* self, void* /*unused*/) {
  auto& user = *static_cast<CurlUser*>(self);
  if (what == CURL_POLL_REMOVE) {
    user.watch_.off(socket);
    return 0;
  }
  const int reading = (what & CURL_POLL_IN) != 0 ? EV_READ : 0;
  const int writing = (what & CURL_POLL_OUT) != 0 ? EV_WRITE : 0;
  user.watch_.on(socket, static_cast<short>(reading | writing));
  return 0;
}

int CurlUser::want_timer(CURLM* /*multi*/, long milliseconds, void* self) {
  auto& user = *static_cast<CurlUser*>(self);
  if (milliseconds < 0) {
    evtimer_del(&user.timer_);
    return 0;
  }
  const timeval after{milliseconds / 1000, milliseconds % 1000 * 1000};
  evtimer_add(&user.timer_, &after);
  return 0;
}

void CurlUser::on_ready(int fd, short what, void* self) {
  auto& user = *static_cast<CurlUser*>(self);
  if (!user.answer_) {
    user.on_idle_readable();
    return;
  }
  int mask = 0;
  if ((what & EV_READ) != 0) {
    mask |= CURL_CSELECT_IN;
    user.progress_.last_byte = user.common_.setup.clock.now();
  }
  if ((what & EV_WRITE) != 0) {
    mask |= CURL_CSELECT_OUT;
  }
  user.act(fd, mask);
}

void CurlUser::on_timer(int /*fd*/, short /*what*/, void* self) {
  static_cast<CurlUser*>(self)->act(CURL_SOCKET_TIMEOUT, 0);
}

}  // namespace scalemark::web

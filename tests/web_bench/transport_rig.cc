#include "tests/web_bench/transport_rig.h"

#include <event2/event.h>
#include <gtest/gtest.h>
#include <sys/eventfd.h>
#include <sys/time.h>

#include <chrono>

namespace scalemark::web {
namespace {

constexpr std::chrono::seconds kPatience{10};
constexpr timeval kTick{0, 2'000};
constexpr int kSettlingRounds = 10;

timeval timeval_of(Duration duration) {
  const auto whole = std::chrono::duration_cast<std::chrono::seconds>(duration);
  const auto rest = std::chrono::duration_cast<std::chrono::microseconds>(duration - whole);
  return {whole.count(), rest.count()};
}

Address address_of(const test_support::Endpoint& endpoint) {
  return {endpoint.storage, endpoint.length};
}

Target target_of(const test_support::Endpoint& server) {
  Target target;
  target.scheme = "http";
  target.host = server.host();
  target.port = server.port();
  target.base_path = "/base/";
  target.host_header = (server.storage.ss_family == AF_INET6 ? "[" + target.host + "]" : target.host) + ":" +
                       std::to_string(target.port);
  target.url = "http://" + target.host_header + target.base_path;
  target.address = address_of(server);
  return target;
}

}  // namespace

Item ListedSource::add(std::string content, std::optional<std::uint64_t> size) {
  items_.push_back({std::move(content), size});
  return static_cast<Item>(items_.size() - 1);
}

bool ListedSource::content_matches(Item item, std::uint64_t offset, std::span<const char> bytes) const {
  const Entry& entry = items_[item];
  if (!entry.size) {
    return true;
  }
  const std::string_view content = entry.content;
  return offset + bytes.size() <= content.size() &&
         content.substr(offset, bytes.size()) == std::string_view(bytes.data(), bytes.size());
}

std::optional<std::string> ListedSource::body_fault(Item item, std::string_view body) const {
  return body == items_[item].content ? std::nullopt : std::optional<std::string>("other bytes");
}

TransportRig::TransportRig(Engine engine, const test_support::Endpoint& server, const RigOptions& options)
    : targets_{target_of(server)}, users_(options.users), loop_(event_base_new()) {
  plan_.engine = engine;
  plan_.connections = options.users;
  plan_.urls = {targets_[0].url};
  plan_.connect_timeout = options.connect_timeout;
  plan_.read_timeout = options.read_timeout;
  if (!options.source_address.empty()) {
    bind_.push_back(address_of(test_support::endpoint_at(options.source_address, 0)));
  }
  const TransportSetup setup{loop_, plan_, source_, targets_, bind_, {0, 1, options.users}, clock_, *this};
  transport_ = engine == Engine::native ? make_native_transport(setup) : make_curl_transport(setup);

  tick_ = event_new(
      loop_, -1, EV_PERSIST, [](int, short, void*) {}, nullptr);
  event_add(tick_, &kTick);
  sweep_timer_ = event_new(
      loop_, -1, EV_PERSIST,
      [](int, short, void* self) { static_cast<TransportRig*>(self)->skip(Duration::zero()); }, this);
  const timeval every = timeval_of(Transport::kSweep);
  event_add(sweep_timer_, &every);
}

TransportRig::~TransportRig() {
  transport_.reset();
  event_free(tick_);
  event_free(sweep_timer_);
  if (arrival_ != nullptr) {
    event_free(arrival_);
  }
  event_base_free(loop_);
}

Item TransportRig::add_item(std::string content) {
  const std::uint64_t size = content.size();
  return source_.add(std::move(content), size);
}

Item TransportRig::add_unknown_item() {
  return source_.add({}, std::nullopt);
}

void TransportRig::start(const Exchange& exchange, LocalUser user) {
  ++users_[user].started;
  transport_->start(user, exchange);
}

ExchangeResult TransportRig::finish(LocalUser user) {
  const std::size_t number = users_[user].started;
  if (!run_until([&] { return users_[user].results.size() >= number; })) {
    return {};
  }
  EXPECT_EQ(users_[user].results.size(), number) << "an exchange was reported twice";
  return users_[user].results.back();
}

ExchangeResult TransportRig::run(const Exchange& exchange, LocalUser user) {
  start(exchange, user);
  return finish(user);
}

bool TransportRig::run_until(const std::function<bool()>& condition) {
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > deadline) {
      ADD_FAILURE() << "what the test waits for has not happened";
      return false;
    }
    event_base_loop(loop_, EVLOOP_ONCE);
    if (in_step_ != nullptr) {
      in_step_->open_if_awaited();
    }
  }
  return true;
}

void TransportRig::keep_in_step_with(test_support::Gate& gate) {
  in_step_ = &gate;
  // What a script sent before it came to the gate is readable when its arrival is, so the round that wakes up
  // for the arrival reads it, too.
  arrival_ = event_new(
      loop_, gate.arrival_fd(), EV_READ | EV_PERSIST,
      [](int fd, short, void*) {
        eventfd_t arrivals = 0;
        eventfd_read(fd, &arrivals);
      },
      nullptr);
  event_add(arrival_, nullptr);
}

void TransportRig::settle() {
  for (int round = 0; round < kSettlingRounds; ++round) {
    event_base_loop(loop_, EVLOOP_NONBLOCK);
  }
}

void TransportRig::skip(Duration by) {
  clock_.skip(by);
  transport_->sweep(clock_.now());
}

void TransportRig::drop(LocalUser user) {
  transport_->drop(user);
  users_[user].started = users_[user].results.size();
}

void TransportRig::on_exchange_end(LocalUser user, const ExchangeResult& result) {
  users_[user].results.push_back(result);
  if (on_end) {
    on_end(user);
  }
}

void TransportRig::on_idle_close(LocalUser user) {
  ++users_[user].idle_closes;
  if (on_idle) {
    on_idle(user);
  }
}

std::string body_of(std::size_t size) {
  std::string body(size, '\0');
  for (std::size_t i = 0; i < size; ++i) {
    body[i] = static_cast<char>('a' + (i + i / 26) % 26);
  }
  return body;
}

std::string engine_name(Engine engine) {
  return engine == Engine::native ? "native" : "curl";
}

}  // namespace scalemark::web

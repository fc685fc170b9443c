// The two engines: how to get a Transport.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/split.h"
#include "web_bench/target.h"
#include "web_bench/transport.h"
#include "web_bench/web_plan.h"

struct event_base;

namespace scalemark::web {

/// What a transport needs. Everything is referred to, not copied, and must outlive the transport.
struct TransportSetup {
  event_base* loop;  ///< the worker's event loop
  const WebPlan& plan;
  const RequestSource& source;
  const std::vector<Target>& targets;  ///< run-wide user i works on targets[i mod size]
  const std::vector<Address>& bind;    ///< and binds to bind[i mod size]; empty: the system chooses
  UserShare share;                     ///< the users of this worker
  const Clock& clock;
  TransportEvents& events;
};

/// Our own HTTP/1.1 client: http only, one non-blocking socket a user, bodies counted or checked, not kept.
[[nodiscard]] std::unique_ptr<Transport> make_native_transport(const TransportSetup& setup);

/// Most descriptors that the curl engine holds for each user: its connection, the one before it while that
/// waits for the server's FIN (at most a second, usually no time at all), and the pair of sockets that
/// libcurl keeps in every multi handle to wake it up.
inline constexpr std::uint64_t kCurlDescriptorsPerUser = 4;

/// libcurl: http and https, HTTP/1.1 and HTTP/2; the referee for the native engine.
[[nodiscard]] std::unique_ptr<Transport> make_curl_transport(const TransportSetup& setup);

/// The one that the plan names.
[[nodiscard]] std::unique_ptr<Transport> make_transport(const TransportSetup& setup);

}  // namespace scalemark::web

#include "web_bench/transports.h"

namespace scalemark::web {

std::unique_ptr<Transport> make_transport(const TransportSetup& setup) {
  return setup.plan.engine == Engine::curl ? make_curl_transport(setup) : make_native_transport(setup);
}

}  // namespace scalemark::web

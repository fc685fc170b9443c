#include "web_bench/curl_handle.h"

#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <mutex>

#include "core/error.h"

namespace scalemark::web {
namespace {

/// Sets options one after another and remembers whether all were taken.
class Options {
 public:
  explicit Options(CURL* handle) : handle_(handle) {}
  template <typename Value>
  void set(CURLoption option, Value value) {
    taken_ = libcurl().easy_setopt(handle_, option, value) == CURLE_OK && taken_;
  }
  void on(CURLoption option) { set(option, 1L); }
  void off(CURLoption option) { set(option, 0L); }
  [[nodiscard]] bool all_taken() const { return taken_; }

 private:
  CURL* handle_;
  bool taken_ = true;
};

void prepare_process() {
  static std::once_flag once;
  std::call_once(once, [] {
    // OpenSSL writes with write(2): on a connection that the server has reset this raises SIGPIPE, whose
    // default is to end the process.
    struct sigaction present {};
    if (sigaction(SIGPIPE, nullptr, &present) == 0 && present.sa_handler == SIG_DFL) {
      std::signal(SIGPIPE, SIG_IGN);
    }
  });
}

void set_trust(Options& options, const WebPlan& plan) {
  // With a directory of certificates libcurl cannot keep the loaded store for the next connection, so only
  // the bundle file is used; Debian's holds the same certificates.
  options.set(CURLOPT_CAPATH, static_cast<char*>(nullptr));
  if (plan.insecure) {
    options.off(CURLOPT_SSL_VERIFYPEER);
    options.off(CURLOPT_SSL_VERIFYHOST);
    options.set(CURLOPT_CAINFO, static_cast<char*>(nullptr));
  } else if (!plan.ca_file.empty()) {
    options.set(CURLOPT_CAINFO, plan.ca_file.c_str());
  }
}

void set_timing(Options& options, const WebPlan& plan) {
  using std::chrono::milliseconds;
  // Time-outs are the business of sweep(): libcurl's low-speed limit has a grain of a second. Its limit for
  // connecting cannot be switched off, so it is put where sweep() comes first.
  const Duration connecting = plan.connect_timeout + 10 * Transport::kSweep;
  options.set(CURLOPT_CONNECTTIMEOUT_MS,
              static_cast<long>(std::chrono::ceil<milliseconds>(connecting).count()));
  // A paced user may leave its connection idle for as long as its line needs; libcurl would silently open a
  // new one after two minutes.
  constexpr long kYear = 365L * 24 * 3600;
  options.set(CURLOPT_MAXAGE_CONN, kYear);
}

CurlList list_of(const std::string& text) {
  CurlList list(libcurl().slist_append(nullptr, text.c_str()));
  if (!list) {
    throw RunError("out of memory while libcurl was prepared");
  }
  return list;
}

}  // namespace

// Over TLS the version is negotiated (ALPN). In the clear HTTP/2 is spoken from the first byte ("prior
// knowledge"): the Upgrade dance from HTTP/1.1 is obsolete (RFC 9113, 3.1) and would cost every connection a
// first request in another protocol than the one to be measured.
long curl_http_version(const WebPlan& plan, const Target& target, bool reuse) {
  if (plan.http == HttpVersion::http1) {
    return CURL_HTTP_VERSION_1_1;
  }
  if (target.scheme == "https") {
    return CURL_HTTP_VERSION_2TLS;
  }
  // On a connection that speaks HTTP/2 already, libcurl 7.88 would start it once more inside itself and fail.
  return reuse ? CURL_HTTP_VERSION_2_0 : CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE;
}

CurlCommon::CurlCommon(const TransportSetup& transport_setup) : setup(transport_setup) {
  prepare_process();
  const WebPlan& plan = setup.plan;
  if (plan.http == HttpVersion::http2 &&
      (libcurl().version_info(CURLVERSION_NOW)->features & CURL_VERSION_HTTP2) == 0) {
    throw RunError("this libcurl was built without HTTP/2; use --http http1");
  }
  if (!plan.ca_file.empty() && ::access(plan.ca_file.c_str(), R_OK) != 0) {
    throw UsageError(fmt::format("the CA file {} cannot be read", plan.ca_file));
  }
  close_header = list_of("Connection: close");
  for (const Target& target : setup.targets) {
    std::string address = target.address.text();
    if (const std::size_t zone = address.find('%'); zone != std::string::npos) {
      address.erase(zone, address.find(']') - zone);  // not in libcurl's syntax; the socket callback adds it
    }
    pins.push_back(list_of("::" + address));
  }
  if (!setup.targets.empty() && !make_curl_handle(*this, 0)) {
    throw RunError("this libcurl refuses a setting that the run needs; libcurl 7.88 or later is required");
  }
}

CurlHandle make_curl_handle(const CurlCommon& common, std::size_t target) {
  const WebPlan& plan = common.setup.plan;
  CurlHandle handle(libcurl().easy_init());
  if (!handle) {
    return handle;
  }
  Options options(handle.get());
  options.on(CURLOPT_NOSIGNAL);
  options.set(CURLOPT_PROXY, "");  // not even one from the environment
  options.set(CURLOPT_NOPROXY, "*");
  options.set(CURLOPT_PROTOCOLS_STR, "http,https");
  options.off(CURLOPT_FOLLOWLOCATION);
  options.set(CURLOPT_NETRC, static_cast<long>(CURL_NETRC_IGNORED));
  options.off(CURLOPT_HTTP09_ALLOWED);
  options.off(CURLOPT_HTTP_CONTENT_DECODING);
  options.on(CURLOPT_PATH_AS_IS);
  options.on(CURLOPT_TCP_NODELAY);
  options.set(CURLOPT_USERAGENT, "scalemark");
  options.set(CURLOPT_CONNECT_TO, common.pins[target].get());
  set_timing(options, plan);
  set_trust(options, plan);
  return options.all_taken() ? std::move(handle) : CurlHandle();
}

}  // namespace scalemark::web

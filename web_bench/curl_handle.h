// libcurl's handles, and every setting of theirs that does not change from one exchange to the next.
//
// The settings are where the plan's transport section meets libcurl: nothing that would add traffic, waiting
// or hidden retries of libcurl's own is left on (proxies, redirects, .netrc, Expect, name look-ups, signals).
// A CurlCommon is immutable once made and belongs to one transport; handles belong to one thread.
#pragma once

#include <curl/curl.h>

#include <memory>
#include <string>
#include <vector>

#include "core/curl_library.h"
#include "web_bench/transports.h"

namespace scalemark::web {

struct CurlDeleter {
  void operator()(CURL* handle) const { libcurl().easy_cleanup(handle); }
  void operator()(curl_slist* list) const { libcurl().slist_free_all(list); }
};
using CurlHandle = std::unique_ptr<CURL, CurlDeleter>;
using CurlList = std::unique_ptr<curl_slist, CurlDeleter>;

struct MultiDeleter {
  void operator()(CURLM* multi) const { libcurl().multi_cleanup(multi); }
};
using MultiHandle = std::unique_ptr<CURLM, MultiDeleter>;

/// What the users of one transport have in common.
struct CurlCommon {
  /// Throws UsageError or RunError when libcurl cannot do what the plan asks for.
  explicit CurlCommon(const TransportSetup& transport_setup);

  TransportSetup setup;
  CurlList close_header;       ///< "Connection: close"
  std::vector<CurlList> pins;  ///< per target: connect to its address, whatever the URL's host says
};

/// The value of CURLOPT_HTTP_VERSION for an exchange; `reuse`: on a connection that has carried one before.
[[nodiscard]] long curl_http_version(const WebPlan& plan, const Target& target, bool reuse);

/// An easy handle for `target`, complete but for callbacks and the exchange's own options. Null when out of
/// memory or when libcurl refuses a setting.
[[nodiscard]] CurlHandle make_curl_handle(const CurlCommon& common, std::size_t target);

}  // namespace scalemark::web

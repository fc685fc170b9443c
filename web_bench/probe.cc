#include "web_bench/probe.h"

#include <curl/curl.h>
#include <fmt/format.h>
#include <netinet/tcp.h>

#include <memory>

namespace scalemark::web {
namespace {

struct EasyDelete {
  void operator()(CURL* handle) const { curl_easy_cleanup(handle); }
};
using Easy = std::unique_ptr<CURL, EasyDelete>;

struct ListDelete {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};
using List = std::unique_ptr<curl_slist, ListDelete>;

/// A probe's answer is kept whole; more than this is not read.
constexpr std::size_t kMostBytes = std::size_t{64} << 20U;

std::size_t keep_body(char* bytes, std::size_t size, std::size_t count, void* body) {
  auto& text = *static_cast<std::string*>(body);
  if (text.size() + size * count > kMostBytes) {
    return 0;
  }
  text.append(bytes, size * count);
  return size * count;
}

long milliseconds(Duration duration) {
  return static_cast<long>(duration / std::chrono::milliseconds(1));
}

/// "10.0.0.2:0" without its port, for CURLOPT_INTERFACE.
std::string interface_of(const Address& address) {
  std::string text = address.text();
  text.resize(text.rfind(':'));
  if (text.front() == '[') {
    text = text.substr(1, text.size() - 2);
  }
  return "host!" + text;
}

void set_options(CURL* handle, const WebPlan& plan, std::string& body) {
  curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(handle, CURLOPT_PROXY, "");
  curl_easy_setopt(handle, CURLOPT_PATH_AS_IS, 1L);
  curl_easy_setopt(handle, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
  curl_easy_setopt(handle, CURLOPT_CONNECTTIMEOUT_MS, milliseconds(plan.connect_timeout));
  curl_easy_setopt(handle, CURLOPT_TIMEOUT_MS, milliseconds(plan.connect_timeout + plan.read_timeout));
  curl_easy_setopt(handle, CURLOPT_SSL_VERIFYPEER, plan.insecure ? 0L : 1L);
  curl_easy_setopt(handle, CURLOPT_SSL_VERIFYHOST, plan.insecure ? 0L : 2L);
  if (!plan.ca_file.empty()) {
    curl_easy_setopt(handle, CURLOPT_CAINFO, plan.ca_file.c_str());
  }
  curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, &keep_body);
  curl_easy_setopt(handle, CURLOPT_WRITEDATA, &body);
}

std::uint32_t mss_of(CURL* handle) {
  curl_socket_t socket = CURL_SOCKET_BAD;
  int mss = 0;
  socklen_t length = sizeof mss;
  if (curl_easy_getinfo(handle, CURLINFO_ACTIVESOCKET, &socket) != CURLE_OK || socket == CURL_SOCKET_BAD ||
      ::getsockopt(socket, IPPROTO_TCP, TCP_MAXSEG, &mss, &length) != 0) {
    return 0;
  }
  return static_cast<std::uint32_t>(mss);
}

/// Sets what the native and curl engines set on their sockets, so that the segment size is theirs.
int set_mss(void* plan, curl_socket_t socket, curlsocktype) {
  const int mss = static_cast<int>(static_cast<const WebPlan*>(plan)->mss);
  if (mss != 0) {
    ::setsockopt(socket, IPPROTO_TCP, TCP_MAXSEG, &mss, sizeof mss);
  }
  return CURL_SOCKOPT_OK;
}

std::string status_fault(const std::string& url, long status, const WebPlan& plan) {
  if (!plan.urls_file.empty()) {
    return fmt::format("GET {} answered {}; check the list of URLs", url, status);
  }
  return fmt::format(
      "GET {} answered {}; make the file set with 'scalemark files web --connections {}' and serve that "
      "folder, or pass --directories with the number that the set has",
      url, status, plan.connections);
}

}  // namespace

ProbeResult probe(const Target& target, const Address* source_address, const RequestSource& source, Item item,
                  const WebPlan& plan) {
  ProbeResult result;
  const Easy easy(curl_easy_init());
  CURL* handle = easy.get();
  std::string url = fmt::format("{}://{}{}", target.scheme, target.host_header, target.base_path);
  source.append_path(item, url);
  std::string body;
  set_options(handle, plan, body);
  curl_easy_setopt(handle, CURLOPT_URL, url.c_str());
  const List pin(curl_slist_append(nullptr, ("::" + target.address.text()).c_str()));
  curl_easy_setopt(handle, CURLOPT_CONNECT_TO, pin.get());
  curl_easy_setopt(handle, CURLOPT_SOCKOPTFUNCTION, &set_mss);
  curl_easy_setopt(handle, CURLOPT_SOCKOPTDATA, &plan);
  if (source_address != nullptr) {
    curl_easy_setopt(handle, CURLOPT_INTERFACE, interface_of(*source_address).c_str());
  }
  const CURLcode code = curl_easy_perform(handle);
  result.mss = mss_of(handle);
  long status = 0;
  curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
  if (code != CURLE_OK) {
    result.fault = fmt::format("GET {} failed ({}: {}); check that the server runs and can be reached", url,
                               target.address.text(), curl_easy_strerror(code));
  } else if (status < 200 || status > 299) {
    result.fault = status_fault(url, status, plan);
  } else if (const auto fault = source.body_fault(item, body)) {
    result.fault = fmt::format("GET {} gave the wrong content: {}", url, *fault);
  }
  return result;
}

}  // namespace scalemark::web

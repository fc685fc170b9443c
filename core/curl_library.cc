#include "core/curl_library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include "core/error.h"

namespace scalemark {
namespace {

constexpr const char* kFile = "libcurl.so.4";

[[noreturn]] void refuse() {
  const char* why = ::dlerror();
  throw RunError(fmt::format("{} is needed and cannot be loaded ({}); install the package libcurl4", kFile,
                             why == nullptr ? "unknown reason" : why));
}

template <typename Function>
void find(void* library, const char* name, Function& function) {
  void* address = ::dlsym(library, name);
  if (address == nullptr) {
    refuse();
  }
  function = reinterpret_cast<Function>(address);
}

CurlLibrary load() {
  void* library = ::dlopen(kFile, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    refuse();
  }
  CurlLibrary functions{};
  find(library, "curl_easy_init", functions.easy_init);
  find(library, "curl_easy_cleanup", functions.easy_cleanup);
  find(library, "curl_easy_setopt", functions.easy_setopt);
  find(library, "curl_easy_perform", functions.easy_perform);
  find(library, "curl_easy_getinfo", functions.easy_getinfo);
  find(library, "curl_easy_strerror", functions.easy_strerror);
  find(library, "curl_multi_init", functions.multi_init);
  find(library, "curl_multi_cleanup", functions.multi_cleanup);
  find(library, "curl_multi_setopt", functions.multi_setopt);
  find(library, "curl_multi_add_handle", functions.multi_add_handle);
  find(library, "curl_multi_remove_handle", functions.multi_remove_handle);
  find(library, "curl_multi_socket_action", functions.multi_socket_action);
  find(library, "curl_multi_info_read", functions.multi_info_read);
  find(library, "curl_slist_append", functions.slist_append);
  find(library, "curl_slist_free_all", functions.slist_free_all);
  find(library, "curl_version_info", functions.version_info);
  decltype(&::curl_global_init) global_init = nullptr;
  find(library, "curl_global_init", global_init);
  if (global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
    throw RunError("libcurl cannot be initialised; check that memory and entropy are available");
  }
  return functions;
}

}  // namespace

const CurlLibrary& libcurl() {
  static const CurlLibrary library = load();
  return library;
}

}  // namespace scalemark

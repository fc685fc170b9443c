// libcurl, loaded when it is first needed.
//
// libcurl brings some thirty libraries along, which cost a process 8 MB and a tenth of a second. A run with
// the native engine needs none of them, and memory per connection is a figure that this tool stands for; so
// libcurl is not linked but opened on first use, by the curl engine or by a check of a mail cluster. The
// members are libcurl's own functions under their names without the prefix. Immutable once loaded;
// thread-safe.
#pragma once

#include <curl/curl.h>

namespace scalemark {

struct CurlLibrary {
  decltype(&::curl_easy_init) easy_init;
  decltype(&::curl_easy_cleanup) easy_cleanup;
  decltype(&::curl_easy_setopt) easy_setopt;
  decltype(&::curl_easy_perform) easy_perform;
  decltype(&::curl_easy_getinfo) easy_getinfo;
  decltype(&::curl_easy_strerror) easy_strerror;
  decltype(&::curl_multi_init) multi_init;
  decltype(&::curl_multi_cleanup) multi_cleanup;
  decltype(&::curl_multi_setopt) multi_setopt;
  decltype(&::curl_multi_add_handle) multi_add_handle;
  decltype(&::curl_multi_remove_handle) multi_remove_handle;
  decltype(&::curl_multi_socket_action) multi_socket_action;
  decltype(&::curl_multi_info_read) multi_info_read;
  decltype(&::curl_slist_append) slist_append;
  decltype(&::curl_slist_free_all) slist_free_all;
  decltype(&::curl_version_info) version_info;
};

/// Loads and initialises libcurl at the first call. Throws RunError when it is not installed or too old.
[[nodiscard]] const CurlLibrary& libcurl();

}  // namespace scalemark

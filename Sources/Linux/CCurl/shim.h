// Swift cannot call curl_easy_setopt, curl_easy_getinfo, and curl_multi_setopt, because they are variadic. So there is a wrapper for each
// kind of argument. CURL and CURLM are void, so Swift imports pointers to both as UnsafeMutableRawPointer.
#ifndef FUTUREIMAGE_CCURL_SHIM_H
#define FUTUREIMAGE_CCURL_SHIM_H

#if !__has_include(<curl/curl.h>)
#error "libcurl is missing; install the Debian package libcurl4-openssl-dev"
#endif
#include <curl/curl.h>
#include <stdbool.h>

typedef size_t (*ccurl_data_callback)(char *bytes, size_t size, size_t count, void *context);

static inline CURLcode ccurl_global_init(void) { return curl_global_init(CURL_GLOBAL_DEFAULT); }

// Whether libcurl was built with HTTP/2. Without it, libcurl refuses the option for that version.
static inline bool ccurl_has_http2(void) { return (curl_version_info(CURLVERSION_NOW)->features & CURL_VERSION_HTTP2) != 0; }

static inline CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value) { return curl_easy_setopt(easy, option, value); }

// libcurl copies the string.
static inline CURLcode ccurl_set_string(CURL *easy, CURLoption option, const char *value) { return curl_easy_setopt(easy, option, value); }

// libcurl stores the pointer.
static inline CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, void *value) { return curl_easy_setopt(easy, option, value); }

// libcurl stores the pointer to the list. Null removes it.
static inline CURLcode ccurl_set_list(CURL *easy, CURLoption option, struct curl_slist *value) {
  return curl_easy_setopt(easy, option, value);
}

// Sets CURLOPT_WRITEFUNCTION or CURLOPT_HEADERFUNCTION.
static inline CURLcode ccurl_set_data_callback(CURL *easy, CURLoption option, ccurl_data_callback callback) {
  return curl_easy_setopt(easy, option, callback);
}

typedef int (*ccurl_progress_callback)(void *context, curl_off_t in, curl_off_t received, curl_off_t out, curl_off_t sent);

static inline CURLcode ccurl_set_progress_callback(CURL *easy, ccurl_progress_callback callback) {
  return curl_easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, callback);
}

typedef int (*ccurl_request_callback)(void *context, char *address, char *own_address, int port, int own_port);

// Sets the function that libcurl calls before it sends each request. A result other than 0 ends the exchange. Before 7.80, libcurl makes no
// such call.
static inline CURLcode ccurl_set_request_callback(CURL *easy, ccurl_request_callback callback, void *context) {
#if LIBCURL_VERSION_NUM >= 0x075000
  const CURLcode code = curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, callback);
  return code != CURLE_OK ? code : curl_easy_setopt(easy, CURLOPT_PREREQDATA, context);
#else
  (void)easy, (void)callback, (void)context;
  return CURLE_OK;
#endif
}

typedef int (*ccurl_socket_callback)(void *context, curl_socket_t socket, curlsocktype purpose);

// Sets the function that libcurl calls after it creates a socket, and before it connects the socket. If the result is 0, libcurl continues.
static inline CURLcode ccurl_set_opened_callback(CURL *easy, ccurl_socket_callback callback, void *context) {
  const CURLcode code = curl_easy_setopt(easy, CURLOPT_SOCKOPTFUNCTION, callback);
  return code != CURLE_OK ? code : curl_easy_setopt(easy, CURLOPT_SOCKOPTDATA, context);
}

typedef int (*ccurl_close_callback)(void *context, curl_socket_t socket);

// Sets the function that libcurl calls to close a socket. The connection stores the function and the context, and may outlive the handle.
static inline CURLcode ccurl_set_close_callback(CURL *easy, ccurl_close_callback callback, void *context) {
  const CURLcode code = curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, callback);
  return code != CURLE_OK ? code : curl_easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, context);
}

// Allows only HTTP and HTTPS. libcurl 7.85 introduced an option with the names of protocols, and deprecated the option with a bit mask.
static inline CURLcode ccurl_allow_only_http(CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075500
  return curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
#else
  return curl_easy_setopt(easy, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
}

// Lets an abandoned name lookup end in its own thread, so that the caller does not wait for it. Before 7.87, libcurl has no such option.
static inline void ccurl_abandon_lookups(CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075700
  curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
#else
  (void)easy;
#endif
}

static inline CURLcode ccurl_get_long(CURL *easy, CURLINFO info, long *value) { return curl_easy_getinfo(easy, info, value); }

static inline CURLcode ccurl_get_offset(CURL *easy, CURLINFO info, curl_off_t *value) { return curl_easy_getinfo(easy, info, value); }

static inline CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}

// Returns the handle of the next exchange that has ended, and its result code. Returns null if no other exchange has ended. CURLMSG_DONE is
// the only kind of message.
static inline CURL *ccurl_multi_next_done(CURLM *multi, CURLcode *code) {
  int left;
  CURLMsg *message;
  while ((message = curl_multi_info_read(multi, &left))) {
    if (message->msg != CURLMSG_DONE) continue;
    *code = message->data.result;
    return message->easy_handle;
  }
  return NULL;
}

#endif

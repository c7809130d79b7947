#include <stdio.h>
#include <string.h>

#include <curl/curl.h>

#include "workers.h"

struct body {
  uint8_t *bytes;
  size_t count, capacity;
};

static size_t on_bytes(char *bytes, size_t size, size_t count, void *context) {
  struct body *body = context;
  const size_t more = size * count;
  if (body->count + more > body->capacity) {
    body->capacity = (body->count + more) * 2;
    body->bytes = realloc(body->bytes, body->capacity);
  }
  memcpy(body->bytes + body->count, bytes, more);
  body->count += more;
  return more;
}

static void begin(CURLM *multi, CURL *easy, struct body *body, const char *url) {
  *body = (struct body){.capacity = 1 << 16, .bytes = malloc(1 << 16)};
  curl_easy_setopt(easy, CURLOPT_URL, url);
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_bytes);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, body);
  curl_easy_setopt(easy, CURLOPT_PRIVATE, body);
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(easy, CURLOPT_PROXY, "");
  curl_multi_add_handle(multi, easy);
}

// Passes the body to the workers if the exchange succeeded, or frees the body otherwise. Returns whether the exchange succeeded.
static bool finish(CURLMsg *message, struct workers *workers) {
  long status = 0;
  struct body *body = NULL;
  curl_easy_getinfo(message->easy_handle, CURLINFO_RESPONSE_CODE, &status);
  curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &body);
  const bool done = message->data.result == CURLE_OK && status == 200;
  if (done) workers_add(workers, body->bytes, body->count, NULL);
  if (!done) free(body->bytes);
  return done;
}

double reference_feed(const char *const *urls, size_t count, int connections, int threads, uint32_t box) {
  curl_global_init(CURL_GLOBAL_DEFAULT);
  const double start = reference_wall_seconds();
  struct workers *workers = workers_start(count, threads, box);
  CURLM *multi = curl_multi_init();
  CURL **easy = calloc((size_t)connections, sizeof *easy);
  struct body *bodies = calloc((size_t)connections, sizeof *bodies);
  size_t next = 0, ended = 0;
  bool failed = false;
  for (int i = 0; i < connections && next < count; i++) {
    easy[i] = curl_easy_init();
    begin(multi, easy[i], &bodies[i], urls[next++]);
  }
  while (ended < count && !failed) {
    int running, left;
    curl_multi_perform(multi, &running);
    CURLMsg *message;
    while ((message = curl_multi_info_read(multi, &left)) != NULL) {
      CURL *handle = message->easy_handle;
      struct body *body = NULL;
      curl_easy_getinfo(handle, CURLINFO_PRIVATE, &body);
      if (!finish(message, workers)) failed = true;
      ended++;
      curl_multi_remove_handle(multi, handle);
      if (next < count && !failed) begin(multi, handle, body, urls[next++]);
    }
    if (ended < count && !failed) curl_multi_poll(multi, NULL, 0, 1000, NULL);
  }
  const double end = workers_end(workers);
  for (int i = 0; i < connections; i++) {
    if (easy[i] != NULL) curl_easy_cleanup(easy[i]);
  }
  curl_multi_cleanup(multi);
  free(easy);
  free(bodies);
  return failed || end < 0 ? -1 : end - start;
}

double reference_files(const char *const *paths, size_t count, int threads, uint32_t box) {
  const double start = reference_wall_seconds();
  struct workers *workers = workers_start(count, threads, box);
  for (size_t i = 0; i < count; i++) workers_add(workers, NULL, 0, paths[i]);
  const double end = workers_end(workers);
  return end < 0 ? -1 : end - start;
}

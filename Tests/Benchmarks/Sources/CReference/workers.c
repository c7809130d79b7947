#include "workers.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

struct job {
  uint8_t *bytes;
  size_t count;
  const char *path;
  uint8_t *pixels;
};

struct workers {
  pthread_mutex_t mutex;
  pthread_cond_t added;
  struct job *jobs;
  size_t count, taken;
  bool ended, failed;
  uint32_t box;
  int threads;
  pthread_t thread[64];
};

static bool read_file(struct job *job) {
  const int file = open(job->path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  struct stat status;
  bool done = fstat(file, &status) == 0;
  if (done) {
    job->count = (size_t)status.st_size;
    job->bytes = malloc(job->count);
    for (size_t have = 0; done && have < job->count;) {
      const ssize_t got = read(file, job->bytes + have, job->count - have);
      if (got <= 0) done = false;
      have += (size_t)(got > 0 ? got : 0);
    }
  }
  close(file);
  return done;
}

static void *work(void *context) {
  struct workers *workers = context;
  pthread_mutex_lock(&workers->mutex);
  while (true) {
    while (workers->taken == workers->count && !workers->ended) pthread_cond_wait(&workers->added, &workers->mutex);
    if (workers->taken == workers->count) break;
    struct job *job = &workers->jobs[workers->taken++];
    pthread_mutex_unlock(&workers->mutex);
    uint32_t width, height;
    if (job->bytes != NULL || read_file(job)) {
      job->pixels = reference_decode_jpeg((reference_bytes){job->bytes, job->count}, workers->box, &width, &height);
    }
    free(job->bytes);
    pthread_mutex_lock(&workers->mutex);
    if (job->pixels == NULL) workers->failed = true;
  }
  pthread_mutex_unlock(&workers->mutex);
  return NULL;
}

struct workers *workers_start(size_t capacity, int threads, uint32_t box) {
  struct workers *workers = calloc(1, sizeof *workers);
  workers->jobs = calloc(capacity, sizeof *workers->jobs);
  workers->box = box;
  workers->threads = threads < 64 ? threads : 64;
  pthread_mutex_init(&workers->mutex, NULL);
  pthread_cond_init(&workers->added, NULL);
  for (int i = 0; i < workers->threads; i++) pthread_create(&workers->thread[i], NULL, work, workers);
  return workers;
}

void workers_add(struct workers *workers, uint8_t *bytes, size_t count, const char *path) {
  pthread_mutex_lock(&workers->mutex);
  workers->jobs[workers->count++] = (struct job){.bytes = bytes, .count = count, .path = path};
  pthread_cond_signal(&workers->added);
  pthread_mutex_unlock(&workers->mutex);
}

double workers_end(struct workers *workers) {
  pthread_mutex_lock(&workers->mutex);
  workers->ended = true;
  pthread_cond_broadcast(&workers->added);
  pthread_mutex_unlock(&workers->mutex);
  for (int i = 0; i < workers->threads; i++) pthread_join(workers->thread[i], NULL);
  const double end = workers->failed ? -1 : reference_wall_seconds();
  for (size_t i = 0; i < workers->count; i++) free(workers->jobs[i].pixels);
  free(workers->jobs);
  pthread_cond_destroy(&workers->added);
  pthread_mutex_destroy(&workers->mutex);
  free(workers);
  return end;
}

// Measures how long a program holds its mutexes, if this library is preloaded into the program. It measures only adaptive mutexes, because
// all adaptive mutexes of the process are locks of FutureImage. So a release build can be measured unchanged.
//
// The duration of a hold is the thread's processor time (CLOCK_THREAD_CPUTIME_ID, which is a call of the kernel and takes 0.3 us). Wall
// time would only show which thread the scheduler happened to stop.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <time.h>

// No thread holds so many locks of FutureImage at a time. Each lock has one of seven ranks, and a thread that holds a lock acquires only
// locks of a greater rank.
#define DEPTH 16

struct hold {
  pthread_mutex_t *mutex;
  uint64_t start;
};

static __thread struct hold holds[DEPTH];
static __thread int depth;
static _Atomic uint64_t longest;
static _Atomic uint64_t count;

static uint64_t thread_nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static int is_measured(const pthread_mutex_t *mutex) { return (mutex->__data.__kind & 127) == PTHREAD_MUTEX_ADAPTIVE_NP; }

// The functions that this library replaces. They are looked up once, before the program starts, because the lookup may acquire locks.
static int (*next_lock)(pthread_mutex_t *);
static int (*next_unlock)(pthread_mutex_t *);

__attribute__((constructor)) static void find(void) {
  next_lock = (int (*)(pthread_mutex_t *))dlsym(RTLD_NEXT, "pthread_mutex_lock");
  next_unlock = (int (*)(pthread_mutex_t *))dlsym(RTLD_NEXT, "pthread_mutex_unlock");
}

int pthread_mutex_lock(pthread_mutex_t *mutex) {
  if (!next_lock) find();
  int status = next_lock(mutex);
  if (status == 0 && is_measured(mutex) && depth < DEPTH) {
    holds[depth].mutex = mutex;
    holds[depth].start = thread_nanoseconds();
    depth++;
  }
  return status;
}

int pthread_mutex_unlock(pthread_mutex_t *mutex) {
  if (!next_unlock) find();
  if (depth > 0 && holds[depth - 1].mutex == mutex) {
    depth--;
    uint64_t held = thread_nanoseconds() - holds[depth].start;
    uint64_t known = atomic_load(&longest);
    while (held > known && !atomic_compare_exchange_weak(&longest, &known, held)) {}
    atomic_fetch_add(&count, 1);
  }
  return next_unlock(mutex);
}

// Returns the longest hold since the last call, in nanoseconds.
uint64_t lock_times_longest(void) { return atomic_exchange(&longest, 0); }

uint64_t lock_times_count(void) { return atomic_exchange(&count, 0); }

#define _GNU_SOURCE
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "CReference.h"

size_t reference_heap_bytes(void) {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

void reference_give_memory_back(void) { malloc_trim(0); }

static double seconds(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

double reference_thread_seconds(void) { return seconds(CLOCK_THREAD_CPUTIME_ID); }

double reference_process_seconds(void) { return seconds(CLOCK_PROCESS_CPUTIME_ID); }

double reference_wall_seconds(void) { return seconds(CLOCK_MONOTONIC); }

void reference_use_cores(int count) {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
  for (int core = 0; core < CPU_SETSIZE; core++) {
    if (CPU_ISSET(core, &allowed) && count-- <= 0) CPU_CLR(core, &allowed);
  }
  sched_setaffinity(0, sizeof allowed, &allowed);
}

static uint32_t table[8][256];

static void make_table(void) {
  for (uint32_t byte = 0; byte < 256; byte++) {
    uint32_t rest = byte;
    for (int i = 0; i < 8; i++) rest = rest >> 1 ^ (rest & 1 ? 0xEDB88320 : 0);
    table[0][byte] = rest;
  }
  for (int n = 1; n < 8; n++) {
    for (uint32_t byte = 0; byte < 256; byte++) table[n][byte] = table[n - 1][byte] >> 8 ^ table[0][table[n - 1][byte] & 255];
  }
}

static uint32_t checksum(const uint8_t *bytes, size_t count) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, make_table);
  uint32_t sum = UINT32_MAX;
  while (count >= 8) {
    uint64_t word;
    memcpy(&word, bytes, 8);
    word ^= sum;
    sum = 0;
    for (int i = 0; i < 8; i++) sum ^= table[7 - i][word >> (8 * i) & 255];
    bytes += 8;
    count -= 8;
  }
  while (count-- > 0) sum = sum >> 8 ^ table[0][(sum ^ *bytes++) & 255];
  return ~sum;
}

uint32_t reference_read(const char *path, size_t *count) {
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  struct stat status;
  fstat(file, &status);
  uint8_t *bytes = malloc((size_t)status.st_size);
  const ssize_t got = read(file, bytes, (size_t)status.st_size);
  close(file);
  *count = got > 0 ? (size_t)got : 0;
  const uint32_t sum = checksum(bytes, *count);
  free(bytes);
  return sum;
}

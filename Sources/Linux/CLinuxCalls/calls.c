#ifdef __linux__
#define _GNU_SOURCE
#include "CLinuxCalls.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

// Headers that are older than the kernel may lack these declarations: struct open_how, flags, and a number of a system call, which is the
// same on every architecture on which Swift runs. A kernel that is too old refuses the calls.
struct open_how_1 {
  uint64_t flags, mode, resolve;
};
enum { openat2_number = 437, resolve_cached = 0x20, no_wait = 0x08 };

// Each version of Android has a list of allowed system calls, and ends an app that makes any other call (bytecodealliance/cap-std, issues
// 196 and 311). So on Android, neither openat2 nor preadv2 is called, and both fail as on an old kernel.
#ifdef __ANDROID__
#define CALL(...) (errno = ENOSYS, -1)
#else
#define CALL(...) syscall(__VA_ARGS__)
#endif

static int open_cached(const char *path, uint64_t flags) {
  const struct open_how_1 how = {flags, 0, resolve_cached};
  return (int)CALL((long)openat2_number, (long)AT_FDCWD, path, &how, sizeof(how));
}

int clinux_open_cached(const char *path) {
  return open_cached(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC | O_NOATIME);
}

bool clinux_is_known_missing(const char *path) {
  // O_PATH finds the position in the directory tree without opening the file there. Opening that file could send a request to a network or
  // to a program that provides its file system.
  const int place = open_cached(path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
  if (place >= 0) close(place);
  return place < 0 && errno == ENOENT;
}

long clinux_read_cached(int file, void *bytes, size_t count) {
  const struct iovec room = {bytes, count};
  // The two arguments -1 are the halves of the position -1, which means the current position of the file.
  return CALL(SYS_preadv2, (long)file, &room, 1L, -1L, -1L, (long)no_wait);
}

long clinux_write(int file, const void *bytes, size_t count) {
  sigset_t limit, before, pending;
  sigemptyset(&limit);
  sigaddset(&limit, SIGXFSZ);
  // Blocking the signal for the calling thread is enough, because the kernel sends SIGXFSZ to the thread that writes.
  if (pthread_sigmask(SIG_BLOCK, &limit, &before) != 0) return write(file, bytes, count);
  sigpending(&pending);
  const long result = write(file, bytes, count);
  const int error = errno;
  if (result < 0 && error == EFBIG && !sigismember(&pending, SIGXFSZ)) {
    // Removes the signal of this write. Otherwise, it would be delivered as soon as the old mask is restored. A signal that was pending
    // before the write belongs to the program, and stays pending.
    const struct timespec at_once = {0, 0};
    while (sigtimedwait(&limit, NULL, &at_once) < 0 && errno == EINTR) continue;
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  errno = error;
  return result;
}

bool clinux_start_thread(void *(*run)(void *), void *context) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, run, context) != 0) return false;
  pthread_detach(thread);
  return true;
}
#endif

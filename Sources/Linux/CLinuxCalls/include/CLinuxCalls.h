// Wrappers for system calls of Linux. Some are here because glibc has no function for openat2, and musl before 1.2.5 has none for preadv2.
// These calls use only cached data, and otherwise fail. Others are here because their types in Swift depend on the C library.
#ifndef FUTUREIMAGE_CLINUXCALLS_H
#define FUTUREIMAGE_CLINUXCALLS_H

#include <stdbool.h>
#include <stddef.h>

// Opens a file for reading. Returns its descriptor, or -1 with one of these errors:
//
// - EAGAIN: a directory in the path is not cached.
// - ENOSYS: the system is older than Linux 5.6.
// - EINVAL: the system is older than Linux 5.12.
// - EPERM: the file belongs to another user.
//
// The last component of the path must not be a link. The time of access stays unchanged, because changing it could wait for the disk.
int clinux_open_cached(const char *path);

// Whether the kernel's cache of directories shows that nothing exists at the path. Sends no request to a disk or a network. Returns false
// if the cache has no answer.
bool clinux_is_known_missing(const char *path);

// Reads like read(2). Returns -1 with EAGAIN if none of the next bytes is in memory, or with EOPNOTSUPP if the file's disk does not support
// this check.
long clinux_read_cached(int file, void *bytes, size_t count);

// Writes like write(2). But if the file would grow beyond RLIMIT_FSIZE, fails with EFBIG without sending a signal.
long clinux_write(int file, const void *bytes, size_t count);

// Starts a detached thread that calls the function with the context. Returns whether the thread was started.
bool clinux_start_thread(void *(*run)(void *), void *context);

#endif

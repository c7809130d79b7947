// Linux's calls that are answered from memory or not at all. Swift has neither: glibc has no function for the first, and declares the
// second for GNU programs only.
#ifndef FUTUREIMAGE_CLINUXCALLS_H
#define FUTUREIMAGE_CLINUXCALLS_H

#include <stdbool.h>
#include <stddef.h>

// A descriptor for reading, or -1: with EAGAIN where the way there is not in memory, ENOSYS before Linux 5.6, EINVAL before 5.12.
// The last component may not be a link. The time of access stays as it is, since changing it could wait for the disk; EPERM if the file is
// not the user's own.
int clinux_open_cached(const char *path);

// Whether nothing is at the path, as far as is known in memory. Whatever the disk, nobody is asked; false where that cannot be told.
bool clinux_is_known_missing(const char *path);

// As read(2), or -1: with EAGAIN where nothing of what comes next is in memory, EOPNOTSUPP where the file's disk cannot tell.
long clinux_read_cached(int file, void *bytes, size_t count);

// As write(2), but a file that would grow beyond RLIMIT_FSIZE is EFBIG and no signal.
long clinux_write(int file, const void *bytes, size_t count);

#endif

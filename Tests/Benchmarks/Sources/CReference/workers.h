#ifndef CREFERENCE_WORKERS_H
#define CREFERENCE_WORKERS_H

#include <stdlib.h>

#include "CReference.h"

// Threads that decode the files passed to them, in the order in which the files were added.
struct workers;

struct workers *workers_start(size_t capacity, int threads, uint32_t box);
// Adds a file. `bytes` must come from malloc, and the workers free them. If `bytes` is null, a worker reads the file at `path`.
void workers_add(struct workers *workers, uint8_t *bytes, size_t count, const char *path);
// Waits until all files are decoded, and frees everything. Returns the time at the end of the last decode, or -1 if a file failed.
double workers_end(struct workers *workers);

#endif

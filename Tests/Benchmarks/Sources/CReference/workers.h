#ifndef CREFERENCE_WORKERS_H
#define CREFERENCE_WORKERS_H

#include <stdlib.h>

#include "CReference.h"

// Threads that decode the files passed to them, in the order of their arrival.
struct workers;

struct workers *workers_start(size_t capacity, int threads, uint32_t box);
// Takes ownership of the bytes, which malloc allocated. Null bytes with a path mean that the worker reads the file.
void workers_add(struct workers *workers, uint8_t *bytes, size_t count, const char *path);
// Waits until all files are decoded. Returns the time at that moment, or -1 if one failed, and frees everything.
double workers_end(struct workers *workers);

#endif

#ifndef CREFERENCE_WORKERS_H
#define CREFERENCE_WORKERS_H

#include <stdlib.h>

#include "CReference.h"

// Threads that decode what is handed to them, in the order it comes.
struct workers;

struct workers *workers_start(size_t capacity, int threads, uint32_t box);
// Takes over the bytes, which came from malloc; null bytes with a path mean that the worker reads the file.
void workers_add(struct workers *workers, uint8_t *bytes, size_t count, const char *path);
// Waits until all is decoded. Returns the time when it was, or -1 if one failed. Then frees everything.
double workers_end(struct workers *workers);

#endif

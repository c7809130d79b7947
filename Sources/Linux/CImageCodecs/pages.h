#ifndef CIC_PAGES_H
#define CIC_PAGES_H

#include <stddef.h>

// Allocates temporary memory, initially zero; NULL if memory runs out. Large allocations get pages of their own and return to the system at
// once: in the heap they would leave holes that smaller allocations of others keep open. A few megabytes come from the heap all the same,
// because the system's first touch of each page takes longer than decoding into it.
void *cic_pages_new(size_t bytes);

// Frees the pages, given the number of bytes that was requested. Does nothing for NULL.
void cic_pages_free(void *pages, size_t bytes);

#endif

#ifndef CIC_PAGES_H
#define CIC_PAGES_H

#include <stddef.h>

// Memory for a while, zero at first, NULL when there is none left. Much of it comes in pages of its own and goes back to the system at
// once: in the heap it would leave holes that others' smaller pieces keep open. A few megabytes come from the heap all the same, because
// the system's first touch of each page takes longer than to decode into it.
void *cic_pages_new(size_t bytes);

// With the number of bytes that was asked for. Nothing happens for NULL.
void cic_pages_free(void *pages, size_t bytes);

#endif

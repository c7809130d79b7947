#ifndef CIC_PAGES_H
#define CIC_PAGES_H

#include <stddef.h>

// Allocates temporary memory, which is initially zero. Returns NULL if memory runs out. Large allocations get pages of their own, which
// return to the system as soon as they are freed. In the heap, a freed large allocation would leave a hole, and smaller allocations of
// other code could prevent the heap from returning the hole to the system. Allocations of up to a few megabytes come from the heap
// nevertheless, because the system takes longer to provide new pages than a decoder takes to write them.
void *cic_pages_new(size_t bytes);

// Frees memory of cic_pages_new. `bytes` is the number of bytes that was requested. Does nothing for NULL.
void cic_pages_free(void *pages, size_t bytes);

// These functions do the same for the canvas of an animation, which always gets pages of its own. A canvas is allocated rarely, and threads
// take turns at opening animations. The heap would retain a freed canvas for each of these threads.
void *cic_canvas_new(size_t bytes);
void cic_canvas_free(void *canvas, size_t bytes);

#endif

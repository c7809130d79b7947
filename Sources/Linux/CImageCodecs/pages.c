#include "pages.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

// An allocation of at least this many bytes gets pages of its own.
static const size_t much = 4 << 20;

// The alignment that libjpeg's vector instructions require of its blocks.
static const size_t alignment = 32;

void *cic_pages_new(size_t bytes) {
  if (bytes >= much) return cic_canvas_new(bytes);
  void *memory = aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  return memory == NULL ? NULL : memset(memory, 0, bytes);
}

void cic_pages_free(void *pages, size_t bytes) {
  if (bytes >= much) cic_canvas_free(pages, bytes); else free(pages);
}

void *cic_canvas_new(size_t bytes) {
  void *pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return pages == MAP_FAILED ? NULL : pages;
}

void cic_canvas_free(void *canvas, size_t bytes) {
  if (canvas != NULL) munmap(canvas, bytes);
}

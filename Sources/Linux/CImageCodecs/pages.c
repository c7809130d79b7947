#include "pages.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

// An allocation of at least this many bytes gets pages of its own.
static const size_t much = 4 << 20;

// The alignment that libjpeg's vector instructions require of its blocks.
static const size_t alignment = 32;

void *cic_pages_new(size_t bytes) {
  if (bytes < much) {
    void *memory = aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    return memory == NULL ? NULL : memset(memory, 0, bytes);
  }
  void *pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return pages == MAP_FAILED ? NULL : pages;
}

void cic_pages_free(void *pages, size_t bytes) {
  if (bytes < much) {
    free(pages);
  } else if (pages != NULL) {
    munmap(pages, bytes);
  }
}

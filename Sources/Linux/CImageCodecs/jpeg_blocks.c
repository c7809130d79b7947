#include "jpeg_blocks.h"

#include <string.h>

#include "pages.h"

static size_t blocks_in(const jvirt_barray_ptr array, JDIMENSION rows) { return (size_t)array->columns * rows; }

// Allocates one area for three parts: the blocks, the pointers to their rows, and the first coefficients. No part requires a larger
// alignment than the part before it, so the area needs no gaps.
static bool allocate(jvirt_barray_ptr array, bool keeps_first) {
  const JDIMENSION held = keeps_first ? array->most : array->height;
  const size_t blocks = blocks_in(array, held) * sizeof(JBLOCK), rows = held * sizeof(JBLOCKROW);
  const size_t first = keeps_first ? blocks_in(array, array->height) * sizeof(JCOEF) : 0;
  array->bytes = blocks + rows + first;
  array->pages = cic_pages_new(array->bytes);
  if (array->pages == NULL) return false;
  JBLOCKROW row = array->pages;
  array->rows = (JBLOCKROW *)(row + blocks_in(array, held));
  for (JDIMENSION i = 0; i < held; i++) array->rows[i] = row + blocks_in(array, i);
  array->first = keeps_first ? (JCOEF *)(array->rows + held) : NULL;
  return true;
}

// libjpeg requests one array for each component, in the order of the components.
static jvirt_barray_ptr request(
    j_common_ptr jpeg, int pool, boolean is_zero, JDIMENSION columns, JDIMENSION height, JDIMENSION most) {
  (void)pool, (void)is_zero;
  struct jpeg_blocks *blocks = jpeg->client_data;
  if (blocks->count == MAX_COMPONENTS) blocks->fail(jpeg, CIC_UNSUPPORTED, "a JPEG with too many components");
  jvirt_barray_ptr array = &blocks->arrays[blocks->count];
  *array = (struct jvirt_barray_control){.columns = columns, .height = height, .most = most};
  if (!allocate(array, blocks->keeps_first[blocks->count])) blocks->fail(jpeg, CIC_NO_MEMORY, "out of memory");
  blocks->count++;
  return array;
}

// Stores the first coefficients of the rows in use. Then loads the first coefficients of `count` rows from `start`, which become the rows
// in use.
static JBLOCKARRAY use_rows(jvirt_barray_ptr array, JDIMENSION start, JDIMENSION count) {
  JBLOCKROW block = array->rows[0];
  JCOEF *first = array->first + blocks_in(array, array->start);
  for (size_t i = 0; i < blocks_in(array, array->count); i++) first[i] = block[i][0];
  array->start = start;
  array->count = count;
  first = array->first + blocks_in(array, start);
  memset(block, 0, blocks_in(array, count) * sizeof(JBLOCK));
  for (size_t i = 0; i < blocks_in(array, count); i++) block[i][0] = first[i];
  return array->rows;
}

static JBLOCKARRAY rows_at(j_common_ptr jpeg, jvirt_barray_ptr array, JDIMENSION start, JDIMENSION count, boolean writable) {
  (void)writable;
  if (start > array->height || count > array->height - start || count > array->most) {
    const struct jpeg_blocks *blocks = jpeg->client_data;
    blocks->fail(jpeg, CIC_CORRUPT, "the JPEG's pixels are broken");
  }
  return array->first == NULL ? array->rows + start : use_rows(array, start, count);
}

void cic_jpeg_keep_blocks(struct jpeg_decompress_struct *jpeg) {
  jpeg->mem->request_virt_barray = request;
  jpeg->mem->access_virt_barray = rows_at;
}

void cic_jpeg_free_blocks(struct jpeg_blocks *blocks) {
  for (int i = 0; i < blocks->count; i++) cic_pages_free(blocks->arrays[i].pages, blocks->arrays[i].bytes);
  blocks->count = 0;
}

#include "gif_lzw.h"

#include <string.h>

void cic_gif_lzw_start(struct gif_lzw *lzw, cic_input input, size_t position, uint8_t pixel_bits) {
  lzw->input = input;
  lzw->position = lzw->block_end = position;
  lzw->end = gif_lzw_running;
  lzw->bits = lzw->bit_count = lzw->waiting = 0;
  lzw->least_size = (uint32_t)pixel_bits + 1;
  lzw->size = lzw->least_size;
  lzw->next = (1U << pixel_bits) + 2;
  lzw->before = -1;
  lzw->first = 0;
}

// Reads the length of the next sub-block. Returns false if there is no other sub-block.
static bool begin_block(struct gif_lzw *lzw) {
  if (lzw->position >= lzw->input.count) {
    lzw->end = gif_lzw_cut_off;
    return false;
  }
  const size_t length = lzw->input.bytes[lzw->position++];
  if (length == 0) {
    lzw->end = gif_lzw_ended;
    return false;
  }
  lzw->block_end = lzw->position + length;
  return true;
}

static bool read_code(struct gif_lzw *lzw, uint32_t *code) {
  while (lzw->bit_count < lzw->size) {
    if (lzw->position == lzw->block_end && !begin_block(lzw)) return false;
    if (lzw->position >= lzw->input.count) {
      lzw->end = gif_lzw_cut_off;
      return false;
    }
    lzw->bits |= (uint32_t)lzw->input.bytes[lzw->position++] << lzw->bit_count;
    lzw->bit_count += 8;
  }
  *code = lzw->bits & ((1U << lzw->size) - 1);
  lzw->bits >>= lzw->size;
  lzw->bit_count -= lzw->size;
  return true;
}

// Adds an entry to the table: the previous code followed by `pixel`. A full table does not change until a code clears it.
static void add_entry(struct gif_lzw *lzw, uint8_t pixel) {
  if (lzw->before < 0 || lzw->next >= gif_lzw_codes) return;
  lzw->prefix[lzw->next] = (uint16_t)lzw->before;
  lzw->suffix[lzw->next] = pixel;
  lzw->next++;
}

// Reads codes until a code represents pixels, and appends these pixels to `pixels` in reverse order.
static bool fill(struct gif_lzw *lzw) {
  const uint32_t clear = 1U << (lzw->least_size - 1);
  uint32_t code;
  for (;;) {
    if (!read_code(lzw, &code)) return false;
    if (code != clear) break;
    lzw->size = lzw->least_size;
    lzw->next = clear + 2;
    lzw->before = -1;
  }
  if (code == clear + 1) {
    lzw->end = gif_lzw_ended;
    return false;
  }
  // A code may refer to the table entry that it is itself about to add. That entry consists of the pixels of the previous code, followed by
  // the first of these pixels.
  const bool is_its_own = code == lzw->next && lzw->before >= 0 && lzw->next < gif_lzw_codes;
  if (code >= lzw->next && !is_its_own) {
    lzw->end = gif_lzw_damaged;
    return false;
  }
  if (is_its_own) lzw->pixels[lzw->waiting++] = lzw->first;
  uint32_t rest = is_its_own ? (uint32_t)lzw->before : code;
  for (; rest > clear; rest = lzw->prefix[rest]) lzw->pixels[lzw->waiting++] = lzw->suffix[rest];
  lzw->first = (uint8_t)rest;
  lzw->pixels[lzw->waiting++] = lzw->first;
  add_entry(lzw, lzw->first);
  lzw->before = (int32_t)code;
  if (lzw->next >= 1U << lzw->size && lzw->next < gif_lzw_codes) lzw->size++;
  return true;
}

bool cic_gif_lzw_read(struct gif_lzw *lzw, uint8_t *pixels, size_t count) {
  while (count > 0) {
    if (lzw->waiting == 0 && (lzw->end != gif_lzw_running || !fill(lzw))) return false;
    for (; lzw->waiting > 0 && count > 0; count--) *pixels++ = lzw->pixels[--lzw->waiting];
  }
  return true;
}

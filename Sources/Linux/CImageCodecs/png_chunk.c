#include "png_chunk.h"

#include <string.h>

#include <zlib.h>

uint32_t cic_png_u32(const uint8_t *bytes) {
  return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

bool cic_png_read_chunk(cic_input input, size_t position, struct png_chunk *chunk) {
  if (position > input.count || input.count - position < png_chunk_bytes) return false;
  const uint8_t *start = input.bytes + position;
  const uint32_t length = cic_png_u32(start);
  if (length > input.count - position - png_chunk_bytes) return false;
  *chunk = (struct png_chunk){start + 4, start + 8, length, position + png_chunk_bytes + length};
  return true;
}

bool cic_png_is(const struct png_chunk *chunk, const char *letters) { return memcmp(chunk->letters, letters, 4) == 0; }

bool cic_png_is_intact(const struct png_chunk *chunk) {
  return crc32(0, chunk->letters, (uInt)chunk->length + 4) == cic_png_u32(chunk->data + chunk->length);
}

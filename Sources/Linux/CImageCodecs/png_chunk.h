#ifndef CIC_PNG_CHUNK_H
#define CIC_PNG_CHUNK_H

#include "CImageCodecs.h"

// A chunk of a PNG (PNG, third edition, 5.3): a length, four letters, data of this length, and a CRC. `png_signature_bytes` is the position
// of the first chunk. `png_chunk_bytes` is the size of a chunk without data.
enum { png_signature_bytes = 8, png_chunk_bytes = 12 };

struct png_chunk {
  const uint8_t *letters;  // NULL if there is no chunk
  const uint8_t *data;
  uint32_t length;  // of the data
  size_t end;       // the position of the next chunk
};

// Reads the chunk at a position. Returns false if the input ends before the chunk does.
bool cic_png_read_chunk(cic_input input, size_t position, struct png_chunk *chunk);

bool cic_png_is(const struct png_chunk *chunk, const char *letters);

// Whether the CRC matches the letters and the data. Takes time in proportion to the length.
bool cic_png_is_intact(const struct png_chunk *chunk);

uint32_t cic_png_u32(const uint8_t *bytes);

#endif

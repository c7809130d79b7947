#ifndef CIC_HEIC_SOURCE_H
#define CIC_HEIC_SOURCE_H

#include "heic_tile.h"

// The rows of an image. A row of tiles is decoded when its first row of pixels is needed. Only one row of tiles is in memory.
struct heic_source {
  const struct heic_library *library;
  struct heic_file *file;
  const struct heic_image *image;
  uint32_t item;
  bool is_alpha;
  struct heic_tile *tiles;  // as many as the image has columns
  uint8_t *levels;          // for each sample, its value in 8 bits
  uint32_t next;            // the number of the next row of tiles
};

// Returns false if memory runs out. Call cic_heic_end_source in either case.
bool cic_heic_start_source(struct heic_source *source);

// Writes a row of opaque pixels, or only the alpha of the row if `is_alpha` is true. Rows must be read in order, but some may be left out.
cic_status cic_heic_read_row(struct heic_source *source, uint32_t row, uint8_t *rgba);

void cic_heic_end_source(struct heic_source *source);

#endif

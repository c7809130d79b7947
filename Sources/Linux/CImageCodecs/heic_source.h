#ifndef CIC_HEIC_SOURCE_H
#define CIC_HEIC_SOURCE_H

#include "heic_tile.h"

// The rows of an image, whose tiles are decoded when their first row is needed. Memory has one row of tiles.
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

// Writes a row of opaque pixels, or the alpha of a row. Rows must be read in order. Rows may be left out.
cic_status cic_heic_read_row(struct heic_source *source, uint32_t row, uint8_t *rgba);

void cic_heic_end_source(struct heic_source *source);

#endif

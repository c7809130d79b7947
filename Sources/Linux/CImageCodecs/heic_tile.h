#ifndef CIC_HEIC_TILE_H
#define CIC_HEIC_TILE_H

#include "heic_image.h"
#include "heic_library.h"

// One decoded HEVC picture, in planes of red, green, and blue, or of brightness.
struct heic_tile {
  void *picture;             // of libheif; NULL if the tile is not decoded
  const uint8_t *planes[3];  // one plane for each color
  size_t row_bytes[3];
  int depth;                 // a sample takes two bytes if this is above 8
  int colors;                // 1 or 3
  bool has_full_range;       // whether 0 is black
};

// Decodes the item. libheif gets a file that has only this item, and only the boxes and units that were checked. If the item does not
// declare its colors, the declaration of the item `grid` applies.
cic_status cic_heic_decode_tile(const struct heic_library *library, struct heic_file *file, uint32_t id, uint32_t grid, bool is_alpha,
                                struct heic_tile *tile);

void cic_heic_free_tile(const struct heic_library *library, struct heic_tile *tile);

#endif

#ifndef CIC_HEIC_IMAGE_H
#define CIC_HEIC_IMAGE_H

#include "heif_items.h"
#include "heif_shape.h"
#include "hevc.h"

// The images of a HEIC, as its boxes and parameter sets describe them (ISO/IEC 23008-12). An image is an item with an HEVC picture, or a
// grid of such items. The other kinds of derived images, which may refer to each other in chains and circles, are not read.

// Even the cameras with the most pixels write fewer than 800 tiles.
enum { most_heic_tiles = 1024 };

struct heic_file {
  struct heif_items *items;
  struct heif_part references;
  char *message;
  struct hevc_budget budget;  // the rest of the budget, for the tiles that are not decoded yet
};

// All tiles of a grid have the same size, and the same kind of samples. An image without a grid is itself its only tile.
struct heic_image {
  uint32_t width, height;            // of the whole image
  uint32_t columns, rows;            // the number of tiles across, and down
  uint32_t tile_width, tile_height;
  uint16_t tiles[most_heic_tiles];   // the items of the tiles, row by row
  int chroma, depth;                 // as in hevc.h
  uint64_t pixels;                   // of all tiles, as decoded
  uint64_t tile_bytes;               // the memory for decoding one tile
  uint64_t row_bytes;                // the memory for a row of decoded tiles, except one tile, which `tile_bytes` includes
};

// Reads the description of an image from the file's items. Its memory and time depend on the number of tiles, and not on their sizes.
cic_status cic_heic_read_image(const struct heic_file *file, uint32_t id, struct heic_image *image);

// Reads the description of the alpha that belongs to the image. The alpha is one image, or one item for each tile. If the image has no
// alpha, `alpha->columns` is 0.
cic_status cic_heic_read_alpha(const struct heic_file *file, uint32_t id, const struct heic_image *image, struct heic_image *alpha,
                               bool *is_premultiplied);

// Reads the parameter sets of a tile.
cic_status cic_heic_read_configuration(const struct heic_file *file, uint32_t id, struct hevc_configuration *configuration);

// Returns the part of the image that is shown, and its orientation.
struct heif_rectangle cic_heic_shown_part(const struct heic_file *file, uint32_t id, const struct heic_image *image, int *orientation);

#endif

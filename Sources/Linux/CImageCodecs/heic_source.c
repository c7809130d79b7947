#include "heic_source.h"

#include <stdlib.h>
#include <string.h>

#include "support.h"

enum { most_levels = 1 << 12 };

static void free_tiles(struct heic_source *source) {
  for (uint32_t i = 0; i < source->image->columns; i++) cic_heic_free_tile(source->library, &source->tiles[i]);
}

// Computes the table of levels. In a limited range of 8 bits, 16 is black, and 235 is white. With more bits, both numbers are multiplied by
// `unit`.
static void set_levels(struct heic_source *source, const struct heic_tile *tile) {
  const int32_t count = 1 << tile->depth, unit = count / 256;
  const int32_t black = tile->has_full_range ? 0 : 16 * unit, white = tile->has_full_range ? count - 1 : 235 * unit;
  for (int32_t i = 0; i < count; i++) {
    const int32_t level = ((i - black) * 255 + (white - black) / 2) / (white - black);
    source->levels[i] = (uint8_t)(i <= black ? 0 : level > 255 ? 255 : level);
  }
}

bool cic_heic_start_source(struct heic_source *source) {
  source->tiles = calloc(source->image->columns, sizeof *source->tiles);
  source->levels = malloc(most_levels);
  return source->tiles != NULL && source->levels != NULL;
}

void cic_heic_end_source(struct heic_source *source) {
  if (source->tiles != NULL) free_tiles(source);
  free(source->tiles);
  free(source->levels);
}

static cic_status read_tiles(struct heic_source *source, uint32_t row) {
  const struct heic_image *image = source->image;
  free_tiles(source);
  for (uint32_t i = 0; i < image->columns; i++) {
    const uint32_t id = image->tiles[row * image->columns + i];
    const cic_status status = cic_heic_decode_tile(source->library, source->file, id, source->item, source->is_alpha, &source->tiles[i]);
    if (status != CIC_OK) return status;
    const struct heic_tile *tile = &source->tiles[i], *first = &source->tiles[0];
    if (tile->depth == first->depth && tile->has_full_range == first->has_full_range) continue;
    cic_write_message(source->file->message, "the tiles of the HEIC's grid differ in size or in samples");
    return CIC_CORRUPT;
  }
  set_levels(source, &source->tiles[0]);
  source->next = row + 1;
  return CIC_OK;
}

// Writes the samples of one plane to every fourth byte.
static void write_plane(const struct heic_source *source, const struct heic_tile *tile, int plane, uint32_t row, uint32_t count,
                        uint8_t *to) {
  const uint8_t *levels = source->levels, *from = tile->planes[plane] + row * tile->row_bytes[plane];
  if (tile->depth == 8) {
    for (uint32_t x = 0; x < count; x++) to[4 * x] = levels[from[x]];
    return;
  }
  const uint32_t most = (1U << tile->depth) - 1;
  for (uint32_t x = 0; x < count; x++) {
    uint16_t sample;
    memcpy(&sample, from + 2 * x, sizeof sample);
    to[4 * x] = levels[sample & most];
  }
}

static void write_tile(const struct heic_source *source, const struct heic_tile *tile, uint32_t row, uint32_t count, uint8_t *rgba) {
  const bool has_color = tile->colors == 3;
  if (source->is_alpha) {
    // If alpha has planes of red, green, and blue, the three planes are equal, because alpha has no color.
    write_plane(source, tile, has_color ? 1 : 0, row, count, rgba + 3);
    return;
  }
  for (int i = 0; i < 3; i++) write_plane(source, tile, has_color ? i : 0, row, count, rgba + i);
  for (uint32_t x = 0; x < count; x++) rgba[4 * x + 3] = 0xFF;
}

cic_status cic_heic_read_row(struct heic_source *source, uint32_t row, uint8_t *rgba) {
  const struct heic_image *image = source->image;
  const uint32_t row_of_tiles = row / image->tile_height;
  if (row_of_tiles >= source->next) {
    const cic_status status = read_tiles(source, row_of_tiles);
    if (status != CIC_OK) return status;
  }
  for (uint32_t i = 0; i < image->columns; i++) {
    const uint32_t left = i * image->tile_width, rest = image->width - left;
    const uint32_t count = rest < image->tile_width ? rest : image->tile_width;
    write_tile(source, &source->tiles[i], row % image->tile_height, count, rgba + (size_t)left * 4);
  }
  return CIC_OK;
}

#include "heic_image.h"

#include <string.h>

#include "heif_data.h"
#include "support.h"

static cic_status fail(const struct heic_file *file, cic_status status, const char *text) {
  cic_write_message(file->message, text);
  return status;
}

static bool find_reference(const struct heic_file *file, uint32_t letters, uint32_t from, struct heif_reference *found) {
  struct heif_part rest = file->references;
  while (cic_heif_next_reference(file->items, &rest, found)) {
    if (found->letters == letters && found->from == from) return true;
  }
  return false;
}

static bool is_turned_or_cropped(const struct heif_items *items, uint32_t id) {
  struct heif_properties list = cic_heif_properties(items, id);
  struct heif_part content;
  uint32_t letters;
  while (cic_heif_next_property(items, &list, &letters, &content)) {
    if (letters == LETTERS('i', 'r', 'o', 't') && (cic_heif_take(items->bytes, &content, 1) & 3) != 0) return true;
    if (letters == LETTERS('i', 'm', 'i', 'r') || letters == LETTERS('c', 'l', 'a', 'p')) return true;
  }
  return false;
}

cic_status cic_heic_read_configuration(const struct heic_file *file, uint32_t id, struct hevc_configuration *configuration) {
  // The size of parameter sets is limited, because every tile of a grid may have its own.
  enum { most_bytes = 16 << 10 };
  struct heif_part content, size;
  if (file->items->type[id] != LETTERS('h', 'v', 'c', '1')) return fail(file, CIC_UNSUPPORTED, "a HEIC whose image is not HEVC");
  const bool has_both = cic_heif_find_property(file->items, id, LETTERS('h', 'v', 'c', 'C'), &content) &&
                        cic_heif_find_property(file->items, id, LETTERS('i', 's', 'p', 'e'), &size);
  if (!has_both) return fail(file, CIC_CORRUPT, "the HEIC's image has no size or no parameter sets");
  if (content.end - content.next > most_bytes) return fail(file, CIC_UNSUPPORTED, "a HEIC with large parameter sets");
  const uint8_t *bytes = file->items->bytes;
  const cic_status status = cic_hevc_read(bytes + content.next, content.end - content.next, configuration, file->message);
  if (status != CIC_OK) return status;
  cic_heif_take(bytes, &size, 4);
  const uint32_t width = cic_heif_take(bytes, &size, 4), height = cic_heif_take(bytes, &size, 4);
  if (!size.is_short && width == configuration->shown_width && height == configuration->shown_height) return CIC_OK;
  return fail(file, CIC_CORRUPT, "the size of the HEIC's image differs from the size in its SPS");
}

// Returns the memory for one pixel while libheif decodes a picture to planes of red, green, and blue, or of brightness. libheif 1.15.1 with
// libde265 1.0.11 took 4.5, 5.0, and 6.6 bytes for 4:2:0, 4:2:2, and 4:4:4, 2.6 bytes for gray, and almost twice as much for ten bits.
static uint64_t bytes_a_pixel(const struct hevc_configuration *configuration) {
  static const uint64_t bytes[4] = {3, 5, 6, 7};
  return bytes[configuration->chroma] * (configuration->depth > 8 ? 2 : 1);
}

// Reads the tiles, whose items are already known.
static cic_status read_tiles(const struct heic_file *file, struct heic_image *image) {
  // Decoding holds four copies of a tile's data. If tiles shared large data, a small file could make the decoder copy gigabytes.
  enum { copies = 4, shared_bytes = 4096 };
  const uint32_t count = image->columns * image->rows;
  uint64_t sum = 0;
  for (uint32_t i = 0; i < count; i++) {
    struct hevc_configuration configuration;
    cic_status status = cic_heic_read_configuration(file, image->tiles[i], &configuration);
    if (status != CIC_OK) return status;
    if (i == 0) {
      image->tile_width = configuration.shown_width;
      image->tile_height = configuration.shown_height;
      image->chroma = configuration.chroma;
      image->depth = configuration.depth;
    }
    const bool fits = configuration.shown_width == image->tile_width && configuration.shown_height == image->tile_height &&
                      configuration.chroma == image->chroma && configuration.depth == image->depth;
    if (!fits) return fail(file, CIC_CORRUPT, "the tiles of the HEIC's grid differ in size or in samples");
    uint64_t data = 0;
    status = cic_heif_measure_data(file->items, image->tiles[i], &data, file->message);
    if (status != CIC_OK) return status;
    sum += data;
    const uint64_t pixels = (uint64_t)configuration.width * configuration.height;
    image->pixels += configuration.blocks * configuration.block_pixels;
    const uint64_t bytes = pixels * bytes_a_pixel(&configuration) + copies * data;
    if (bytes > image->tile_bytes) image->tile_bytes = bytes;
  }
  if (sum <= file->items->count + (uint64_t)count * shared_bytes) return CIC_OK;
  return fail(file, CIC_CORRUPT, "the HEIC's image uses the same data many times");
}

static bool covers(uint32_t tile, uint32_t count, uint32_t side) {
  return (uint64_t)tile * count >= side && (uint64_t)tile * (count - 1) < side;
}

static cic_status read_grid(const struct heic_file *file, uint32_t id, struct heic_image *image) {
  enum { most_bytes = 12, wide = 1 };
  struct heif_reference tiles;
  uint8_t bytes[most_bytes];
  uint64_t count = 0;
  const cic_status status = cic_heif_measure_data(file->items, id, &count, file->message);
  if (status != CIC_OK) return status;
  if (count > most_bytes) return fail(file, CIC_CORRUPT, "the HEIC's grid is broken");
  cic_heif_copy_data(file->items, id, bytes);
  struct heif_part part = {0, (size_t)count, false};
  const uint32_t header = cic_heif_take(bytes, &part, 2), side = (header & wide) != 0 ? 4 : 2;
  image->rows = cic_heif_take(bytes, &part, 1) + 1;
  image->columns = cic_heif_take(bytes, &part, 1) + 1;
  image->width = cic_heif_take(bytes, &part, side);
  image->height = cic_heif_take(bytes, &part, side);
  const bool is_known = !part.is_short && header >> 8 == 0 && find_reference(file, LETTERS('d', 'i', 'm', 'g'), id, &tiles);
  if (!is_known || tiles.count != image->rows * image->columns) return fail(file, CIC_CORRUPT, "the HEIC's grid is broken");
  if (tiles.count > most_heic_tiles) return fail(file, CIC_TOO_LARGE, "a HEIC with more tiles than allowed");
  for (uint32_t i = 0; i < tiles.count; i++) {
    image->tiles[i] = cic_heif_id(file->items->bytes, tiles.ids + 2 * i);
    if (!is_turned_or_cropped(file->items, image->tiles[i])) continue;
    return fail(file, CIC_UNSUPPORTED, "a HEIC whose tiles are turned or cropped");
  }
  return CIC_OK;
}

// Completes the description, after the items of the tiles are known.
static cic_status complete(const struct heic_file *file, bool is_grid, struct heic_image *image) {
  const cic_status status = read_tiles(file, image);
  if (status != CIC_OK) return status;
  if (!is_grid) {
    image->width = image->tile_width;
    image->height = image->tile_height;
  }
  const bool is_covered = image->width > 0 && image->height > 0 && covers(image->tile_width, image->columns, image->width) &&
                          covers(image->tile_height, image->rows, image->height);
  if (!is_covered) return fail(file, CIC_CORRUPT, "the tiles of the HEIC's grid do not cover the image");
  const uint64_t planes = (image->chroma == 0 ? 1 : 3) * (image->depth > 8 ? 2 : 1);
  // `tile_bytes` includes the planes of the tile that is decoded, so `row_bytes` has one column less.
  image->row_bytes = planes * image->tile_width * image->tile_height * (image->columns - 1);
  return CIC_OK;
}

cic_status cic_heic_read_image(const struct heic_file *file, uint32_t id, struct heic_image *image) {
  memset(image, 0, sizeof *image);
  if (id == 0 || id >= item_count || file->items->type[id] == 0) return fail(file, CIC_CORRUPT, "the HEIC has no primary image");
  const bool is_grid = file->items->type[id] == LETTERS('g', 'r', 'i', 'd');
  image->rows = image->columns = 1;
  image->tiles[0] = (uint16_t)id;
  const cic_status status = is_grid ? read_grid(file, id, image) : CIC_OK;
  return status == CIC_OK ? complete(file, is_grid, image) : status;
}

// Returns the item with the alpha of the item `id`; 0 if there is none. Other items, such as a depth map, may also refer to `id` by auxl.
static uint32_t alpha_of(const struct heic_file *file, uint32_t id) {
  struct heif_part rest = file->references;
  struct heif_reference found;
  while (cic_heif_next_reference(file->items, &rest, &found)) {
    if (found.letters != LETTERS('a', 'u', 'x', 'l') || found.from == id || found.count != 1) continue;
    if (cic_heif_id(file->items->bytes, found.ids) == id && cic_heif_is_alpha(file->items, found.from)) return found.from;
  }
  return 0;
}

static bool find_tiles_of_alpha(const struct heic_file *file, const struct heic_image *image, struct heic_image *alpha) {
  for (uint32_t i = 0; i < image->columns * image->rows; i++) {
    alpha->tiles[i] = file->items->auxiliary[image->tiles[i]];
    if (alpha->tiles[i] == 0 || !cic_heif_is_alpha(file->items, alpha->tiles[i])) return false;
  }
  return true;
}

cic_status cic_heic_read_alpha(const struct heic_file *file, uint32_t id, const struct heic_image *image, struct heic_image *alpha,
                               bool *is_premultiplied) {
  memset(alpha, 0, sizeof *alpha);
  const uint32_t item = alpha_of(file, id);
  const bool is_grid = image->columns * image->rows > 1;
  cic_status status = CIC_OK;
  struct heif_reference found;
  *is_premultiplied = find_reference(file, LETTERS('p', 'r', 'e', 'm'), item != 0 ? id : image->tiles[0], &found);
  if (item != 0) {
    status = cic_heic_read_image(file, item, alpha);
  } else if (is_grid && find_tiles_of_alpha(file, image, alpha)) {
    alpha->columns = image->columns;
    alpha->rows = image->rows;
    alpha->width = image->width;
    alpha->height = image->height;
    status = complete(file, true, alpha);
  }
  if (status != CIC_OK || alpha->columns == 0) return status;
  if (alpha->width == image->width && alpha->height == image->height) return CIC_OK;
  return fail(file, CIC_CORRUPT, "the HEIC's alpha and its colors differ in size");
}

struct heif_rectangle cic_heic_shown_part(const struct heic_file *file, uint32_t id, const struct heic_image *image, int *orientation) {
  const uint8_t *bytes = file->items->bytes;
  struct heif_rectangle part = {0, 0, image->width, image->height};
  struct heif_properties list = cic_heif_properties(file->items, id);
  struct heif_part content;
  uint32_t letters;
  *orientation = 1;
  while (cic_heif_next_property(file->items, &list, &letters, &content)) {
    if (letters == LETTERS('i', 'r', 'o', 't')) {
      *orientation = cic_heif_turned(*orientation, (int)cic_heif_take(bytes, &content, 1) & 3);
    } else if (letters == LETTERS('i', 'm', 'i', 'r')) {
      *orientation = cic_heif_mirrored(*orientation, (int)cic_heif_take(bytes, &content, 1) & 1);
    } else if (letters == LETTERS('c', 'l', 'a', 'p')) {
      uint32_t aperture[8];
      for (int i = 0; i < 8; i++) aperture[i] = cic_heif_take(bytes, &content, 4);
      part = cic_heif_shown_part(image->width, image->height, aperture);
    }
  }
  return part;
}

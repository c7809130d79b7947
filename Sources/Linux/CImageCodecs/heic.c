#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "color.h"
#include "heic_source.h"
#include "heif_tables.h"
#include "rows.h"
#include "support.h"

// libheif 1.15 has no limit on memory or time, follows the references of derived images without end, reads the data of every item, and has
// assertions that a file can make fail. So it never gets the file. These functions read the boxes, check the sizes in them and in the
// parameter sets, and give libheif each tile in a file of its own.

struct heic_reader {
  const struct heic_library *library;
  struct heic_file file;
  struct heic_image *color, *alpha;
  struct heic_source colors, alphas;
  struct color conversion;
  struct rows rows;
  uint8_t *row;  // a row of the whole image
  bool is_premultiplied;
};

static cic_status fail(const struct heic_reader *reader, cic_status status, const char *text) {
  cic_write_message(reader->file.message, text);
  return status;
}

bool cic_has_libheif(void) { return cic_heic_library() != NULL; }

// Reads the file's description of the image, without its pixels.
static cic_status open(struct heic_reader *reader, cic_input input) {
  reader->library = cic_heic_library();
  if (reader->library == NULL) {
    return fail(
        reader, CIC_UNSUPPORTED,
        "HEIC, which needs libheif 1.x and its HEVC decoder (Debian package libheif1; since Debian 13, also libheif-plugin-libde265)");
  }
  if (!cic_heif_has_small_tables(input)) return fail(reader, CIC_TOO_LARGE, "a HEIC with more items than allowed");
  struct heif_items *items = calloc(1, sizeof *items);
  reader->file.items = items;
  reader->color = calloc(1, sizeof *reader->color);
  reader->alpha = calloc(1, sizeof *reader->alpha);
  if (items == NULL || reader->color == NULL || reader->alpha == NULL) return fail(reader, CIC_NO_MEMORY, "out of memory");
  reader->file.references = cic_heif_read_items(items, input);
  if (items->primary != 0) return cic_heic_read_image(&reader->file, items->primary, reader->color);
  return items->has_sequence ? fail(reader, CIC_UNSUPPORTED, "a HEIC that has a sequence of images, and no still image")
                             : fail(reader, CIC_TRUNCATED, "the HEIC data ends before the image does");
}

static void close(struct heic_reader *reader) {
  cic_heic_end_source(&reader->colors);
  cic_heic_end_source(&reader->alphas);
  cic_rows_end(&reader->rows);
  cic_color_end(&reader->conversion);
  free(reader->row);
  free(reader->color);
  free(reader->alpha);
  free(reader->file.items);
}

cic_status cic_heic_info(cic_input input, cic_info *info, char *message) {
  struct heic_reader reader = {.file.message = message};
  const cic_status status = open(&reader, input);
  if (status == CIC_OK) {
    int orientation = 1;
    const struct heif_rectangle part = cic_heic_shown_part(&reader.file, reader.file.items->primary, reader.color, &orientation);
    *info = (cic_info){
        .width = part.width,
        .height = part.height,
        .orientation = orientation,
        .components = reader.color->chroma == 0 ? 1 : 3,
        .bits = reader.color->depth,
        .frames = 1,
    };
  }
  close(&reader);
  return status;
}

// Whether the decoder's memory for a tile, and the decoded rows of tiles, fit into the allowed memory.
static bool may_hold(const struct heic_reader *reader, const cic_limits *limits) {
  const struct heic_image *color = reader->color, *alpha = reader->alpha;
  const uint64_t tile = color->tile_bytes > alpha->tile_bytes ? color->tile_bytes : alpha->tile_bytes;
  // The first row of alpha tiles is decoded while a whole row of color tiles is in memory. `row_bytes` lacks one tile of that row.
  const uint64_t own = alpha->columns > 0 ? (uint64_t)3 * color->tile_width * color->tile_height * (color->depth > 8 ? 2 : 1) : 0;
  if (tile + own + color->row_bytes + alpha->row_bytes <= limits->held_bytes) return true;
  snprintf(reader->file.message, CIC_MESSAGE_SIZE, "a HEIC with tiles of %u × %u pixels; raise DecodingLimits.maxBytes",
           color->tile_width, color->tile_height);
  return false;
}

// Limits the time for decoding. For each slice, the budget counts the pixels from the beginning of the slice to the end of the image,
// because a slice may have the data of all of these pixels. In an image of n slices of the same size, this adds up to (n + 1) / 2 times the
// pixels of the image. Few images have more than one slice.
static void limit_time(struct heic_reader *reader) {
  enum { most_times = 8, least_pixels = 16 << 20, split_pixels = 12 << 20 };
  reader->file.budget.pixels = most_times * (reader->color->pixels + reader->alpha->pixels) + least_pixels;
  reader->file.budget.split_pixels = split_pixels;
}

static cic_status prepare(struct heic_reader *reader, const cic_target *target, struct heif_rectangle part) {
  const bool has_alpha = reader->alpha->columns > 0;
  const uint32_t item = reader->file.items->primary;
  reader->colors = (struct heic_source){.library = reader->library, .file = &reader->file, .image = reader->color, .item = item};
  reader->alphas = reader->colors;
  reader->alphas.image = reader->alpha;
  reader->alphas.is_alpha = true;
  reader->row = malloc((size_t)reader->color->width * 4);
  const bool started = cic_rows_start(&reader->rows, cic_whole_pixels(part.width, part.height), has_alpha, &reader->conversion, target);
  const bool is_ready = started && reader->row != NULL && cic_heic_start_source(&reader->colors) &&
                        (!has_alpha || cic_heic_start_source(&reader->alphas));
  return is_ready ? CIC_OK : fail(reader, CIC_NO_MEMORY, "out of memory");
}

static void divide_by_alpha(uint8_t *rgba, uint32_t count) {
  for (uint32_t x = 0; x < count; x++, rgba += 4) {
    const uint32_t alpha = rgba[3];
    for (int i = 0; i < 3; i++) {
      const uint32_t color = alpha > 0 ? (rgba[i] * 255 + alpha / 2) / alpha : 0;
      rgba[i] = (uint8_t)(color < 255 ? color : 255);
    }
  }
}

static cic_status read_rows(struct heic_reader *reader, struct heif_rectangle part) {
  for (uint32_t y = part.y; y < part.y + part.height; y++) {
    cic_status status = cic_heic_read_row(&reader->colors, y, reader->row);
    if (status == CIC_OK && reader->alpha->columns > 0) status = cic_heic_read_row(&reader->alphas, y, reader->row);
    if (status != CIC_OK) return status;
    uint8_t *shown = reader->row + (size_t)part.x * 4;
    if (reader->is_premultiplied && reader->alpha->columns > 0) divide_by_alpha(shown, part.width);
    memcpy(cic_rows_next(&reader->rows), shown, (size_t)part.width * 4);
    cic_rows_add(&reader->rows);
  }
  return CIC_OK;
}

// Prepares the conversion of colors (ISO/IEC 23008-12, 6.5.5). It uses the image's profile, or the numbers of the image's primaries and
// transfer function if it has no profile that can be used. Returns NULL, or a clause that says why the profile or the numbers are ignored.
static const char *read_colors(struct heic_reader *reader, const cic_limits *limits, const cic_target *target) {
  const struct heif_items *items = reader->file.items;
  struct heif_properties list = cic_heif_properties(items, items->primary);
  struct heif_part content, numbers = {0};
  cic_input profile = {0};
  uint32_t letters = 0;
  while (cic_heif_next_property(items, &list, &letters, &content)) {
    if (letters != LETTERS('c', 'o', 'l', 'r')) continue;
    const uint32_t kind = cic_heif_take(items->bytes, &content, 4);
    if (kind == LETTERS('n', 'c', 'l', 'x')) numbers = content;
    if (kind != LETTERS('p', 'r', 'o', 'f') && kind != LETTERS('r', 'I', 'C', 'C')) continue;
    profile = (cic_input){items->bytes + content.next, content.end - content.next, false};
  }
  const char *problem = NULL;
  if (profile.count > 0) {
    const enum color_model model = reader->color->chroma == 0 ? colors_gray : colors_rgb;
    problem = cic_color_by_profile(&reader->conversion, profile, model, (uint64_t)target->width * target->height, limits);
    if (problem == NULL) return NULL;
  }
  const int primaries = (int)cic_heif_take(items->bytes, &numbers, 2), transfer = (int)cic_heif_take(items->bytes, &numbers, 2);
  const char *other = numbers.is_short ? NULL : cic_color_by_numbers(&reader->conversion, primaries, transfer);
  return problem != NULL ? problem : other;
}

static cic_status decode(
    struct heic_reader *reader, cic_input input, const cic_limits *limits, const cic_target *target, cic_result *result) {
  cic_status status = open(reader, input);
  if (status != CIC_OK) return status;
  const uint32_t item = reader->file.items->primary;
  int orientation = 1;
  const struct heif_rectangle part = cic_heic_shown_part(&reader->file, item, reader->color, &orientation);
  if (!cic_within_limits(limits, reader->color->width, reader->color->height, reader->file.message)) return CIC_TOO_LARGE;
  status = cic_check_target(limits, part.width, part.height, target, reader->file.message);
  if (status != CIC_OK) return status;
  status = cic_heic_read_alpha(&reader->file, item, reader->color, reader->alpha, &reader->is_premultiplied);
  if (status != CIC_OK) return status;
  if (!may_hold(reader, limits)) return CIC_TOO_LARGE;
  limit_time(reader);
  result->ignored_profile = read_colors(reader, limits, target);
  status = prepare(reader, target, part);
  return status == CIC_OK ? read_rows(reader, part) : status;
}

cic_status cic_heic_decode(cic_input input, const cic_limits *limits, const cic_target *target, cic_result *result, char *message) {
  *result = (cic_result){0};
  struct heic_reader reader = {.file.message = message};
  const cic_status status = decode(&reader, input, limits, target, result);
  close(&reader);
  return status;
}

#include "heic_tile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heif_data.h"
#include "support.h"

// A file that is written to memory. The memory is allocated in advance, because the largest possible length of the file is known.
struct writer {
  uint8_t *bytes;
  size_t count;
};

static void put(struct writer *writer, uint32_t value, int count) {
  for (int i = count - 1; i >= 0; i--) writer->bytes[writer->count++] = (uint8_t)(value >> (8 * i));
}

static void put_bytes(struct writer *writer, const uint8_t *bytes, size_t count) {
  memcpy(writer->bytes + writer->count, bytes, count);
  writer->count += count;
}

// Begins a box. Returns its position, which end_box needs.
static size_t begin_box(struct writer *writer, const char *letters) {
  const size_t start = writer->count;
  put(writer, 0, 4);
  put_bytes(writer, (const uint8_t *)letters, 4);
  return start;
}

static void end_box(struct writer *writer, size_t start) {
  struct writer length = {writer->bytes, start};
  put(&length, (uint32_t)(writer->count - start), 4);
}

static void put_configuration(struct writer *writer, const struct hevc_configuration *configuration) {
  enum { chroma_byte = 16, last_byte = 21, four_bytes = 3, complete = 0x80 };
  const size_t box = begin_box(writer, "hvcC"), start = writer->count;
  put_bytes(writer, configuration->header, hevc_header_size);
  writer->bytes[start + chroma_byte] = (uint8_t)(0xFC | configuration->chroma);
  writer->bytes[start + chroma_byte + 1] = writer->bytes[start + chroma_byte + 2] = (uint8_t)(0xF8 | (configuration->depth - 8));
  writer->bytes[start + last_byte] = (uint8_t)((configuration->header[last_byte] & ~3) | four_bytes);
  put(writer, (uint32_t)configuration->set_count, 1);
  for (int i = 0; i < configuration->set_count; i++) {
    const struct hevc_unit *unit = &configuration->sets[i];
    put(writer, complete | (unit->bytes[0] >> 1 & 63), 1);
    put(writer, 1, 2);
    put(writer, (uint32_t)unit->count, 2);
    put_bytes(writer, unit->bytes, unit->count);
  }
  end_box(writer, box);
}

// The numbers of a color description (ISO/IEC 23091-2): primaries, transfer, and matrix; and whether the samples have the full range.
struct colors {
  bool is_known;
  uint32_t numbers[3];
  bool has_full_range;
};

static struct colors colors_of(const struct heic_file *file, uint32_t id) {
  const struct heif_items *items = file->items;
  struct heif_properties list = cic_heif_properties(items, id);
  struct heif_part content;
  uint32_t letters;
  while (cic_heif_next_property(items, &list, &letters, &content)) {
    if (letters != LETTERS('c', 'o', 'l', 'r') || cic_heif_take(items->bytes, &content, 4) != LETTERS('n', 'c', 'l', 'x')) continue;
    struct colors colors = {.is_known = true};
    for (int i = 0; i < 3; i++) colors.numbers[i] = cic_heif_take(items->bytes, &content, 2);
    colors.has_full_range = cic_heif_take(items->bytes, &content, 1) >> 7 != 0;
    if (!content.is_short) return colors;
  }
  return (struct colors){0};
}

static void put_properties(struct writer *writer, const struct hevc_configuration *configuration, const struct colors *colors) {
  const size_t properties = begin_box(writer, "iprp"), list = begin_box(writer, "ipco");
  put_configuration(writer, configuration);
  size_t box = begin_box(writer, "ispe");
  put(writer, 0, 4);
  put(writer, configuration->shown_width, 4);
  put(writer, configuration->shown_height, 4);
  end_box(writer, box);
  if (colors->is_known) {
    box = begin_box(writer, "colr");
    put_bytes(writer, (const uint8_t *)"nclx", 4);
    for (int i = 0; i < 3; i++) put(writer, colors->numbers[i], 2);
    put(writer, colors->has_full_range ? 0x80 : 0, 1);
    end_box(writer, box);
  }
  end_box(writer, list);
  const uint32_t count = colors->is_known ? 3 : 2;
  box = begin_box(writer, "ipma");
  put(writer, 0, 4);
  put(writer, 1, 4);
  put(writer, 1, 2);
  put(writer, count, 1);
  for (uint32_t i = 1; i <= count; i++) put(writer, i == 1 ? 0x80 | i : i, 1);
  end_box(writer, box);
  end_box(writer, properties);
}

// Writes a file with one item, up to the item's data, which has `count` bytes.
static void put_boxes(struct writer *writer, const struct hevc_configuration *configuration, const struct colors *colors, size_t count) {
  size_t box = begin_box(writer, "ftyp");
  put_bytes(writer, (const uint8_t *)"heic\0\0\0\0mif1heic", 16);
  end_box(writer, box);
  const size_t meta = begin_box(writer, "meta");
  put(writer, 0, 4);
  box = begin_box(writer, "hdlr");
  put(writer, 0, 4);
  put(writer, 0, 4);
  put_bytes(writer, (const uint8_t *)"pict\0\0\0\0\0\0\0\0\0\0\0\0", 17);
  end_box(writer, box);
  box = begin_box(writer, "pitm");
  put(writer, 0, 4);
  put(writer, 1, 2);
  end_box(writer, box);
  box = begin_box(writer, "iinf");
  put(writer, 0, 4);
  put(writer, 1, 2);
  const size_t entry = begin_box(writer, "infe");
  put(writer, 2, 1);
  put(writer, 0, 3);
  put(writer, 1, 2);
  put(writer, 0, 2);
  put_bytes(writer, (const uint8_t *)"hvc1", 5);
  end_box(writer, entry);
  end_box(writer, box);
  put_properties(writer, configuration, colors);
  box = begin_box(writer, "iloc");
  put(writer, 0, 4);
  put(writer, 0x4400, 2);
  put(writer, 1, 2);
  put(writer, 1, 2);
  put(writer, 0, 2);
  put(writer, 1, 2);
  // The data begins after the next two numbers of four bytes, and after the header of its box, which has eight bytes.
  put(writer, (uint32_t)writer->count + 16, 4);
  put(writer, (uint32_t)count, 4);
  end_box(writer, box);
  end_box(writer, meta);
  begin_box(writer, "mdat");
}

static size_t most_box_bytes(const struct hevc_configuration *configuration) {
  enum { fixed_bytes = 1024, set_header = 5 };
  size_t sum = fixed_bytes;
  for (int i = 0; i < configuration->set_count; i++) sum += set_header + configuration->sets[i].count;
  return sum;
}

static cic_status fail(char *message, cic_status status, const char *text) {
  cic_write_message(message, text);
  return status;
}

// Writes a file with the item's checked units.
static cic_status write_file(struct heic_file *file, uint32_t id, const struct hevc_configuration *configuration,
                             const struct colors *colors, struct writer *writer) {
  uint64_t count = 0;
  cic_status status = cic_heif_measure_data(file->items, id, &count, file->message);
  if (status != CIC_OK) return status;
  if (count > INT32_MAX) return fail(file->message, CIC_TOO_LARGE, "a HEIC of more than two gigabytes");
  uint8_t *data = malloc((size_t)count), *picture = malloc((size_t)count + hevc_room);
  const size_t box_bytes = most_box_bytes(configuration);
  status = data == NULL || picture == NULL ? fail(file->message, CIC_NO_MEMORY, "out of memory") : CIC_OK;
  size_t copied = 0;
  if (status == CIC_OK) {
    cic_heif_copy_data(file->items, id, data);
    status = cic_hevc_copy_picture(configuration, data, (size_t)count, picture, &copied, &file->budget, file->message);
  }
  free(data);
  if (status == CIC_OK) {
    *writer = (struct writer){malloc(box_bytes + copied), 0};
    if (writer->bytes == NULL) status = fail(file->message, CIC_NO_MEMORY, "out of memory");
  }
  if (status == CIC_OK) {
    put_boxes(writer, configuration, colors, copied);
    const size_t media = writer->count - 8;
    put_bytes(writer, picture, copied);
    end_box(writer, media);
  }
  free(picture);
  return status;
}

static cic_status check(struct heif_result result, char *message) {
  if (result.code == heif_ok) return CIC_OK;
  const cic_status status = result.code == heif_out_of_memory ? CIC_NO_MEMORY
                            : result.code == heif_unsupported ? CIC_UNSUPPORTED
                                                              : CIC_CORRUPT;
  const char *what = status == CIC_UNSUPPORTED ? "a kind of HEIC that libheif does not decode" : "the HEIC data is broken";
  snprintf(message, CIC_MESSAGE_SIZE, "%s (libheif: %.120s)", what, result.text == NULL ? "unknown" : result.text);
  return status;
}

// Finds the planes of the picture, and checks that they have the expected size.
static cic_status find_planes(const struct heic_library *library, const struct hevc_configuration *configuration, bool is_gray,
                              struct heic_tile *tile, char *message) {
  tile->depth = library->depth(tile->picture, is_gray ? heif_y : heif_r);
  tile->colors = is_gray ? 1 : 3;
  for (int i = 0; i < tile->colors; i++) {
    const int plane = is_gray ? heif_y : heif_r + i;
    int row_bytes = 0;
    tile->planes[i] = library->plane(tile->picture, plane, &row_bytes);
    tile->row_bytes[i] = (size_t)row_bytes;
    const bool fits = tile->planes[i] != NULL && row_bytes > 0 && library->width(tile->picture, plane) == (int)configuration->shown_width &&
                      library->height(tile->picture, plane) == (int)configuration->shown_height &&
                      library->depth(tile->picture, plane) == tile->depth;
    if (!fits) return fail(message, CIC_CORRUPT, "the HEIC's image has another size than its SPS");
  }
  return tile->depth >= 8 && tile->depth <= 12 ? CIC_OK : fail(message, CIC_UNSUPPORTED, "a HEIC with more than 12 bits");
}

// Whether the samples of a gray picture have the full range. If the boxes do not declare the range, libheif reads it from the picture. If
// libheif finds none, the range is full.
static bool has_full_range(const struct heic_library *library, const struct colors *colors, const void *picture) {
  if (colors->is_known) return colors->has_full_range;
  struct heif_colors *found = NULL;
  const struct heif_result result = library->read_colors(picture, &found);
  const bool is_full = result.code != heif_ok || found == NULL || found->has_full_range != 0;
  if (found != NULL) library->colors_destroy(found);
  return is_full;
}

cic_status cic_heic_decode_tile(const struct heic_library *library, struct heic_file *file, uint32_t id, uint32_t grid, bool is_alpha,
                                struct heic_tile *tile) {
  memset(tile, 0, sizeof *tile);
  struct hevc_configuration configuration;
  cic_status status = cic_heic_read_configuration(file, id, &configuration);
  if (status != CIC_OK) return status;
  struct colors colors = colors_of(file, id);
  if (!colors.is_known) colors = colors_of(file, grid);
  // The samples of alpha have the full range. The numbers matter, too, because some writers store alpha with chroma planes, which libheif
  // converts to red, green, and blue.
  if (is_alpha) colors = (struct colors){.is_known = true, .numbers = {1, 13, 6}, .has_full_range = true};
  struct writer writer = {0};
  status = write_file(file, id, &configuration, &colors, &writer);
  void *context = status == CIC_OK ? library->context_create() : NULL, *handle = NULL;
  if (status == CIC_OK && context == NULL) status = fail(file->message, CIC_NO_MEMORY, "out of memory");
  if (status == CIC_OK) status = check(library->read(context, writer.bytes, writer.count, NULL), file->message);
  if (status == CIC_OK) status = check(library->find_primary(context, &handle), file->message);
  const bool is_gray = configuration.chroma == 0;
  if (status == CIC_OK) {
    const int kind = is_gray ? heif_gray : heif_colored, planes = is_gray ? heif_one_plane : heif_three_planes;
    status = check(library->decode(handle, &tile->picture, kind, planes, NULL), file->message);
  }
  if (status == CIC_OK) status = find_planes(library, &configuration, is_gray, tile, file->message);
  if (status == CIC_OK) tile->has_full_range = !is_gray || has_full_range(library, &colors, tile->picture);
  if (handle != NULL) library->handle_destroy(handle);
  if (context != NULL) library->context_destroy(context);
  free(writer.bytes);
  if (status != CIC_OK) cic_heic_free_tile(library, tile);
  return status;
}

void cic_heic_free_tile(const struct heic_library *library, struct heic_tile *tile) {
  if (tile->picture != NULL) library->picture_destroy(tile->picture);
  tile->picture = NULL;
}

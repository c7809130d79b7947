#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libraries.h"

#include <png.h>

#include "png_animation.h"
#include "png_colors.h"
#include "png_metadata.h"
#include "png_source.h"
#include "rows.h"
#include "support.h"

// After longjmp, local variables of the function that called setjmp may be undefined. So the caller of that function owns this structure.
struct png_reader {
  png_structp png;
  png_infop info;
  jmp_buf escape;
  cic_status status;
  char *message;
  struct png_source *source;
  long warnings;
  struct rows rows;
  uint8_t *row;     // the row that is being read; NULL once it has been added
  uint8_t *grid;    // the pixels of an interlaced image, in the target or in `held`; NULL once they are shown
  uint8_t *held;    // memory for pixels that have to be reduced or turned, otherwise NULL
  uint8_t *line;    // one row of the file, if the grid has only some of its pixels
  uint32_t step;    // the number of pixels along a side that become one pixel of the grid: 1, 2, 4, or 8
  uint32_t grid_width, grid_height;
  bool has_passed;  // a row of an interlaced image has arrived
  bool is_interlaced;
  bool is_beginning;
  bool has_alpha;
  struct color color;
  uint32_t width, height;
};

static _Noreturn void fail(struct png_reader *reader, cic_status status, const char *text) {
  reader->status = status;
  cic_write_message(reader->message, text);
  longjmp(reader->escape, 1);
}

static _Noreturn void on_error(png_structp png, png_const_charp text) {
  if (strstr(text, "memory") != NULL) fail(png_get_error_ptr(png), CIC_NO_MEMORY, "out of memory");
  char message[CIC_MESSAGE_SIZE];
  snprintf(message, sizeof message, "the PNG data is broken (libpng: %.120s)", text);
  fail(png_get_error_ptr(png), CIC_CORRUPT, message);
}

static void on_warning(png_structp png, png_const_charp text) {
  (void)text;
  ((struct png_reader *)png_get_error_ptr(png))->warnings++;
}

// The largest number of bytes of compressed pixels that libpng requests at a time.
enum { most_piece = 8192 };

static void read_bytes(png_structp png, png_bytep bytes, size_t count) {
  struct png_reader *reader = png_get_io_ptr(png);
  struct png_source *source = reader->source;
  if (count > source->left) fail(reader, CIC_TRUNCATED, "the PNG data ends before the image does");
  source->left -= count;
  while (count > 0) {
    if (source->piece.count == 0) source->advance(source);
    const size_t copied = count < source->piece.count ? count : source->piece.count;
    memcpy(bytes, source->piece.bytes, copied);
    source->piece.bytes += copied;
    source->piece.count -= copied;
    bytes += copied;
    count -= copied;
  }
  // libpng requests compressed pixels in pieces, and uses no byte of an incomplete piece. Smaller pieces near the end let it use all bytes
  // that have arrived.
  if (source->left < most_piece) png_set_compression_buffer_size(png, source->left / 2 + 1);
}

// The chunks that libpng must ignore, such as text, profiles, histograms, and times. For eXIf and XMP, see png_metadata.h. For colors,
// see png_colors.h.
static const png_byte ignored_chunks[] =
    "bKGD\0cHRM\0cICP\0eXIf\0gAMA\0hIST\0iCCP\0iTXt\0oFFs\0pCAL\0pHYs\0sBIT\0sCAL\0sPLT\0sRGB\0sTER\0tEXt\0tIME\0zTXt";

static struct png_source whole_file(cic_input input) { return (struct png_source){.piece = input, .left = input.count}; }

static void read_header(struct png_reader *reader) {
  reader->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, reader, on_error, on_warning);
  if (reader->png == NULL) fail(reader, CIC_NO_MEMORY, "out of memory");
  reader->info = png_create_info_struct(reader->png);
  if (reader->info == NULL) fail(reader, CIC_NO_MEMORY, "out of memory");
  png_set_read_fn(reader->png, reader, read_bytes);
  png_set_crc_action(reader->png, reader->source->is_checked ? PNG_CRC_QUIET_USE : PNG_CRC_ERROR_QUIT, PNG_CRC_WARN_DISCARD);
  png_set_user_limits(reader->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
  png_set_compression_buffer_size(reader->png, most_piece);
  png_set_chunk_cache_max(reader->png, 16);
  png_set_chunk_malloc_max(reader->png, 1 << 20);
  png_set_keep_unknown_chunks(reader->png, PNG_HANDLE_CHUNK_NEVER, ignored_chunks, sizeof ignored_chunks / 5);
  png_read_info(reader->png, reader->info);
}

static cic_status finish(struct png_reader *reader) {
  if (reader->png != NULL) png_destroy_read_struct(&reader->png, &reader->info, NULL);
  cic_rows_end(&reader->rows);
  cic_color_end(&reader->color);
  free(reader->held);
  free(reader->line);
  return reader->status;
}

static void run_info(struct png_reader *reader, cic_input input, cic_info *info) {
  if (setjmp(reader->escape)) return;
  read_header(reader);
  *info = (cic_info){
      .width = png_get_image_width(reader->png, reader->info),
      .height = png_get_image_height(reader->png, reader->info),
      .orientation = cic_png_orientation(input),
      .progressive = png_get_interlace_type(reader->png, reader->info) != PNG_INTERLACE_NONE,
      .components = png_get_channels(reader->png, reader->info),
      .bits = png_get_bit_depth(reader->png, reader->info),
      .frames = 1,
  };
}

cic_status cic_png_info(cic_input input, cic_info *info, char *message) {
  struct png_source source = whole_file(input);
  struct png_reader reader = {.message = message, .source = &source};
  run_info(&reader, input, info);
  const cic_status status = finish(&reader);
  if (status == CIC_OK) cic_apng_info(input, info);
  return status;
}

// Makes libpng convert all kinds of pixels to RGBA8. It scales low bit depths up, uses the high byte of 16 bits, and gets alpha from tRNS,
// or makes pixels opaque.
static void ask_for_rgba(struct png_reader *reader) {
  png_set_expand(reader->png);
  png_set_strip_16(reader->png);
  png_set_gray_to_rgb(reader->png);
  png_set_add_alpha(reader->png, 0xFF, PNG_FILLER_AFTER);
}

static size_t stride_of(const struct png_reader *reader) { return (size_t)reader->width * 4; }

// Reads all passes. In a partial file, each pixel also fills its neighbors that have not arrived yet.
static void read_passes(struct png_reader *reader, int passes) {
  for (int pass = 0; pass < passes; pass++) {
    for (uint32_t y = 0; y < reader->height; y++) {
      uint8_t *row = reader->grid + y * stride_of(reader);
      png_read_row(reader->png, reader->is_beginning ? NULL : row, reader->is_beginning ? row : NULL);
      reader->has_passed = true;
    }
  }
}

// Stores every second, fourth, or eighth pixel of each side, which are the pixels of the first passes. Reads the other passes, too, because
// they show whether the file is complete.
static void read_coarse_passes(struct png_reader *reader, int passes) {
  const uint32_t step = reader->step, used = step == 2 ? 5 : step == 4 ? 3 : 1;
  reader->line = malloc(stride_of(reader));
  if (reader->line == NULL) fail(reader, CIC_NO_MEMORY, "out of memory");
  for (int pass = 0; pass < passes; pass++) {
    for (uint32_t y = 0; y < reader->height; y++) {
      const bool is_used = (uint32_t)pass < used && PNG_ROW_IN_INTERLACE_PASS(y, pass);
      png_read_row(reader->png, is_used ? reader->line : NULL, NULL);
      if (!is_used) continue;
      uint8_t *row = reader->grid + (size_t)(y / step) * reader->grid_width * 4;
      for (uint32_t x = PNG_PASS_START_COL(pass); x < reader->width; x += 1U << PNG_PASS_COL_SHIFT(pass)) {
        memcpy(row + (size_t)(x / step) * 4, reader->line + (size_t)x * 4, 4);
      }
    }
  }
}

static void finish_grid(struct png_reader *reader, const cic_target *target) {
  if (reader->grid != reader->held) {
    cic_color_convert(&reader->color, reader->grid, (size_t)reader->grid_width * reader->grid_height);
  } else if (!cic_reduce_colors(reader->held, reader->grid_width, reader->grid_height, &reader->color, target)) {
    fail(reader, CIC_NO_MEMORY, "out of memory");
  }
}

// Chooses how many pixels along each side become one pixel of the grid. The grid must fit into the allowed memory, and must not be smaller
// than the target.
static void choose_step(struct png_reader *reader, const cic_limits *limits, const cic_target *target) {
  char ignored[CIC_MESSAGE_SIZE];
  if (cic_may_hold(limits, reader->width, reader->height, 4, reader->message)) return;
  for (uint32_t step = 2; step <= 8 && !reader->is_beginning; step *= 2) {
    const uint32_t width = (reader->width - 1) / step + 1, height = (reader->height - 1) / step + 1;
    if (width < target->width || height < target->height) break;
    reader->step = step;
    reader->grid_width = width;
    reader->grid_height = height;
    if (cic_may_hold(limits, width, height, 4, ignored)) return;
  }
  reader->status = CIC_TOO_LARGE;
  longjmp(reader->escape, 1);
}

static void read_interlaced(struct png_reader *reader, const cic_limits *limits, int passes, const cic_target *target) {
  const bool is_turned = target->orientation >= 2 && target->orientation <= 8;
  reader->step = 1;
  reader->grid_width = reader->width;
  reader->grid_height = reader->height;
  if (!is_turned && reader->width == target->width && reader->height == target->height) {
    if (reader->is_beginning) memset(target->rgba, 0, reader->height * stride_of(reader));
    reader->grid = target->rgba;
  } else {
    choose_step(reader, limits, target);
    reader->grid = reader->held = calloc(reader->grid_height, (size_t)reader->grid_width * 4);
    if (reader->held == NULL) fail(reader, CIC_NO_MEMORY, "out of memory");
  }
  if (reader->step == 1) read_passes(reader, passes); else read_coarse_passes(reader, passes);
  finish_grid(reader, target);
  reader->grid = NULL;
}

static void add_row(struct png_reader *reader) {
  cic_rows_add(&reader->rows);
  reader->row = NULL;
}

static void read_rows(struct png_reader *reader, const cic_target *target) {
  const struct reducer_source source = cic_whole_pixels(reader->width, reader->height);
  if (!cic_rows_start(&reader->rows, source, reader->has_alpha, &reader->color, target)) fail(reader, CIC_NO_MEMORY, "out of memory");
  for (uint32_t y = 0; y < reader->height; y++) {
    reader->row = cic_rows_next(&reader->rows);
    png_read_row(reader->png, reader->row, NULL);
    add_row(reader);
  }
}

// `colors` is the file with the chunks that describe the colors. It is empty if the colors stay as stored.
static void decode(
    struct png_reader *reader, cic_input colors, const cic_limits *limits, const cic_target *target, cic_result *result) {
  if (setjmp(reader->escape)) return;
  read_header(reader);
  reader->width = png_get_image_width(reader->png, reader->info);
  reader->height = png_get_image_height(reader->png, reader->info);
  reader->status = cic_check_target(limits, reader->width, reader->height, target, reader->message);
  if (reader->status != CIC_OK) longjmp(reader->escape, 1);
  reader->has_alpha = (png_get_color_type(reader->png, reader->info) & PNG_COLOR_MASK_ALPHA) != 0 ||
                      png_get_valid(reader->png, reader->info, PNG_INFO_tRNS) != 0;
  const bool is_gray = (png_get_color_type(reader->png, reader->info) & PNG_COLOR_MASK_COLOR) == 0;
  result->ignored_profile = cic_png_read_colors(
      colors, is_gray ? colors_gray : colors_rgb, &reader->color, (uint64_t)target->width * target->height, limits);
  ask_for_rgba(reader);
  const int passes = png_set_interlace_handling(reader->png);
  reader->is_interlaced = passes > 1;
  png_read_update_info(reader->png, reader->info);
  if (png_get_rowbytes(reader->png, reader->info) != stride_of(reader)) {
    fail(reader, CIC_UNSUPPORTED, "a PNG with an unusual layout of rows");
  }
  if (passes > 1) {
    read_interlaced(reader, limits, passes, target);
  } else {
    read_rows(reader, target);
  }
  png_read_end(reader->png, NULL);
}

// Whether libpng has read the last row of the last pass. The parts of the file that follow (the checksum of the compressed data, further
// chunks, IEND) do not add any pixels.
static bool has_all_rows(const struct png_reader *reader) {
  enum { all_passes = 7 };
  if (reader->height == 0) return false;
  if (reader->is_interlaced) return png_get_current_pass_number(reader->png) >= all_passes;
  return png_get_current_row_number(reader->png) >= reader->height;
}

// Whether the decode failed only after the last row. Returns false for a wrong checksum of the pixels, because any of the pixels may be
// wrong.
static bool has_all_pixels(const struct png_reader *reader) {
  enum { image_data = 0x49444154 };
  if (reader->status != CIC_TRUNCATED && reader->status != CIC_CORRUPT) return false;
  const bool is_checksum = (png_get_io_state(reader->png) & PNG_IO_MASK_LOC) == PNG_IO_CHUNK_CRC;
  if (reader->status == CIC_CORRUPT && is_checksum && png_get_io_chunk_type(reader->png) == image_data) return false;
  return has_all_rows(reader);
}

// Shows the rows that were read before the decode failed.
static void show_rows(struct png_reader *reader, const cic_target *target) {
  if (setjmp(reader->escape)) return;
  if (has_all_rows(reader)) {
    // After libpng has decoded the last row, it reads further bytes before png_read_row returns. If these bytes are missing or damaged, the
    // row is complete but has not been added.
    if (reader->row != NULL) add_row(reader);
  } else if (!reader->has_passed && !cic_rows_leave(&reader->rows)) {
    return;
  }
  reader->status = CIC_OK;
  if (reader->grid != NULL) finish_grid(reader, target);
}

static cic_status decode_or_show(
    struct png_reader *reader, cic_input colors, const cic_limits *limits, const cic_target *target, cic_result *result) {
  decode(reader, colors, limits, target, result);
  if ((reader->is_beginning && reader->status == CIC_TRUNCATED) || has_all_pixels(reader)) show_rows(reader, target);
  result->warnings = reader->warnings;
  return finish(reader);
}

cic_status cic_png_decode_source(struct png_source *source, const cic_limits *limits, const cic_target *target, char *message) {
  struct png_reader reader = {.message = message, .source = source};
  cic_result ignored = {0};
  return decode_or_show(&reader, (cic_input){0}, limits, target, &ignored);
}

cic_status cic_png_decode(cic_input input, const cic_limits *limits, const cic_target *target, cic_result *result, char *message) {
  // Decodes the first frame of an animation if no more bytes will follow and the frame can be decoded; otherwise, the default image.
  if (!input.is_beginning && cic_apng_decode_first(input, limits, target, result)) return CIC_OK;
  struct png_source source = whole_file(input);
  struct png_reader reader = {.message = message, .is_beginning = input.is_beginning, .source = &source};
  return decode_or_show(&reader, input, limits, target, result);
}

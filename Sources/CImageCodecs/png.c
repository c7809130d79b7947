#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libraries.h"

#include <png.h>

#include "png_metadata.h"
#include "rows.h"
#include "support.h"

// Lives in the caller of the function that calls setjmp, so that its contents are defined after the jump.
struct png_reader {
  png_structp png;
  png_infop info;
  jmp_buf escape;
  cic_status status;
  char *message;
  const uint8_t *next;
  size_t left;
  long warnings;
  struct rows rows;
  uint8_t *whole;  // the whole image, if it is interlaced and has to be reduced or turned
  bool has_passed;  // a row of an interlaced image has arrived
  bool is_beginning;
  bool has_alpha;
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

static void read_bytes(png_structp png, png_bytep bytes, size_t count) {
  struct png_reader *reader = png_get_io_ptr(png);
  if (count > reader->left) fail(reader, CIC_TRUNCATED, "the PNG data ends before the picture does");
  memcpy(bytes, reader->next, count);
  reader->next += count;
  reader->left -= count;
}

// Chunks that are not read, whatever they contain: text, profiles, histograms, times. For eXIf and XMP, see png_metadata.h.
static const png_byte ignored_chunks[] =
    "bKGD\0cHRM\0cICP\0eXIf\0gAMA\0hIST\0iCCP\0iTXt\0oFFs\0pCAL\0pHYs\0sBIT\0sCAL\0sPLT\0sRGB\0sTER\0tEXt\0tIME\0zTXt";

static void read_header(struct png_reader *reader, cic_input input) {
  reader->next = input.bytes;
  reader->left = input.count;
  reader->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, reader, on_error, on_warning);
  if (reader->png == NULL) fail(reader, CIC_NO_MEMORY, "out of memory");
  reader->info = png_create_info_struct(reader->png);
  if (reader->info == NULL) fail(reader, CIC_NO_MEMORY, "out of memory");
  png_set_read_fn(reader->png, reader, read_bytes);
  png_set_crc_action(reader->png, PNG_CRC_ERROR_QUIT, PNG_CRC_WARN_DISCARD);
  png_set_user_limits(reader->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
  // Read in small pieces: a larger one may not have arrived completely.
  if (input.is_beginning) png_set_compression_buffer_size(reader->png, 64);
  png_set_chunk_cache_max(reader->png, 16);
  png_set_chunk_malloc_max(reader->png, 1 << 20);
  png_set_keep_unknown_chunks(reader->png, PNG_HANDLE_CHUNK_NEVER, ignored_chunks, sizeof ignored_chunks / 5);
  png_read_info(reader->png, reader->info);
}

static cic_status finish(struct png_reader *reader) {
  if (reader->png != NULL) png_destroy_read_struct(&reader->png, &reader->info, NULL);
  cic_rows_end(&reader->rows);
  free(reader->whole);
  return reader->status;
}

static void run_info(struct png_reader *reader, cic_input input, cic_info *info) {
  if (setjmp(reader->escape)) return;
  read_header(reader, input);
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
  struct png_reader reader = {.message = message};
  run_info(&reader, input, info);
  return finish(&reader);
}

// Converts every kind to RGBA8: scales low bit depths up, takes the high byte of 16 bits, and takes alpha from tRNS or makes it full.
static void ask_for_rgba(struct png_reader *reader) {
  png_set_expand(reader->png);
  png_set_strip_16(reader->png);
  png_set_gray_to_rgb(reader->png);
  png_set_add_alpha(reader->png, 0xFF, PNG_FILLER_AFTER);
}

static size_t stride_of(const struct png_reader *reader) { return (size_t)reader->width * 4; }

// Reads all passes. In a partial file, each pixel covers those that have not arrived yet.
static void read_passes(struct png_reader *reader, int passes, uint8_t *rgba) {
  for (int pass = 0; pass < passes; pass++) {
    for (uint32_t y = 0; y < reader->height; y++) {
      uint8_t *row = rgba + y * stride_of(reader);
      png_read_row(reader->png, reader->is_beginning ? NULL : row, reader->is_beginning ? row : NULL);
      reader->has_passed = true;
    }
  }
}

static void reduce_whole(struct png_reader *reader, const cic_target *target) {
  if (!cic_reduce(reader->whole, reader->width, reader->height, target)) fail(reader, CIC_NO_MEMORY, "out of memory");
}

static void read_interlaced(struct png_reader *reader, const cic_limits *limits, int passes, const cic_target *target) {
  const bool is_turned = target->orientation >= 2 && target->orientation <= 8;
  if (!is_turned && reader->width == target->width && reader->height == target->height) {
    if (reader->is_beginning) memset(target->rgba, 0, reader->height * stride_of(reader));
    read_passes(reader, passes, target->rgba);
    return;
  }
  if (!cic_may_hold(limits, reader->width, reader->height, 4, reader->message)) {
    reader->status = CIC_TOO_LARGE;
    longjmp(reader->escape, 1);
  }
  reader->whole = calloc(reader->height, stride_of(reader));
  if (reader->whole == NULL) fail(reader, CIC_NO_MEMORY, "out of memory");
  read_passes(reader, passes, reader->whole);
  reduce_whole(reader, target);
}

static void read_rows(struct png_reader *reader, const cic_target *target) {
  const struct reducer_source source = cic_whole_pixels(reader->width, reader->height);
  if (!cic_rows_start(&reader->rows, source, reader->has_alpha, target)) fail(reader, CIC_NO_MEMORY, "out of memory");
  for (uint32_t y = 0; y < reader->height; y++) {
    png_read_row(reader->png, cic_rows_next(&reader->rows), NULL);
    cic_rows_add(&reader->rows);
  }
}

static void decode(struct png_reader *reader, cic_input input, const cic_limits *limits, const cic_target *target) {
  if (setjmp(reader->escape)) return;
  read_header(reader, input);
  reader->width = png_get_image_width(reader->png, reader->info);
  reader->height = png_get_image_height(reader->png, reader->info);
  reader->status = cic_check_target(limits, reader->width, reader->height, target, reader->message);
  if (reader->status != CIC_OK) longjmp(reader->escape, 1);
  reader->has_alpha = (png_get_color_type(reader->png, reader->info) & PNG_COLOR_MASK_ALPHA) != 0 ||
                      png_get_valid(reader->png, reader->info, PNG_INFO_tRNS) != 0;
  ask_for_rgba(reader);
  const int passes = png_set_interlace_handling(reader->png);
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

// Shows the rows of a truncated image.
static void show_beginning(struct png_reader *reader, const cic_target *target) {
  if (setjmp(reader->escape)) return;
  if (!reader->has_passed && !cic_rows_leave(&reader->rows)) return;
  reader->status = CIC_OK;
  if (reader->whole != NULL) reduce_whole(reader, target);
}

cic_status cic_png_decode(cic_input input, const cic_limits *limits, const cic_target *target, cic_result *result, char *message) {
  struct png_reader reader = {.message = message, .is_beginning = input.is_beginning};
  decode(&reader, input, limits, target);
  if (reader.is_beginning && reader.status == CIC_TRUNCATED) show_beginning(&reader, target);
  result->warnings = reader.warnings;
  return finish(&reader);
}

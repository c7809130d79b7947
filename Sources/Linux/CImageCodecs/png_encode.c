#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "libraries.h"

#include <png.h>

#include "apng_encode.h"

// After longjmp, local variables of the function that called setjmp may be undefined. So they are in this structure.
struct png_writer {
  cic_writer base;
  png_structp png;
  png_infop info;
  jmp_buf escape;
  cic_status status;
  char *message;
  cic_output *output;  // the destination of libpng's bytes
  struct png_frames frames;
};

static _Noreturn void fail(struct png_writer *writer, cic_status status, const char *text) {
  writer->status = status;
  cic_write_message(writer->message, text);
  longjmp(writer->escape, 1);
}

// Reports the errors of libpng and of zlib. libpng's own limits are not reached, because the size is checked before.
static _Noreturn void on_error(png_structp png, png_const_charp text) {
  fail(png_get_error_ptr(png), strstr(text, "memory") != NULL ? CIC_NO_MEMORY : CIC_UNSUPPORTED, text);
}

static void on_warning(png_structp png, png_const_charp text) {
  (void)png;
  (void)text;
}

static void write_bytes(png_structp png, png_bytep bytes, size_t count) {
  struct png_writer *writer = png_get_io_ptr(png);
  if (!cic_output_append(writer->output, bytes, count)) fail(writer, CIC_NO_MEMORY, "out of memory");
}

static void flush_nothing(png_structp png) { (void)png; }

static void require(struct png_writer *writer, bool has_memory) {
  if (!has_memory) fail(writer, CIC_NO_MEMORY, "out of memory");
}

// Writes the beginning of a PNG with a part of the image to `output`, up to the last chunk with pixels. If the image is not the first one,
// writes only the chunks with pixels.
static void write_part(struct png_writer *writer, cic_output *output, const uint8_t *rgba, struct png_part part, bool is_rgb,
                       uint32_t milliseconds) {
  const cic_writing *writing = &writer->base.writing;
  writer->output = output;
  writer->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, writer, on_error, on_warning);
  require(writer, writer->png != NULL);
  writer->info = png_create_info_struct(writer->png);
  require(writer, writer->info != NULL);
  png_set_write_fn(writer->png, writer, write_bytes, flush_nothing);
  png_set_IHDR(writer->png, writer->info, part.width, part.height, 8, is_rgb ? PNG_COLOR_TYPE_RGB : PNG_COLOR_TYPE_RGB_ALPHA,
               PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_BASE, PNG_FILTER_TYPE_BASE);
  png_set_sRGB(writer->png, writer->info, PNG_sRGB_INTENT_PERCEPTUAL);
  png_write_info(writer->png, writer->info);
  if (writer->base.images == 0) {
    require(writer, writing->exif_count == 0 || cic_png_put_chunk(output, "eXIf", writing->exif, writing->exif_count));
    require(writer, !writing->is_animated || cic_png_start_frames(&writer->frames, output, part, writing->plays, milliseconds));
  } else {
    // Discards the chunks before the pixels.
    output->count = 0;
  }
  if (is_rgb) png_set_filler(writer->png, 0, PNG_FILLER_AFTER);
  for (uint32_t y = part.y; y < part.y + part.height; y++) {
    png_write_row(writer->png, rgba + ((size_t)y * writing->width + part.x) * 4);
  }
  png_destroy_write_struct(&writer->png, &writer->info);
}

static void run_add(struct png_writer *writer, const uint8_t *rgba, uint32_t milliseconds) {
  if (setjmp(writer->escape)) return;
  const cic_writing *writing = &writer->base.writing;
  const size_t pixels = (size_t)writing->width * writing->height;
  struct png_part part = {0, 0, writing->width, writing->height};
  if (writer->base.images == 0) {
    write_part(writer, &writer->base.output, rgba, part, !writing->is_animated && cic_is_opaque(rgba, pixels), milliseconds);
  } else {
    part = cic_png_changed_part(writer->frames.former, rgba, writing->width, writing->height);
    write_part(writer, &writer->frames.pixels, rgba, part, false, milliseconds);
    require(writer, cic_png_add_frame(&writer->frames, &writer->base.output, part, milliseconds));
  }
  if (!writing->is_animated) return;
  if (writer->frames.former == NULL) writer->frames.former = malloc(pixels * 4);
  require(writer, writer->frames.former != NULL);
  memcpy(writer->frames.former, rgba, pixels * 4);
}

static cic_status add(cic_writer *base, const uint8_t *rgba, uint32_t milliseconds, char *message) {
  struct png_writer *writer = (struct png_writer *)base;
  writer->message = message;
  run_add(writer, rgba, milliseconds);
  return writer->status;
}

static cic_status finish(cic_writer *base, char *message) {
  struct png_writer *writer = (struct png_writer *)base;
  if (base->writing.is_animated) cic_png_end_frames(&writer->frames, &base->output, base->images, base->writing.plays);
  return cic_png_put_chunk(&base->output, "IEND", NULL, 0) ? CIC_OK : cic_out_of_memory(message);
}

static void end(cic_writer *base) {
  struct png_writer *writer = (struct png_writer *)base;
  if (writer->png != NULL) png_destroy_write_struct(&writer->png, &writer->info);
  cic_output_free(&writer->frames.pixels);
  free(writer->frames.former);
}

cic_status cic_png_writer(const cic_writing *writing, cic_writer **writer, char *message) {
  static const struct writer_format format = {
      .name = "a PNG", .longest_side = PNG_USER_WIDTH_MAX, .size = sizeof(struct png_writer), .add = add, .finish = finish, .end = end};
  return cic_writer_open(&format, writing, writer, message);
}

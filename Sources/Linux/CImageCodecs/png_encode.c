#include <setjmp.h>
#include <string.h>

#include "libraries.h"

#include <png.h>

#include "support.h"

// After longjmp, local variables of the function that called setjmp may be undefined. So the caller of that function owns this structure.
struct png_writer {
  png_structp png;
  png_infop info;
  jmp_buf escape;
  cic_status status;
  char *message;
  cic_output *output;
};

static _Noreturn void fail(struct png_writer *writer, cic_status status, const char *text) {
  writer->status = status;
  cic_write_message(writer->message, text);
  longjmp(writer->escape, 1);
}

static _Noreturn void on_error(png_structp png, png_const_charp text) { fail(png_get_error_ptr(png), CIC_UNSUPPORTED, text); }

static void on_warning(png_structp png, png_const_charp text) {
  (void)png;
  (void)text;
}

static void write_bytes(png_structp png, png_bytep bytes, size_t count) {
  struct png_writer *writer = png_get_io_ptr(png);
  if (!cic_output_reserve(writer->output, count)) fail(writer, CIC_NO_MEMORY, "out of memory");
  memcpy(writer->output->bytes + writer->output->count, bytes, count);
  writer->output->count += count;
}

static void flush_nothing(png_structp png) { (void)png; }

static bool is_opaque(const uint8_t *rgba, size_t pixels) {
  for (size_t i = 0; i < pixels; i++) {
    if (rgba[i * 4 + 3] != 0xFF) return false;
  }
  return true;
}

static void run_encode(struct png_writer *writer, const uint8_t *rgba, uint32_t width, uint32_t height) {
  if (setjmp(writer->escape)) return;
  writer->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, writer, on_error, on_warning);
  if (writer->png == NULL) fail(writer, CIC_NO_MEMORY, "out of memory");
  writer->info = png_create_info_struct(writer->png);
  if (writer->info == NULL) fail(writer, CIC_NO_MEMORY, "out of memory");
  png_set_write_fn(writer->png, writer, write_bytes, flush_nothing);
  const bool opaque = is_opaque(rgba, (size_t)width * height);
  png_set_IHDR(writer->png, writer->info, width, height, 8, opaque ? PNG_COLOR_TYPE_RGB : PNG_COLOR_TYPE_RGB_ALPHA,
               PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_BASE, PNG_FILTER_TYPE_BASE);
  png_set_sRGB(writer->png, writer->info, PNG_sRGB_INTENT_PERCEPTUAL);
  png_write_info(writer->png, writer->info);
  if (opaque) png_set_filler(writer->png, 0, PNG_FILLER_AFTER);
  for (uint32_t y = 0; y < height; y++) png_write_row(writer->png, rgba + (size_t)y * width * 4);
  png_write_end(writer->png, NULL);
}

cic_status cic_png_encode(const uint8_t *rgba, uint32_t width, uint32_t height, cic_output *output, char *message) {
  *output = (cic_output){0};
  struct png_writer writer = {.message = message, .output = output};
  run_encode(&writer, rgba, width, height);
  if (writer.png != NULL) png_destroy_write_struct(&writer.png, &writer.info);
  if (writer.status != CIC_OK) cic_output_free(output);
  return writer.status;
}

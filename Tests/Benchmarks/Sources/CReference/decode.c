#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gif_lib.h>
#include <jpeglib.h>
#include <png.h>
#include <webp/decode.h>

#include "CReference.h"

struct escape {
  struct jpeg_error_mgr errors;
  jmp_buf target;
};

static void on_error(j_common_ptr jpeg) { longjmp(((struct escape *)jpeg->err)->target, 1); }

// Returns the smallest number of eighths that is at least the scale at which the image fits into the box. The tolerance of 0.001 ensures
// that a rounding error does not lead to one eighth more.
static unsigned eighths(uint32_t width, uint32_t height, uint32_t box) {
  if (box == 0) return 8;
  const double across = (double)box / width, down = (double)box / height;
  const double scale = across < down ? across : down;
  for (unsigned n = 1; n < 8; n++) {
    if (n >= scale * 8 - 0.001) return n;
  }
  return 8;
}

uint8_t *reference_decode_jpeg(reference_bytes input, uint32_t box, uint32_t *width, uint32_t *height) {
  struct jpeg_decompress_struct jpeg;
  struct escape escape;
  uint8_t *volatile pixels = NULL;
  jpeg.err = jpeg_std_error(&escape.errors);
  escape.errors.error_exit = on_error;
  if (setjmp(escape.target)) {
    jpeg_destroy_decompress(&jpeg);
    free(pixels);
    return NULL;
  }
  jpeg_create_decompress(&jpeg);
  jpeg_mem_src(&jpeg, input.bytes, input.count);
  jpeg_read_header(&jpeg, TRUE);
  jpeg.out_color_space = JCS_EXT_RGBA;
  jpeg.scale_num = eighths(jpeg.image_width, jpeg.image_height, box);
  jpeg.scale_denom = 8;
  jpeg_start_decompress(&jpeg);
  const size_t stride = (size_t)jpeg.output_width * 4;
  pixels = malloc(stride * jpeg.output_height);
  while (jpeg.output_scanline < jpeg.output_height) {
    JSAMPROW row = pixels + stride * jpeg.output_scanline;
    jpeg_read_scanlines(&jpeg, &row, 1);
  }
  *width = jpeg.output_width;
  *height = jpeg.output_height;
  jpeg_finish_decompress(&jpeg);
  jpeg_destroy_decompress(&jpeg);
  return pixels;
}

struct png_input {
  reference_bytes bytes;
  size_t taken;
};

static void png_read(png_structp png, png_bytep target, png_size_t count) {
  struct png_input *input = png_get_io_ptr(png);
  if (count > input->bytes.count - input->taken) png_error(png, "short");
  for (size_t i = 0; i < count; i++) target[i] = input->bytes.bytes[input->taken + i];
  input->taken += count;
}

uint8_t *reference_decode_png(reference_bytes bytes, uint32_t *width, uint32_t *height) {
  struct png_input input = {.bytes = bytes};
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
  png_infop info = png_create_info_struct(png);
  uint8_t *volatile pixels = NULL;
  if (setjmp(png_jmpbuf(png))) {
    png_destroy_read_struct(&png, &info, NULL);
    free(pixels);
    return NULL;
  }
  png_set_read_fn(png, &input, png_read);
  png_read_info(png, info);
  *width = png_get_image_width(png, info);
  *height = png_get_image_height(png, info);
  png_set_expand(png);
  png_set_strip_16(png);
  png_set_gray_to_rgb(png);
  png_set_add_alpha(png, 0xFF, PNG_FILLER_AFTER);
  png_read_update_info(png, info);
  const size_t stride = (size_t)*width * 4;
  pixels = malloc(stride * *height);
  for (uint32_t y = 0; y < *height; y++) png_read_row(png, pixels + stride * y, NULL);
  png_read_end(png, NULL);
  png_destroy_read_struct(&png, &info, NULL);
  return pixels;
}

uint8_t *reference_decode_webp(reference_bytes input, uint32_t scaled_width, uint32_t scaled_height, uint32_t *width, uint32_t *height) {
  WebPDecoderConfig config;
  if (!WebPInitDecoderConfig(&config) || WebPGetFeatures(input.bytes, input.count, &config.input) != VP8_STATUS_OK) return NULL;
  *width = scaled_width ? scaled_width : (uint32_t)config.input.width;
  *height = scaled_height ? scaled_height : (uint32_t)config.input.height;
  config.options.use_scaling = scaled_width != 0;
  config.options.scaled_width = (int)scaled_width;
  config.options.scaled_height = (int)scaled_height;
  const size_t stride = (size_t)*width * 4;
  uint8_t *pixels = malloc(stride * *height);
  config.output.colorspace = MODE_RGBA;
  config.output.is_external_memory = 1;
  config.output.u.RGBA = (WebPRGBABuffer){pixels, (int)stride, stride * *height};
  if (WebPDecode(input.bytes, input.count, &config) != VP8_STATUS_OK) {
    free(pixels);
    return NULL;
  }
  return pixels;
}

static int gif_read(GifFileType *gif, GifByteType *target, int count) {
  reference_bytes *input = gif->UserData;
  const size_t taken = (size_t)count < input->count ? (size_t)count : input->count;
  memcpy(target, input->bytes, taken);
  *input = (reference_bytes){input->bytes + taken, input->count - taken};
  return (int)taken;
}

uint8_t *reference_decode_gif(reference_bytes input, uint32_t *width, uint32_t *height) {
  int fault;
  uint8_t *pixels = NULL;
  GifFileType *gif = DGifOpen(&input, gif_read, &fault);
  if (gif == NULL) return NULL;
  if (DGifSlurp(gif) == GIF_OK && gif->ImageCount > 0 && gif->SColorMap != NULL) {
    const SavedImage *image = &gif->SavedImages[0];
    *width = (uint32_t)image->ImageDesc.Width;
    *height = (uint32_t)image->ImageDesc.Height;
    const size_t count = (size_t)*width * *height;
    pixels = malloc(count * 4);
    for (size_t i = 0; i < count; i++) {
      const GifColorType *color = &gif->SColorMap->Colors[image->RasterBits[i] % gif->SColorMap->ColorCount];
      const uint8_t pixel[4] = {color->Red, color->Green, color->Blue, 255};
      memcpy(pixels + i * 4, pixel, 4);
    }
  }
  DGifCloseFile(gif, &fault);
  return pixels;
}

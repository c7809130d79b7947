#include "CJPEGReference.h"

#include <stdio.h>
#include <stdlib.h>

#include <jpeglib.h>

// A linear congruential generator with the constants of Numerical Recipes.
static uint32_t random_below(uint32_t *state, uint32_t limit) {
  *state = *state * 1664525u + 1013904223u;
  return (uint32_t)((uint64_t)*state * limit >> 32);
}

// Draws gradients along the sides and along the diagonal, so that all channels differ.
static void draw_row(const jpeg_reference_picture *picture, uint32_t y, int channels, uint32_t *state, uint8_t *row) {
  for (uint32_t x = 0; x < picture->width; x++) {
    const uint32_t across = 20 + 200 * x / picture->width, down = 20 + 200 * y / picture->height;
    const uint32_t levels[] = {across, down, 240 - (across + down) / 2, 200};
    for (int i = 0; i < channels; i++) *row++ = (uint8_t)(levels[i] + random_below(state, picture->noise + 1));
  }
}

static void set_factors(struct jpeg_compress_struct *jpeg, int across, int down) {
  jpeg->comp_info[0].h_samp_factor = across;
  jpeg->comp_info[0].v_samp_factor = down;
}

uint8_t *jpeg_reference_encode(const jpeg_reference_picture *picture, size_t *count) {
  struct jpeg_compress_struct jpeg;
  struct jpeg_error_mgr errors;
  jpeg.err = jpeg_std_error(&errors);
  jpeg_create_compress(&jpeg);
  uint8_t *bytes = NULL;
  unsigned long written = 0;
  jpeg_mem_dest(&jpeg, &bytes, &written);
  jpeg.image_width = picture->width;
  jpeg.image_height = picture->height;
  const bool is_gray = picture->kind == JPEG_REFERENCE_GRAY, is_cmyk = picture->kind == JPEG_REFERENCE_CMYK;
  jpeg.input_components = is_gray ? 1 : is_cmyk ? 4 : 3;
  jpeg.in_color_space = is_gray ? JCS_GRAYSCALE : is_cmyk ? JCS_CMYK : JCS_RGB;
  jpeg_set_defaults(&jpeg);
  jpeg_set_quality(&jpeg, picture->quality, TRUE);
  switch (picture->kind) {
    case JPEG_REFERENCE_444: set_factors(&jpeg, 1, 1); break;
    case JPEG_REFERENCE_422: set_factors(&jpeg, 2, 1); break;
    case JPEG_REFERENCE_420: set_factors(&jpeg, 2, 2); break;
    case JPEG_REFERENCE_440: set_factors(&jpeg, 1, 2); break;
    case JPEG_REFERENCE_411: set_factors(&jpeg, 4, 1); break;
    case JPEG_REFERENCE_GRAY:
    case JPEG_REFERENCE_CMYK: break;
  }
  if (picture->progressive) jpeg_simple_progression(&jpeg);
  jpeg_start_compress(&jpeg, TRUE);
  JSAMPROW row = malloc((size_t)picture->width * 4);
  uint32_t state = 1;
  for (uint32_t y = 0; y < picture->height; y++) {
    draw_row(picture, y, jpeg.input_components, &state, row);
    jpeg_write_scanlines(&jpeg, &row, 1);
  }
  free(row);
  jpeg_finish_compress(&jpeg);
  jpeg_destroy_compress(&jpeg);
  *count = written;
  return bytes;
}

static void multiply_black_in(uint8_t *row, uint32_t width) {
  for (; width > 0; width--, row += 4) {
    for (int i = 0; i < 3; i++) row[i] = (uint8_t)((row[i] * row[3] + 127) / 255);
    row[3] = 255;
  }
}

void jpeg_reference_decode(const uint8_t *bytes, size_t count, uint8_t *rgba) {
  struct jpeg_decompress_struct jpeg;
  struct jpeg_error_mgr errors;
  jpeg.err = jpeg_std_error(&errors);
  jpeg_create_decompress(&jpeg);
  jpeg_mem_src(&jpeg, bytes, count);
  jpeg_read_header(&jpeg, TRUE);
  const bool is_cmyk = jpeg.jpeg_color_space == JCS_CMYK;
  jpeg.out_color_space = is_cmyk ? JCS_CMYK : JCS_EXT_RGBA;
  jpeg_start_decompress(&jpeg);
  while (jpeg.output_scanline < jpeg.output_height) {
    JSAMPROW row = rgba + (size_t)jpeg.output_scanline * jpeg.output_width * 4;
    jpeg_read_scanlines(&jpeg, &row, 1);
    if (is_cmyk) multiply_black_in(row, jpeg.output_width);
  }
  jpeg_finish_decompress(&jpeg);
  jpeg_destroy_decompress(&jpeg);
}

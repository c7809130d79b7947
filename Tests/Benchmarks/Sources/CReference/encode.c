#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gif_lib.h>
#include <jpeglib.h>
#include <webp/encode.h>

#include "CReference.h"
#include "gif_output.h"

static uint8_t *progressive_jpeg(const uint8_t *pixels, uint32_t width, uint32_t height, size_t *count) {
  struct jpeg_compress_struct jpeg;
  struct jpeg_error_mgr errors;
  unsigned char *bytes = NULL;
  unsigned long size = 0;
  jpeg.err = jpeg_std_error(&errors);
  jpeg_create_compress(&jpeg);
  jpeg_mem_dest(&jpeg, &bytes, &size);
  jpeg.image_width = width;
  jpeg.image_height = height;
  jpeg.input_components = 4;
  jpeg.in_color_space = JCS_EXT_RGBA;
  jpeg_set_defaults(&jpeg);
  jpeg_set_quality(&jpeg, 85, TRUE);
  jpeg_simple_progression(&jpeg);
  jpeg_start_compress(&jpeg, TRUE);
  while (jpeg.next_scanline < height) {
    JSAMPROW row = (JSAMPROW)pixels + (size_t)jpeg.next_scanline * width * 4;
    jpeg_write_scanlines(&jpeg, &row, 1);
  }
  jpeg_finish_compress(&jpeg);
  jpeg_destroy_compress(&jpeg);
  *count = size;
  return bytes;
}

int gif_output_write(GifFileType *gif, const GifByteType *bytes, int count) {
  struct gif_output *output = gif->UserData;
  output->bytes = realloc(output->bytes, output->count + (size_t)count);
  memcpy(output->bytes + output->count, bytes, (size_t)count);
  output->count += (size_t)count;
  return count;
}

ColorMapObject *gif_output_levels(void) {
  GifColorType colors[256] = {0};
  for (int i = 0; i < 216; i++) {
    colors[i] = (GifColorType){(GifByteType)(i / 36 * 51), (GifByteType)(i / 6 % 6 * 51), (GifByteType)(i % 6 * 51)};
  }
  return GifMakeMapObject(256, colors);
}

// Encodes a GIF with six levels for each of red, green, and blue.
static uint8_t *gif(const uint8_t *pixels, uint32_t width, uint32_t height, size_t *count) {
  struct gif_output output = {NULL, 0};
  int fault;
  GifFileType *file = EGifOpen(&output, gif_output_write, &fault);
  ColorMapObject *map = gif_output_levels();
  GifByteType *row = malloc(width);
  EGifPutScreenDesc(file, (int)width, (int)height, 8, 0, map);
  EGifPutImageDesc(file, 0, 0, (int)width, (int)height, false, NULL);
  for (uint32_t y = 0; y < height; y++) {
    for (uint32_t x = 0; x < width; x++, pixels += 4) row[x] = (GifByteType)(pixels[0] / 43 * 36 + pixels[1] / 43 * 6 + pixels[2] / 43);
    EGifPutLine(file, row, (int)width);
  }
  EGifCloseFile(file, &fault);
  GifFreeMapObject(map);
  free(row);
  *count = output.count;
  return output.bytes;
}

uint8_t *reference_convert_jpeg(reference_bytes jpeg, enum reference_format format, size_t *count) {
  uint32_t width, height;
  uint8_t *pixels = reference_decode_jpeg(jpeg, 0, &width, &height);
  uint8_t *made = NULL;
  *count = 0;
  if (pixels == NULL) return NULL;
  switch (format) {
    case REFERENCE_PROGRESSIVE_JPEG: made = progressive_jpeg(pixels, width, height, count); break;
    case REFERENCE_GIF: made = gif(pixels, width, height, count); break;
    case REFERENCE_WEBP: *count = WebPEncodeRGBA(pixels, (int)width, (int)height, (int)width * 4, 85, &made); break;
  }
  free(pixels);
  return made;
}

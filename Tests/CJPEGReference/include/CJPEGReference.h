#ifndef CJPEGREFERENCE_H
#define CJPEGREFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// JPEGs of every kind, and their pixels by libjpeg's simplest loop, for tests. An error of libjpeg ends the process.

typedef enum __attribute__((enum_extensibility(closed))) jpeg_reference_kind {
  JPEG_REFERENCE_444,
  JPEG_REFERENCE_422,
  JPEG_REFERENCE_420,
  JPEG_REFERENCE_440,
  JPEG_REFERENCE_411,
  JPEG_REFERENCE_GRAY,
  JPEG_REFERENCE_CMYK,
} jpeg_reference_kind;

typedef struct jpeg_reference_picture {
  uint32_t width;
  uint32_t height;
  jpeg_reference_kind kind;
  bool progressive;
  int quality;
  uint32_t noise;  // levels, added to a slope of colors
} jpeg_reference_picture;

// Returns a file of `count` bytes that the caller frees. A CMYK file has Adobe's marker, as such files do.
uint8_t *jpeg_reference_encode(const jpeg_reference_picture *picture, size_t *count);

// Writes the image at its full size: four bytes a pixel, with black multiplied into the inks of CMYK.
void jpeg_reference_decode(const uint8_t *bytes, size_t count, uint8_t *rgba);

#endif

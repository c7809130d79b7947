#ifndef CJPEGREFERENCE_H
#define CJPEGREFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// JPEGs of every kind, and their pixels by libjpeg's plainest loop, for tests. An error of libjpeg's ends the process.

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

// A file of `count` bytes, to be freed; CMYK has Adobe's marker, as files of it do.
uint8_t *jpeg_reference_encode(const jpeg_reference_picture *picture, size_t *count);

// Writes the picture at its full size: four bytes a pixel, black multiplied into the inks of CMYK.
void jpeg_reference_decode(const uint8_t *bytes, size_t count, uint8_t *rgba);

#endif

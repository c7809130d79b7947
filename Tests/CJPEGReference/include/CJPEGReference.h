#ifndef CJPEGREFERENCE_H
#define CJPEGREFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Functions that encode JPEGs of several kinds for tests, and decode them with the simplest loop that calls libjpeg. An error of libjpeg
// ends the process.

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
  uint32_t noise;  // the highest level of the random noise that is added to the gradients
} jpeg_reference_picture;

// Returns a file of `count` bytes, which the caller frees. A CMYK file has Adobe's marker, as is usual. In a file with this marker, the
// inks are inverted, so 255 means no ink.
uint8_t *jpeg_reference_encode(const jpeg_reference_picture *picture, size_t *count);

// Writes the image at its full size, with four bytes for each pixel. For a CMYK image, multiplies each of the other three inverted inks
// by the inverted black, which results in red, green, and blue.
void jpeg_reference_decode(const uint8_t *bytes, size_t count, uint8_t *rgba);

#endif

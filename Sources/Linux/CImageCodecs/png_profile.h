#ifndef CIC_PNG_PROFILE_H
#define CIC_PNG_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The orientation in a tEXt or zTXt chunk with the EXIF profile that ImageMagick writes as text; 0 if the chunk is none, or has none.
// Reads the first 4 KiB of EXIF.
int cic_png_profile_tag(const uint8_t *chunk, size_t count, bool is_compressed);

#endif

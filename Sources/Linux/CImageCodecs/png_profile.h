#ifndef CIC_PNG_PROFILE_H
#define CIC_PNG_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Returns the orientation in a tEXt or zTXt chunk that has an EXIF profile as text, which ImageMagick writes. Returns 0 for another chunk,
// or if the profile has no orientation. Reads the first 4 KiB of EXIF.
int cic_png_profile_tag(const uint8_t *chunk, size_t count, bool is_compressed);

#endif

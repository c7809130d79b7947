#ifndef CIC_LCMS_LIBRARY_H
#define CIC_LCMS_LIBRARY_H

#include <stdint.h>

// The functions of little CMS, if it is installed. Little CMS is loaded once: when the first profile with tables or for CMYK arrives. So a
// program can be built without the headers of little CMS, and can run without little CMS. The layouts of pixels are those of lcms2.h, where
// they are macros.

enum { lcms_gray = 3 << 16 | 1 << 3 | 1, lcms_rgb = 4 << 16 | 3 << 3 | 1 };  // one byte for each channel
enum { lcms_rgba = lcms_rgb | 1 << 7 };                                       // little CMS leaves alpha unchanged
enum { lcms_light_of_inks = 6 << 16 | 1 << 13 | 4 << 3 | 1 };                 // CMYK, where 0 is the full amount of ink
enum { lcms_perceptual = 0, lcms_as_is = 1 << 8 };  // an intent, and the flag to convert each pixel step by step

struct lcms_library {
  void *(*open)(const void *bytes, uint32_t count);
  void *(*open_srgb)(void);
  int (*close)(void *profile);
  void *(*start)(void *from, uint32_t from_pixels, void *to, uint32_t to_pixels, uint32_t intent, uint32_t flags);
  void (*convert)(void *transform, const void *from, void *to, uint32_t pixels);
  void (*end)(void *transform);
};

// Returns little CMS, or NULL if it is not installed.
const struct lcms_library *cic_lcms_library(void);

#endif

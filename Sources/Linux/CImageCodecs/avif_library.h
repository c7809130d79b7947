#ifndef CIC_AVIF_LIBRARY_H
#define CIC_AVIF_LIBRARY_H

#include "heif_shape.h"
#include "support.h"

// The functions of libavif, if it is installed. libavif is loaded once: when the first AVIF arrives, or when the supported formats are
// first requested. So a program can be built without libavif's headers, and can run without libavif. The structures declared here are the
// beginnings of libavif's structures, up to the last field that is used. They match both of libavif's binary interfaces: 0.11
// (libavif.so.15), and 1.x (libavif.so.16), which promises to add fields only at the end.

enum { avif_ok = 0, avif_truncated = 20, avif_waiting = 23, avif_out_of_memory = 26 };
enum { avif_no_codec = 15, avif_invalid_option = 19, avif_not_implemented = 25, avif_unsupported_depth = 6 };
enum { avif_crops = 1 << 1, avif_rotates = 1 << 2, avif_mirrors = 1 << 3 };
enum { avif_yuv444 = 1, avif_yuv422 = 2, avif_yuv420 = 3, avif_yuv400 = 4 };

struct avif_data {
  uint8_t *bytes;
  size_t count;
};

// Both interfaces have the same fields up to the matrix coefficients.
struct avif_picture {
  uint32_t width, height, depth;
  int yuv_format, yuv_range, chroma_position;
  uint8_t *planes[3];
  uint32_t row_bytes[3];
  int owns_planes;
  uint8_t *alpha;
  uint32_t alpha_row_bytes;
  int owns_alpha, is_premultiplied;
  struct avif_data profile;
  uint16_t primaries, transfer, matrix;
};

struct avif_transforms {
  uint32_t flags;
  uint32_t pixel_aspect[2];
  uint32_t clean_aperture[8];  // fractions: width, height, and the distances of its center from the image's center, to the right and down
  uint8_t angle;   // the number of quarter turns to the left
  uint8_t mirror;  // 0: swaps top and bottom, 1: swaps left and right
};

struct avif_decoder {
  int codec, threads, source, progressive, incremental, ignores_exif, ignores_xmp;
  uint32_t most_pixels, longest_side, most_frames, strictness;
  struct avif_picture *picture;
  int index, count;
};

enum { avif_avoids_libyuv = 2, avif_ignores_alpha = 3 };  // positions in `more`

struct avif_rgb {
  uint32_t width, height, depth;
  int format;
  int more[6];
  uint8_t tail[96];  // 0.11: pixels and row bytes; 1.x: the number of threads, pixels, and row bytes
};

struct avif_library {
  bool is_first;  // version 0.11
  void *handle;
  struct avif_decoder *(*decoder_create)(void);
  void (*decoder_destroy)(struct avif_decoder *);
  int (*set_memory)(struct avif_decoder *, const uint8_t *, size_t);
  int (*parse)(struct avif_decoder *);
  int (*next_image)(struct avif_decoder *);
  int (*image_at)(struct avif_decoder *, uint32_t);
  struct avif_picture *(*picture_create)(void);
  void (*picture_destroy)(struct avif_picture *);
  int (*view)(struct avif_picture *, const struct avif_picture *, const struct heif_rectangle *);
  void (*rgb_defaults)(struct avif_rgb *, const struct avif_picture *);
  int (*to_rgb)(const struct avif_picture *, struct avif_rgb *);
  const char *(*describe)(int);
};

// Returns libavif, or NULL if it is not installed, or has an unsupported version.
const struct avif_library *cic_avif_library(void);

struct avif_transforms cic_avif_transforms(const struct avif_library *library, const struct avif_picture *picture);
void cic_avif_set_pixels(const struct avif_library *library, struct avif_rgb *rgb, uint8_t *pixels, uint32_t row_bytes);

#endif

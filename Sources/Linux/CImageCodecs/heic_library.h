#ifndef CIC_HEIC_LIBRARY_H
#define CIC_HEIC_LIBRARY_H

#include "CImageCodecs.h"

// The functions of libheif, if it is installed and has a decoder for HEVC. As with libavif, libheif is loaded once. A program can be built
// without libheif's headers, and can run without libheif. All versions 1.x have the same binary interface (libheif.so.1).

enum { heif_ok = 0, heif_unsupported = 4, heif_out_of_memory = 6 };
enum { heif_hevc = 1 };
enum { heif_colored = 1, heif_gray = 2 };            // kinds of colors
enum { heif_one_plane = 0, heif_three_planes = 3 };  // kinds of planes
enum { heif_y = 0, heif_r = 3, heif_g = 4, heif_b = 5 };  // planes

struct heif_result {
  int code, detail;
  const char *text;
};

// The beginning of the library's description of colors.
struct heif_colors {
  uint8_t version;
  int primaries, transfer, matrix;
  uint8_t has_full_range;
};

struct heic_library {
  struct heif_result (*start)(void *);
  int (*has_decoder)(int);
  void *(*context_create)(void);
  void (*context_destroy)(void *);
  struct heif_result (*read)(void *, const void *, size_t, const void *);
  struct heif_result (*find_primary)(void *, void **);
  void (*handle_destroy)(const void *);
  struct heif_result (*decode)(const void *, void **, int, int, const void *);
  void (*picture_destroy)(const void *);
  int (*width)(const void *, int);
  int (*height)(const void *, int);
  int (*depth)(const void *, int);
  const uint8_t *(*plane)(const void *, int, int *);
  struct heif_result (*read_colors)(const void *, struct heif_colors **);
  void (*colors_destroy)(struct heif_colors *);
};

// Returns libheif, or NULL if it is not installed, or cannot decode HEVC.
const struct heic_library *cic_heic_library(void);

#endif

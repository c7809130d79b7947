#ifndef CIC_WEBP_FILE_H
#define CIC_WEBP_FILE_H

#include "libraries.h"

#include <webp/decode.h>

#include "support.h"

// What a WebP file's chunks say.
struct webp_file {
  cic_input input;                 // without what follows the file
  WebPBitstreamFeatures features;  // of an animation its canvas
  bool complete;                   // the input is as long as the file says
  uint32_t frames;                 // 1 for a still picture
  uint32_t plays;                  // of an animation; 0 for ever
  uint64_t total_pixels;           // of all frames, each at least as large as the canvas
  int orientation;                 // 1 where no chunk says so, or while it is still to come
  bool has_exif;
  cic_input first_frame;           // of an animation: the picture's own chunks
  bool first_frame_covers;         // the canvas
};

cic_status cic_webp_read(struct webp_file *file, cic_input input, char *message);

// Whether the EXIF chunk, which follows the pixels, has not come yet. XMP seldom says how a picture lies: it is not waited for.
bool cic_webp_promises_orientation(const struct webp_file *file);

// What libwebp holds whole, in bytes a pixel, while it decodes such a picture.
uint64_t cic_webp_held(const WebPBitstreamFeatures *features);

#endif

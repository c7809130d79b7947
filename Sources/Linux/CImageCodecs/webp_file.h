#ifndef CIC_WEBP_FILE_H
#define CIC_WEBP_FILE_H

#include "libraries.h"

#include <webp/decode.h>

#include "support.h"

// The description of a WebP file by its chunks.
struct webp_file {
  cic_input input;                 // without the bytes after the file
  WebPBitstreamFeatures features;  // those of the canvas for an animation
  bool complete;                   // the input is as long as the file declares
  uint32_t frames;                 // 1 for a still image
  uint32_t plays;                  // for an animation; 0 means forever
  int orientation;                 // 1 if no chunk has one, or none has arrived yet
  bool has_exif;
  cic_input first_frame;           // for an animation: the frame's own image chunks
  bool first_frame_covers;         // it covers the canvas
};

cic_status cic_webp_read(struct webp_file *file, cic_input input, char *message);

// Whether the EXIF chunk, which follows the pixels, has not arrived yet. XMP seldom has an orientation, so it is not waited for.
bool cic_webp_promises_orientation(const struct webp_file *file);

// The bytes per pixel that libwebp holds in full while it decodes such an image.
uint64_t cic_webp_held(const WebPBitstreamFeatures *features);

#endif

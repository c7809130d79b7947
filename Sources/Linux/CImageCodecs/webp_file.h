#ifndef CIC_WEBP_FILE_H
#define CIC_WEBP_FILE_H

#include "libraries.h"

#include <webp/decode.h>

#include "color.h"
#include "support.h"

// The description of a WebP file from its chunks.
struct webp_file {
  cic_input input;                 // the file, without bytes after its end
  WebPBitstreamFeatures features;  // for an animation, the features of the canvas
  bool complete;                   // the input is at least as long as the file declares
  uint32_t frames;                 // 1 for a still image
  uint32_t plays;                  // for an animation, the number of times to play it; 0 means forever
  int orientation;                 // 1 if no chunk with an orientation has arrived
  bool has_exif;
  cic_input profile;               // the first ICC profile; it has no bytes if there is none
  cic_input first_frame;           // for an animation, the image chunks of the first frame
  bool first_frame_covers;         // the first frame covers the canvas
};

// Reads the header and the chunks that have arrived. Fails only if the header cannot be read. For an incomplete file, `complete` is false.
cic_status cic_webp_read(struct webp_file *file, cic_input input, char *message);

// Whether the header announces an EXIF chunk that has not arrived yet. That chunk follows the pixels. An XMP chunk does not matter, because
// XMP seldom has an orientation.
bool cic_webp_promises_orientation(const struct webp_file *file);

// Prepares the conversion of colors by the file's profile. Returns NULL, or a clause that says why the profile is ignored.
const char *cic_webp_read_profile(const struct webp_file *file, struct color *color, uint64_t pixels, const cic_limits *limits);

// Returns the number of bytes that libwebp allocates for each pixel of an image with these features while it decodes the image.
uint64_t cic_webp_held(const WebPBitstreamFeatures *features);

#endif

#ifndef CIC_APNG_H
#define CIC_APNG_H

#include "png_chunk.h"

// The frames of an animated PNG (PNG, third edition, 4.9 and 11.3.6). The chunk acTL makes a PNG an animation. Each frame begins with a
// chunk fcTL, which describes it. The compressed pixels of the first frame are in IDAT if its fcTL precedes IDAT. Otherwise, the image in
// IDAT, which is called the default image, is not part of the animation. The pixels of all other frames are in fdAT.

enum apng_disposal { apng_keep = 0, apng_clear = 1, apng_restore = 2 };

struct apng_frame {
  uint32_t left, top, width, height;  // position and size on the canvas, inside of it
  uint32_t milliseconds;              // the duration that browsers use
  enum apng_disposal disposal;
  bool is_blended;  // over the canvas; otherwise the frame's pixels replace those of the canvas
  bool is_default;  // the pixels are in IDAT
  size_t data;      // the position of the first chunk with pixels
};

struct apng {
  cic_input input;
  uint32_t width, height;  // the size of the canvas
  uint32_t declared;       // the number of frames that the file declares, at most CIC_MAX_COUNTED_FRAMES; at the end, the number found
  uint32_t plays;          // 0 means forever
  bool hides_default;      // the default image is not part of the animation
  const uint8_t *header;   // the data of IHDR
  struct png_chunk palette, transparency;
  size_t position;    // of the next chunk
  uint32_t frames;    // the number of frames found so far
  uint32_t sequence;  // the sequence number of the next fcTL or fdAT
};

// Reads the chunks before the pixels. Returns false if the file is not an animation, or if these chunks are broken. In both cases, treat
// the file as a still image.
bool cic_apng_open(struct apng *apng, cic_input input);

// Finds the next frame without reading its pixels. Returns false if there is no other frame, or if the chunks of the next frame are broken.
// In both cases, the animation ends after the frames found so far.
bool cic_apng_next_frame(struct apng *apng, struct apng_frame *frame);

// Whether the chunks of the file have arrived, including the last one.
bool cic_apng_is_complete(const struct apng *apng);

// Finds the next chunk with pixels of the frame, beginning at `*position`, and moves the position behind it. `*data` becomes the compressed
// pixels. Returns false if there is no other such chunk.
bool cic_apng_next_data(const struct apng *apng, const struct apng_frame *frame, size_t *position, cic_input *data);

// Whether the checksums of all chunks with pixels of the frame are right. `*count` becomes the number of bytes of compressed pixels.
bool cic_apng_check_data(const struct apng *apng, const struct apng_frame *frame, uint64_t *count);

#endif

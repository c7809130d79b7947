#ifndef CIC_APNG_ENCODE_H
#define CIC_APNG_ENCODE_H

#include "writer.h"

// The chunks of an animated PNG (PNG, third edition, 11.3.6). The file has acTL before the pixels of the first frame, and fcTL before the
// pixels of each frame. The pixels of the first frame are the IDAT chunks of a still image. Those of the other frames are fdAT chunks,
// which have a sequence number and the content of an IDAT chunk. No frame is disposed of, and each frame replaces the pixels of its
// rectangle.

struct png_part {
  uint32_t x, y, width, height;
};

struct png_frames {
  uint8_t *former;        // the pixels of the frame before; NULL before the first frame
  cic_output pixels;      // the IDAT chunks of the current frame
  uint32_t sequence;      // the number of the next fcTL or fdAT chunk
  size_t control;         // the position of acTL, whose number of frames is known at the end
};

// Appends a chunk. Returns false if memory runs out.
bool cic_png_put_chunk(cic_output *output, const char *letters, const uint8_t *bytes, size_t count);

// Returns the smallest rectangle outside of which the images are equal; one pixel if they are equal everywhere.
struct png_part cic_png_changed_part(const uint8_t *former, const uint8_t *rgba, uint32_t width, uint32_t height);

// Appends the chunks before the pixels of the first frame. Returns false if memory runs out.
bool cic_png_start_frames(struct png_frames *frames, cic_output *output, struct png_part part, uint32_t plays, uint32_t milliseconds);

// Appends a frame other than the first one. The IDAT chunks in `frames->pixels` become fdAT chunks. Returns false if memory runs out.
bool cic_png_add_frame(struct png_frames *frames, cic_output *output, struct png_part part, uint32_t milliseconds);

// Writes the numbers of frames and of plays to the chunk acTL that cic_png_start_frames appended.
void cic_png_end_frames(const struct png_frames *frames, cic_output *output, uint32_t count, uint32_t plays);

#endif

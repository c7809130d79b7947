#ifndef CIC_PNG_FRAME_H
#define CIC_PNG_FRAME_H

#include "apng.h"

// Decodes a frame of an animation to RGBA, in the frame's own size, with the colors as stored. `rgba` must have room for all its pixels.
//
// libpng cannot read frames. So it gets the bytes of a PNG that has the frame's size, the file's palette and transparent color, and the
// frame's compressed pixels. These bytes are read from the file piece by piece, without a copy.
cic_status cic_png_decode_frame(
    const struct apng *apng, const struct apng_frame *frame, const cic_limits *limits, uint8_t *rgba, char *message);

#endif

#ifndef CIC_PNG_SOURCE_H
#define CIC_PNG_SOURCE_H

#include "CImageCodecs.h"

// The bytes of a PNG that libpng reads: a file, or the pieces from which a frame of an animation is put together.
struct png_source {
  cic_input piece;  // the rest of the current piece
  uint64_t left;    // the number of bytes in this piece and all later pieces
  void (*advance)(struct png_source *source);  // replaces `piece` with the next piece; NULL for a file
  bool is_checked;  // the chunks were checked before, so libpng ignores wrong checksums of the chunks that it requires
};

// Decodes a PNG without converting its colors.
cic_status cic_png_decode_source(struct png_source *source, const cic_limits *limits, const cic_target *target, char *message);

#endif

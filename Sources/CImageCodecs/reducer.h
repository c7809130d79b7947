#ifndef CIC_REDUCER_H
#define CIC_REDUCER_H

#include "orient.h"

// Makes a picture smaller while its rows come in: each target pixel is the average of the source area that it covers, with
// fractional weights at the edges of the area (a box filter). Holds one row of sums, whatever the picture's height.

// What a row holds, and how much of the picture that is: a JPEG reduced to eighths may end within a pixel.
struct reducer_source {
  uint32_t columns;  // pixels in a row
  uint32_t width;    // of the picture, in 1/parts of a row's pixel
  uint32_t height;   // likewise
  uint32_t parts;    // 1, or 8 for pictures without alpha
};

struct reducer {
  struct reducer_source source;
  uint32_t width, height;  // of the target
  bool has_alpha;
  struct upright *target;
  uint32_t *sums;      // 4 for each source column, over the rows so far
  uint32_t remaining;  // of the target row's share of source rows, in units of 1/(parts * height) of a source row
  uint32_t rows_left;  // of the target
};

// False when memory runs out or a size is out of range. Ends with cic_reducer_end in either case.
bool cic_reducer_start(struct reducer *reducer, struct reducer_source source, bool has_alpha, struct upright *target);
void cic_reducer_add(struct reducer *reducer, const uint8_t *row);
void cic_reducer_end(struct reducer *reducer);

#endif

#ifndef CIC_REDUCER_H
#define CIC_REDUCER_H

#include "filter.h"
#include "orient.h"
#include "pairs.h"

// Reduces an image while its rows arrive. A larger image is first averaged over whole numbers of pixels, to between two and four times the
// target's size. Lanczos's filter does the rest. Colors are weighted by their alpha. Holds a few rows of the target's width, whatever the
// image's height.

// The contents of a row, and the part of it that belongs to the image: a JPEG reduced to eighths may end within a pixel.
struct reducer_source {
  uint32_t columns;  // pixels in a row
  uint32_t width;    // of the image, in 1/parts of a row's pixel
  uint32_t height;   // likewise
  uint32_t parts;
};

typedef float lanes __attribute__((vector_size(16)));  // one pixel: each color times alpha, and alpha

struct reducer {
  struct filter across, down;
  struct upright *target;
  uint32_t columns, rows;  // the size of the source
  uint32_t rows_in;        // rows added so far
  lanes *sums;             // the sums of the rows that are folded into one, for each folded column
  uint32_t summed;         // the number of rows in `sums`
  lanes *lines;            // the latest folded rows in the target's width, each at its number modulo down.most
  uint32_t lines_in;       // folded rows so far
  uint32_t rows_out;       // rows of the target so far
  lanes *row;              // the target's row that is being summed
  bool is_opaque;          // `pairs` does the work, without sums, lines, and row
  struct pairs pairs;
};

// Without alpha, every pixel that is added is opaque, and rows may be missing only at the end. Returns false if memory runs out or a size is
// out of range. Call cic_reducer_end in either case.
bool cic_reducer_start(struct reducer *reducer, struct reducer_source source, bool has_alpha, struct upright *target);
void cic_reducer_add(struct reducer *reducer, const uint8_t *row);
void cic_reducer_end(struct reducer *reducer);

#endif

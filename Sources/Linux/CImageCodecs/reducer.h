#ifndef CIC_REDUCER_H
#define CIC_REDUCER_H

#include "filter.h"
#include "orient.h"
#include "pairs.h"

// Reduces an image while its rows arrive. If the image has at least four times as many columns as the target, the reducer first folds the
// columns. Folding averages each group of neighboring columns into one folded column. The groups are chosen so that the number of folded
// columns is two to three times the number of the target's columns. The reducer folds rows in the same way. Then it applies Lanczos's
// filter. Colors are weighted by their alpha. The reducer stores only a few rows of the target's width, whatever the image's height.

// The size of the rows, and of the part of them that belongs to the image. The two differ if a JPEG is reduced to eighths, because the
// image may end within a pixel.
struct reducer_source {
  uint32_t columns;  // the number of pixels in a row
  uint32_t width;    // the width of the image, in units of 1/`parts` of a pixel
  uint32_t height;   // the height of the image, in the same units
  uint32_t parts;
};

typedef float lanes __attribute__((vector_size(16)));  // one pixel: each color multiplied by alpha, and alpha

struct reducer {
  struct filter across, down;
  struct upright *target;
  uint32_t columns, rows;  // the size of the source
  uint32_t rows_in;        // the number of rows added so far
  lanes *sums;             // for each folded column, the sum over the rows that are folded into one
  uint32_t summed;         // the number of rows in `sums`
  lanes *lines;            // the latest folded rows, in the target's width; row number n is at n modulo down.most
  uint32_t lines_in;       // the number of folded rows so far
  uint32_t rows_out;       // the number of target rows written so far
  lanes *row;              // the row of the target that is being computed
  bool is_opaque;          // whether `pairs` does the work; sums, lines, and row are not used then
  struct pairs pairs;
};

// If `has_alpha` is false, all pixels that are added must be opaque, and rows may be missing only at the end. Returns false if memory runs
// out or a size is out of range. Call cic_reducer_end in either case.
bool cic_reducer_start(struct reducer *reducer, struct reducer_source source, bool has_alpha, struct upright *target);
void cic_reducer_add(struct reducer *reducer, const uint8_t *row);
void cic_reducer_end(struct reducer *reducer);

#endif

#ifndef CIC_REDUCER_H
#define CIC_REDUCER_H

#include "filter.h"
#include "orient.h"
#include "pairs.h"

// Makes a picture smaller while its rows come in: averaged over whole numbers of pixels to between two and four times the target's size
// where it is larger, the rest by Lanczos's filter. Colors are weighted by their alpha. Holds some rows of the target's width, whatever
// the picture's height.

// What a row holds, and how much of the picture that is: a JPEG reduced to eighths may end within a pixel.
struct reducer_source {
  uint32_t columns;  // pixels in a row
  uint32_t width;    // of the picture, in 1/parts of a row's pixel
  uint32_t height;   // likewise
  uint32_t parts;
  bool is_plain;  // no pixel is transparent, and no row is missing that another follows: whole numbers will do
};

typedef float lanes __attribute__((vector_size(16)));  // of one pixel: each color times alpha if there is alpha, and that

struct reducer {
  struct filter across, down;
  bool has_alpha;
  struct upright *target;
  uint32_t columns, rows;  // of the source
  uint32_t rows_in;        // added so far
  lanes *sums;             // of the rows that are folded into one, one for each folded column
  uint32_t summed;         // how many of them
  lanes *lines;            // the latest folded rows in the target's width, each at its number modulo down.most
  uint32_t lines_in;       // folded rows so far
  uint32_t rows_out;       // of the target
  lanes *row;              // of the target, while it is summed up
  bool is_plain;           // and nothing is folded: `pairs` does it, and there are no sums, lines and row
  struct pairs pairs;
};

// False when memory runs out or a size is out of range. Ends with cic_reducer_end in either case.
bool cic_reducer_start(struct reducer *reducer, struct reducer_source source, bool has_alpha, struct upright *target);
void cic_reducer_add(struct reducer *reducer, const uint8_t *row);
void cic_reducer_end(struct reducer *reducer);

#endif

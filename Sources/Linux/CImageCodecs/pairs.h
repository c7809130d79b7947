#ifndef CIC_PAIRS_H
#define CIC_PAIRS_H

#include <stddef.h>

#include "filter.h"

// The reducer's filter for opaque rows, in integers. It handles two pixels at a time, because processors can multiply eight pairs of 16-bit
// numbers and add neighboring products in one step. It takes less than half the time of the filter in floating point.
//
// A level is the value of one color in one pixel, from 0 to 255. Weights are multiples of 1/2^14. A folded pixel is the average of several
// pixels (see filter.h), and a line is a row that was filtered to the target's width. Both are stored as multiples of 1/64 of a level, so
// their rounding adds little to the rounding of the result. The filter omits the weights at its ends that are below 1/250. For example, at
// half size a target pixel has twelve weights. They are in seven pairs, because the first weight is the second half of its pair. Without
// the first and the last weight, only five pairs remain.

// The largest number of rows that can be folded into one. The sum of so many levels always fits in 16 bits.
#define CIC_PAIRS_MOST_FOLD 257

typedef int16_t shorts __attribute__((vector_size(16)));  // two pixels: both reds, both greens, both blues, both alphas

// A filter's weights in pairs. The first pixel of each pair has an even index.
struct taps {
  uint32_t most;     // the largest number of pairs for one target pixel
  uint32_t *first;   // for each target pixel, its first pair
  uint32_t *count;   // for each target pixel, the number of its pairs
  int32_t *weights;  // for each target pixel, the weights of its pairs in `most` slots; each integer contains the two weights of a pair
};

struct pairs {
  struct taps across, down;
  uint32_t columns, width;
  uint32_t across_fold, down_fold;
  uint16_t *sums;          // for each level of a row, the sum over the rows that are folded into one; NULL if nothing is folded
  uint32_t summed;         // the number of rows in `sums`
  shorts *rows[2];         // the latest two folded rows of the source
  uint32_t rows_in;        // the number of folded rows so far
  shorts *lines;           // the latest pairs of lines, in the target's width; pair number n is at n modulo down.most
  uint32_t lines_in;       // the number of pairs of lines so far
  const shorts **counted;  // the pairs of lines that contribute to the row that is being written
};

// Prepares for rows of `columns` pixels. `down` may fold at most CIC_PAIRS_MOST_FOLD rows into one. Returns false if memory runs out. Call
// cic_pairs_end in either case.
bool cic_pairs_start(struct pairs *pairs, uint32_t columns, const struct filter *across, const struct filter *down);

// Adds the next row of the source. Do not add more rows than the source has.
void cic_pairs_add(struct pairs *pairs, const uint8_t *row, bool is_last);

// Whether all lines that contribute to a row of the target are complete.
bool cic_pairs_has(const struct pairs *pairs, uint32_t row);

// Writes a row of the target for which cic_pairs_has is true.
void cic_pairs_row(const struct pairs *pairs, uint32_t row, uint8_t *pixels);

void cic_pairs_end(struct pairs *pairs);

#endif

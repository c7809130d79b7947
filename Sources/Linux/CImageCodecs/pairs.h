#ifndef CIC_PAIRS_H
#define CIC_PAIRS_H

#include <stddef.h>

#include "filter.h"

// The reducer's filter in integers, for opaque rows. It handles two pixels at a time, because processors multiply eight 16-bit numbers and
// add them in pairs in one step. It takes less than half the time of floating point.
//
// Weights are parts of 2^14. Folded pixels and filtered lines have 64ths of a level, so a level is exact within a half. Weights below a
// 250th at the filter's ends are left out: at half size they are two of twelve, which leaves five pairs of seven.

// A sum of at most this many levels fits 16 bits.
#define CIC_PAIRS_MOST_FOLD 257

typedef int16_t shorts __attribute__((vector_size(16)));  // two pixels: both reds, both greens, both blues, both alphas

// A filter's weights in pairs, starting at an even pixel.
struct taps {
  uint32_t most;     // the most pairs for one target pixel
  uint32_t *first;   // for each target pixel: the first pair that counts,
  uint32_t *count;   // how many count,
  int32_t *weights;  // and their weights, two in one number, in `most` slots
};

struct pairs {
  struct taps across, down;
  uint32_t columns, width;
  uint32_t across_fold, down_fold;
  uint16_t *sums;          // the sums of the rows that are folded into one, for each level of a row; NULL if nothing is folded
  uint32_t summed;         // the number of rows in `sums`
  shorts *rows[2];         // folded rows of the source, until there are two
  uint32_t rows_in;        // folded rows so far
  shorts *lines;           // the latest lines, two at a time, in the target's width, at their number modulo down.most
  uint32_t lines_in;       // in pairs
  const shorts **counted;  // the lines that count for the row being written
};

// Prepares for rows of `columns` pixels. `down` folds at most CIC_PAIRS_MOST_FOLD rows into one. Returns false if memory runs out. Call
// cic_pairs_end in either case.
bool cic_pairs_start(struct pairs *pairs, uint32_t columns, const struct filter *across, const struct filter *down);

// Adds the next row of the source. Do not add more rows than the source has.
void cic_pairs_add(struct pairs *pairs, const uint8_t *row, bool is_last);

// Whether all lines that count for a row of the target are there.
bool cic_pairs_has(const struct pairs *pairs, uint32_t row);

// Writes a row of the target for which cic_pairs_has is true.
void cic_pairs_row(const struct pairs *pairs, uint32_t row, uint8_t *pixels);

void cic_pairs_end(struct pairs *pairs);

#endif

#ifndef CIC_PAIRS_H
#define CIC_PAIRS_H

#include <stddef.h>

#include "filter.h"

// The reducer's filter in whole numbers, for opaque rows of which nothing is averaged first: two pixels at a time, since processors
// multiply eight numbers of 16 bits and add them up by twos in one step. Takes less than half of the time of floating point.
//
// Weights are parts of 2^14, and filtered lines have 64ths of a level, so a level is right within a half. Weights at the filter's ends that
// are below a 250th are left out: at half of a size they are two of twelve, and make five pairs of seven.

typedef int16_t shorts __attribute__((vector_size(16)));  // of two pixels: both reds, both greens, both blues, both alphas

// A filter's weights by twos, from an even pixel on.
struct taps {
  uint32_t most;     // pairs for one target pixel
  uint32_t *first;   // for each target pixel: the first pair that counts,
  uint32_t *count;   // how many do,
  int32_t *weights;  // and their weights, each two in one number, in `most` places
};

struct pairs {
  struct taps across, down;
  uint32_t columns, width;
  shorts *rows[2];         // of the source, until there are two
  uint32_t rows_in;
  shorts *lines;           // the latest two lines each in the target's width, at their number modulo down.most
  uint32_t lines_in;       // by twos
  const shorts **counted;  // those that count for the row that is written
};

// False when memory runs out. Ends with cic_pairs_end in either case. The filters have no fold.
bool cic_pairs_start(struct pairs *pairs, const struct filter *across, const struct filter *down);

// The next row of the source; no more than there are.
void cic_pairs_add(struct pairs *pairs, const uint8_t *row, bool is_last);

// Whether all lines are there that count for a row of the target.
bool cic_pairs_has(const struct pairs *pairs, uint32_t row);

// Writes a row of the target that is there.
void cic_pairs_row(const struct pairs *pairs, uint32_t row, uint8_t *pixels);

void cic_pairs_end(struct pairs *pairs);

#endif

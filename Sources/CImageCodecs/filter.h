#ifndef CIC_FILTER_H
#define CIC_FILTER_H

#include <stdbool.h>
#include <stdint.h>

// How the pixels of one axis become fewer. So many are averaged into one first; of those each target pixel is a weighted sum.
struct filter {
  uint32_t fold;     // pixels averaged into one; the last one may have fewer
  uint32_t folded;   // what is left of them
  uint32_t target;
  uint32_t most;     // weights of one target pixel, at most
  uint32_t *first;   // for each target pixel: the first folded one that counts,
  uint32_t *count;   // how many do,
  float *weights;    // and their weights, in `most` places, which add up to 1
};

// For `pixels` pixels, of which `length` is the picture: the last may be a part of one. False when memory runs out. Ends with
// cic_filter_end in either case.
bool cic_filter_start(struct filter *filter, uint32_t pixels, double length, uint32_t target);
void cic_filter_end(struct filter *filter);

#endif

#ifndef CIC_FILTER_H
#define CIC_FILTER_H

#include <stdbool.h>
#include <stdint.h>

// Reduces the pixels of one axis. First, `fold` pixels are averaged into one. Each target pixel is a weighted sum of those averages.
struct filter {
  uint32_t fold;     // pixels averaged into one; the last average may have fewer
  uint32_t folded;   // number of averages, the folded pixels
  uint32_t target;
  uint32_t most;     // the most weights for one target pixel
  uint32_t *first;   // for each target pixel: the first folded pixel that counts,
  uint32_t *count;   // how many count,
  float *weights;    // and their weights, in `most` slots, which add up to 1
};

// Prepares a filter for `pixels` pixels, of which `length` belong to the image: the last pixel may be partial. Returns false if memory runs
// out. Call cic_filter_end in either case.
bool cic_filter_start(struct filter *filter, uint32_t pixels, double length, uint32_t target);
void cic_filter_end(struct filter *filter);

#endif

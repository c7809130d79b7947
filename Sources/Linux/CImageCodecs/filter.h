#ifndef CIC_FILTER_H
#define CIC_FILTER_H

#include <stdbool.h>
#include <stdint.h>

// A filter that reduces the pixels along one axis. First, it averages each group of `fold` pixels into one folded pixel. Then it computes
// each target pixel as a weighted sum of folded pixels.
struct filter {
  uint32_t fold;     // pixels that are averaged into one folded pixel; the last group may have fewer
  uint32_t folded;   // the number of folded pixels
  uint32_t target;
  uint32_t most;     // the largest number of weights for one target pixel
  uint32_t *first;   // for each target pixel, the first folded pixel with a weight
  uint32_t *count;   // for each target pixel, the number of its weights
  float *weights;    // for each target pixel, its weights in `most` slots; they add up to 1
};

// Prepares a filter for `pixels` pixels, of which the first `length` belong to the image. `length` may end within the last pixel. Returns
// false if memory runs out. Call cic_filter_end in either case.
bool cic_filter_start(struct filter *filter, uint32_t pixels, double length, uint32_t target);
void cic_filter_end(struct filter *filter);

#endif

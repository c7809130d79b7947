#include "filter.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// The number of lobes of the Lanczos filter (C. E. Duchon, "Lanczos Filtering in One and Two Dimensions", 1979). Image editors use three,
// too.
static const double lobes = 3;

// Returns sinc(x) * sinc(x / 3). It computes only one sine, because sin 3a = 3 sin a - 4 sin^3 a. The saved time matters for a small image,
// where the weights take a considerable part of the time.
static double lanczos(double x) {
  const double third = x * (3.14159265358979323846 / 3), s = sin(third);
  if (fabs(x) >= lobes) return 0;
  return fabs(third) < 1e-9 ? 1 : s * s * (3 - 4 * s * s) / (3 * third * third);
}

static uint32_t clamped(double value, uint32_t most) { return value <= 0 ? 0 : value >= most ? most : (uint32_t)value; }

bool cic_filter_start(struct filter *filter, uint32_t pixels, double length, uint32_t target) {
  const double ratio = length / target;
  const uint32_t fold = ratio >= 4 ? (uint32_t)(ratio / 2) : 1;
  // `step` is the number of folded pixels for each target pixel. `reach` is the reach of the filter in folded pixels.
  const double step = ratio / fold, scale = step > 1 ? step : 1, reach = lobes * scale;
  *filter = (struct filter){.fold = fold, .folded = (pixels + fold - 1) / fold, .target = target, .most = (uint32_t)ceil(reach) * 2 + 1};
  if (filter->most > filter->folded) filter->most = filter->folded;
  filter->first = malloc(target * sizeof *filter->first);
  filter->count = malloc(target * sizeof *filter->count);
  filter->weights = calloc((size_t)target * filter->most, sizeof *filter->weights);
  if (filter->first == NULL || filter->count == NULL || filter->weights == NULL) return false;
  for (uint32_t i = 0; i < target; i++) {
    const double center = (i + 0.5) * step;
    uint32_t first = clamped(center - reach + 0.5, filter->folded - 1), end = clamped(center + reach + 0.5, filter->folded);
    if (end <= first) end = first + 1;
    float *weights = filter->weights + (size_t)i * filter->most;
    filter->first[i] = first;
    filter->count[i] = end - first;
    // A target pixel has the same weights as the previous target pixel if `step` is a whole number and no edge is near.
    if (i > 0 && first > 0 && end < filter->folded && end - first == filter->count[i - 1] && first - filter->first[i - 1] == step) {
      memcpy(weights, weights - filter->most, filter->most * sizeof *weights);
      continue;
    }
    double sum = 0;
    for (uint32_t k = first; k < end; k++) {
      // The last pixel has less weight if only a part of it belongs to the image.
      const double part = length / fold - k;
      sum += weights[k - first] = (float)(lanczos((k + 0.5 - center) / scale) * (part < 1 ? part : 1));
    }
    for (uint32_t k = first; k < end; k++) weights[k - first] = (float)(weights[k - first] / sum);
  }
  return true;
}

void cic_filter_end(struct filter *filter) {
  free(filter->first);
  free(filter->count);
  free(filter->weights);
  *filter = (struct filter){0};
}

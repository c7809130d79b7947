#include "pairs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Compilers do not find the instruction by themselves.
#ifdef __SSE2__
#include <emmintrin.h>
#endif

// The weight that counts as one, and the number of pixels for which a line's weights are looked up once.
enum { one = 1 << 14, block = 4 };

typedef uint8_t bytes_of_pixel __attribute__((vector_size(4)));
typedef uint8_t bytes_of_pair __attribute__((vector_size(8)));
typedef int16_t half_shorts __attribute__((vector_size(8)));
typedef int32_t sums __attribute__((vector_size(16)));

// Rounds the weights so that they add up to one: a plain surface keeps its level.
static void round_weights(const float *weights, uint32_t count, int16_t *rounded) {
  int32_t sum = 0;
  uint32_t largest = 0;
  for (uint32_t k = 0; k < count; k++) {
    rounded[k] = (int16_t)lrintf(weights[k] * one);
    sum += rounded[k];
    if (weights[k] > weights[largest]) largest = k;
  }
  rounded[largest] = (int16_t)(rounded[largest] + one - sum);
}

static bool is_nothing(float weight) { return weight > -0.004f && weight < 0.004f; }

static bool start_taps(struct taps *taps, const struct filter *filter) {
  taps->most = filter->most / 2 + 1;
  taps->first = malloc(filter->target * sizeof *taps->first);
  taps->count = malloc(filter->target * sizeof *taps->count);
  taps->weights = calloc((size_t)filter->target * taps->most, sizeof *taps->weights);
  if (taps->first == NULL || taps->count == NULL || taps->weights == NULL) return false;
  for (uint32_t i = 0; i < filter->target; i++) {
    const float *weights = filter->weights + (size_t)i * filter->most;
    uint32_t first = filter->first[i], count = filter->count[i];
    for (; count > 1 && is_nothing(weights[0]); weights++, first++) count--;
    while (count > 1 && is_nothing(weights[count - 1])) count--;
    round_weights(weights, count, (int16_t *)(taps->weights + (size_t)i * taps->most) + first % 2);
    taps->first[i] = first / 2;
    taps->count[i] = (first + count + 1) / 2 - first / 2;
  }
  return true;
}

static void end_taps(struct taps *taps) {
  free(taps->first);
  free(taps->count);
  free(taps->weights);
  *taps = (struct taps){0};
}

static uint32_t room_for(uint32_t width) { return (width + block - 1) / block * block; }

static size_t vectors(size_t count) { return count * sizeof(shorts); }

bool cic_pairs_start(struct pairs *pairs, const struct filter *across, const struct filter *down) {
  *pairs = (struct pairs){.columns = across->folded, .width = across->target};
  if (!start_taps(&pairs->across, across) || !start_taps(&pairs->down, down)) return false;
  for (int i = 0; i < 2; i++) pairs->rows[i] = aligned_alloc(sizeof(shorts), vectors((pairs->columns + 1) / 2));
  const size_t room = vectors((size_t)pairs->down.most * room_for(pairs->width));
  pairs->lines = aligned_alloc(sizeof(shorts), room);
  pairs->counted = malloc(pairs->down.most * sizeof *pairs->counted);
  if (pairs->counted == NULL) return false;
  if (pairs->rows[0] == NULL || pairs->rows[1] == NULL || pairs->lines == NULL) return false;
  // The second row has no weight if there is only one row. The padding beside the lines is cleared, too.
  memset(pairs->rows[1], 0, vectors((pairs->columns + 1) / 2));
  memset(pairs->lines, 0, room);
  return true;
}

void cic_pairs_end(struct pairs *pairs) {
  end_taps(&pairs->across);
  end_taps(&pairs->down);
  free(pairs->rows[0]);
  free(pairs->rows[1]);
  free(pairs->lines);
  free(pairs->counted);
  *pairs = (struct pairs){0};
}

static shorts pair_of(bytes_of_pair both) {
  return __builtin_convertvector(__builtin_shufflevector(both, both, 0, 4, 1, 5, 2, 6, 3, 7), shorts);
}

static void widen(shorts *pairs, const uint8_t *row, uint32_t columns) {
  bytes_of_pair both;
  for (uint32_t x = 0; x < columns / 2; x++) {
    memcpy(&both, row + (size_t)x * 8, 8);
    pairs[x] = pair_of(both);
  }
  if (columns % 2 == 0) return;
  // The second pixel of the pair has no weight.
  const uint8_t *last = row + (size_t)(columns - 1) * 4;
  memcpy(&both, last, 4);
  memcpy((uint8_t *)&both + 4, last, 4);
  pairs[columns / 2] = pair_of(both);
}

// The sums of two products each.
#ifdef __SSE2__
static inline sums products(shorts pair, shorts factors) { return (sums)_mm_madd_epi16((__m128i)pair, (__m128i)factors); }
#else
static inline sums widened(half_shorts some) { return __builtin_convertvector(some, sums); }

static inline sums products(shorts pair, shorts factors) {
  return widened(__builtin_shufflevector(pair, pair, 0, 2, 4, 6)) * widened(__builtin_shufflevector(factors, factors, 0, 2, 4, 6)) +
         widened(__builtin_shufflevector(pair, pair, 1, 3, 5, 7)) * widened(__builtin_shufflevector(factors, factors, 1, 3, 5, 7));
}
#endif

static inline sums multiplied(shorts pair, int32_t weights) {
  return products(pair, (shorts)(sums){weights, weights, weights, weights});
}

static sums all(int32_t value) { return (sums){value, value, value, value}; }

static shorts *line_at(const struct pairs *pairs, uint32_t number) {
  return pairs->lines + (size_t)(number % pairs->down.most) * room_for(pairs->width);
}

static void finish_lines(struct pairs *pairs) {
  const struct taps *across = &pairs->across;
  shorts *lines = line_at(pairs, pairs->lines_in);
  for (uint32_t x = 0; x < pairs->width; x++) {
    const shorts *upper = pairs->rows[0] + across->first[x], *lower = pairs->rows[1] + across->first[x];
    const int32_t *weights = across->weights + (size_t)x * across->most;
    sums above = all(128), below = all(128);
    for (uint32_t k = 0; k < across->count[x]; k++) {
      above += multiplied(upper[k], weights[k]);
      below += multiplied(lower[k], weights[k]);
    }
    // Two 16-bit numbers side by side, as in a pair.
    lines[x] = (shorts)((above >> 8 & all(0xFFFF)) | below >> 8 << 16);
  }
  pairs->lines_in++;
}

void cic_pairs_add(struct pairs *pairs, const uint8_t *row, bool is_last) {
  widen(pairs->rows[pairs->rows_in % 2], row, pairs->columns);
  pairs->rows_in++;
  // After the last of an odd number of rows, the row before it has no weight.
  if (pairs->rows_in % 2 == 0 || is_last) finish_lines(pairs);
}

bool cic_pairs_has(const struct pairs *pairs, uint32_t row) {
  return pairs->down.first[row] + pairs->down.count[row] <= pairs->lines_in;
}

// Clamps: the filter's negative weights may have left the range.
static inline void write_levels(uint8_t *levels, sums pixel) {
  pixel = __builtin_elementwise_min(__builtin_elementwise_max(pixel, all(0)), all(255));
  const bytes_of_pixel bytes = __builtin_convertvector(pixel, bytes_of_pixel);
  memcpy(levels, &bytes, sizeof bytes);
}

void cic_pairs_row(const struct pairs *pairs, uint32_t row, uint8_t *pixels) {
  const struct taps *down = &pairs->down;
  const int32_t *weights = down->weights + (size_t)row * down->most;
  const uint32_t count = down->count[row];
  for (uint32_t k = 0; k < count; k++) pairs->counted[k] = line_at(pairs, down->first[row] + k);
  for (uint32_t x = 0; x < pairs->width; x += block) {
    sums sum[block] = {all(1 << 19), all(1 << 19), all(1 << 19), all(1 << 19)};
    for (uint32_t k = 0; k < count; k++) {
      for (uint32_t i = 0; i < block; i++) sum[i] += multiplied(pairs->counted[k][x + i], weights[k]);
    }
    uint8_t levels[4 * block];
    for (uint32_t i = 0; i < block; i++) write_levels(levels + 4 * i, sum[i] >> 20);
    memcpy(pixels + (size_t)x * 4, levels, (pairs->width - x < block ? pairs->width - x : block) * 4);
  }
}

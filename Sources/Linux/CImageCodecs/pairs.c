#include "pairs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Compilers do not generate the instruction in `products` by themselves.
#ifdef __SSE2__
#include <emmintrin.h>
#endif

// `one` is the integer for a weight of 1. `parts` is the number of parts of a level: folded pixels and filtered lines are stored in such
// parts.
enum { weight_bits = 14, one = 1 << weight_bits, part_bits = 6, parts = 1 << part_bits };

// The number of neighboring pixels that are computed together, so that each weight of a line is read once for all of them.
enum { block = 4 };

typedef uint8_t bytes_of_pixel __attribute__((vector_size(4)));
typedef int16_t half_shorts __attribute__((vector_size(8)));
typedef uint16_t levels_of_pixel __attribute__((vector_size(8)));
typedef int32_t sums __attribute__((vector_size(16)));
typedef float floats __attribute__((vector_size(16)));

// Rounds the weights so that they add up to one. As a result, the filter does not change an area in a single color.
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

bool cic_pairs_start(struct pairs *pairs, uint32_t columns, const struct filter *across, const struct filter *down) {
  *pairs = (struct pairs){.columns = columns, .width = across->target, .across_fold = across->fold, .down_fold = down->fold};
  if (!start_taps(&pairs->across, across) || !start_taps(&pairs->down, down)) return false;
  const size_t row_room = vectors((across->folded + 1) / 2);
  for (int i = 0; i < 2; i++) pairs->rows[i] = aligned_alloc(sizeof(shorts), row_room);
  if (across->fold > 1 || down->fold > 1) {
    pairs->sums = malloc((size_t)columns * 4 * sizeof *pairs->sums);
    if (pairs->sums == NULL) return false;
  }
  const size_t room = vectors((size_t)pairs->down.most * room_for(pairs->width));
  pairs->lines = aligned_alloc(sizeof(shorts), room);
  pairs->counted = malloc(pairs->down.most * sizeof *pairs->counted);
  if (pairs->counted == NULL) return false;
  if (pairs->rows[0] == NULL || pairs->rows[1] == NULL || pairs->lines == NULL) return false;
  // Two kinds of memory are read although they do not affect the result: the second row, which has a weight of zero if there is only one
  // row, and the padding beside the lines, whose results are not used. Both are initialized, because no uninitialized memory may be read.
  memset(pairs->rows[1], 0, row_room);
  memset(pairs->lines, 0, room);
  return true;
}

void cic_pairs_end(struct pairs *pairs) {
  end_taps(&pairs->across);
  end_taps(&pairs->down);
  free(pairs->sums);
  free(pairs->rows[0]);
  free(pairs->rows[1]);
  free(pairs->lines);
  free(pairs->counted);
  *pairs = (struct pairs){0};
}

static sums all(int32_t value) { return (sums){value, value, value, value}; }

// Returns the sums as 16-bit numbers in the order of `shorts`, so that the left and the right sum of each color are next to each other.
static shorts side_by_side(sums left, sums right) { return (shorts)((left & all(0xFFFF)) | right << 16); }

static shorts pair_of(const uint8_t *left, const uint8_t *right) {
  bytes_of_pixel first, second;
  memcpy(&first, left, sizeof first);
  memcpy(&second, right, sizeof second);
  return __builtin_convertvector(__builtin_shufflevector(first, second, 0, 4, 1, 5, 2, 6, 3, 7), shorts);
}

static void widen(shorts *pairs, const uint8_t *row, uint32_t columns) {
  for (uint32_t x = 0; x < columns / 2; x++, row += 8) pairs[x] = pair_of(row, row + 4);
  // In an odd number of columns, the last pixel fills both halves of its pair. The second half has a weight of zero.
  if (columns % 2 == 1) pairs[columns / 2] = pair_of(row, row);
}

static inline void sum_up(uint16_t *sums, const uint8_t *row, size_t levels, bool is_first) {
  for (size_t i = 0; i < levels; i++) sums[i] = (uint16_t)((is_first ? 0 : sums[i]) + row[i]);
}

// Returns the average of some columns in parts of a level. `scale` converts the sum of one column to these parts.
static inline sums average(const uint16_t *levels, uint32_t columns, float scale) {
  sums sum = {0};
  for (uint32_t x = 0; x < columns; x++) {
    levels_of_pixel pixel;
    memcpy(&pixel, levels + (size_t)x * 4, sizeof pixel);
    sum += __builtin_convertvector(pixel, sums);
  }
  const float factor = scale / (float)columns;
  const floats value = __builtin_convertvector(sum, floats) * (floats){factor, factor, factor, factor} + 0.5f;
  return __builtin_convertvector(value, sums);
}

// Averages the summed rows over groups of `fold` columns. The last group may have fewer columns.
static inline void fold_across(const struct pairs *pairs, uint32_t fold, shorts *row) {
  const float scale = (float)parts / (float)pairs->summed;
  const uint32_t whole = pairs->columns / (2 * fold);
  const uint16_t *levels = pairs->sums;
  for (uint32_t i = 0; i < whole; i++, levels += (size_t)fold * 8) {
    row[i] = side_by_side(average(levels, fold, scale), average(levels + (size_t)fold * 4, fold, scale));
  }
  const uint32_t rest = pairs->columns - whole * 2 * fold;
  if (rest == 0) return;
  // If the last pair has only one pixel, that pixel fills both halves. The second half has a weight of zero.
  const sums first = average(levels, rest < fold ? rest : fold, scale);
  row[whole] = side_by_side(first, rest > fold ? average(levels + (size_t)fold * 4, rest - fold, scale) : first);
}

// Returns four sums, each of two products.
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

static shorts *line_at(const struct pairs *pairs, uint32_t number) {
  return pairs->lines + (size_t)(number % pairs->down.most) * room_for(pairs->width);
}

static void finish_lines(struct pairs *pairs) {
  // This is a copy, because the compiler cannot know that a write to the lines leaves the structure unchanged.
  const struct pairs from = *pairs;
  const int32_t shift = from.sums == NULL ? weight_bits - part_bits : weight_bits;
  const sums half = all(1 << (shift - 1));
  const int32_t *weights = from.across.weights;
  shorts *lines = line_at(pairs, from.lines_in);
  for (uint32_t x = 0; x < from.width; x++, weights += from.across.most) {
    const shorts *upper = from.rows[0] + from.across.first[x], *lower = from.rows[1] + from.across.first[x];
    const uint32_t count = from.across.count[x];
    sums above = half, below = half;
    for (uint32_t k = 0; k < count; k++) {
      above += multiplied(upper[k], weights[k]);
      below += multiplied(lower[k], weights[k]);
    }
    lines[x] = side_by_side(above >> shift, below >> shift);
  }
  pairs->lines_in++;
}

// Adds a row to the sums. Returns false if the sums need more rows. Otherwise, writes the folded row, and returns true.
static bool fold_in(struct pairs *pairs, const uint8_t *row, bool is_last, shorts *folded) {
  const size_t levels = (size_t)pairs->columns * 4;
  // The constants make the compiler generate a separate loop for each case.
  if (pairs->summed == 0) sum_up(pairs->sums, row, levels, true); else sum_up(pairs->sums, row, levels, false);
  pairs->summed++;
  if (pairs->summed < pairs->down_fold && !is_last) return false;
  switch (pairs->across_fold) {
    case 2: fold_across(pairs, 2, folded); break;
    case 3: fold_across(pairs, 3, folded); break;
    default: fold_across(pairs, pairs->across_fold, folded);
  }
  pairs->summed = 0;
  return true;
}

void cic_pairs_add(struct pairs *pairs, const uint8_t *row, bool is_last) {
  shorts *next = pairs->rows[pairs->rows_in % 2];
  if (pairs->sums == NULL) {
    widen(next, row, pairs->columns);
  } else if (!fold_in(pairs, row, is_last, next)) {
    return;
  }
  pairs->rows_in++;
  // If the number of rows is odd, the last row is combined with the row before it, which has a weight of zero.
  if (pairs->rows_in % 2 == 0 || is_last) finish_lines(pairs);
}

bool cic_pairs_has(const struct pairs *pairs, uint32_t row) {
  return pairs->down.first[row] + pairs->down.count[row] <= pairs->lines_in;
}

// Clamps the levels to 0 to 255, because the filter's negative weights can produce levels outside of this range.
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
    // The lines are multiples of 1/2^6, and the weights are multiples of 1/2^14. So the sums are multiples of 1/2^20, and 2^19 is added to
    // round them.
    sums sum[block] = {all(1 << 19), all(1 << 19), all(1 << 19), all(1 << 19)};
    for (uint32_t k = 0; k < count; k++) {
      for (uint32_t i = 0; i < block; i++) sum[i] += multiplied(pairs->counted[k][x + i], weights[k]);
    }
    uint8_t levels[4 * block];
    for (uint32_t i = 0; i < block; i++) write_levels(levels + 4 * i, sum[i] >> 20);
    memcpy(pixels + (size_t)x * 4, levels, (pairs->width - x < block ? pairs->width - x : block) * 4);
  }
}

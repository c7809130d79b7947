#include "reducer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef int32_t whole_lanes __attribute__((vector_size(16)));
typedef uint8_t byte_lanes __attribute__((vector_size(4)));

bool cic_reducer_start(struct reducer *reducer, struct reducer_source source, bool has_alpha, struct upright *target) {
  const uint32_t width = target->target.width, height = target->target.height;
  *reducer = (struct reducer){.target = target, .columns = source.columns};
  if (width < 1 || height < 1 || source.parts < 1 || source.width < source.parts || source.height < source.parts) return false;
  if (source.columns > CIC_MAX_SIDE || (uint64_t)source.columns * source.parts < source.width) return false;
  reducer->rows = (source.height - 1) / source.parts + 1;
  if (reducer->rows > CIC_MAX_SIDE || width > source.columns || height > reducer->rows) return false;
  if (!cic_filter_start(&reducer->across, source.columns, (double)source.width / source.parts, width)) return false;
  if (!cic_filter_start(&reducer->down, reducer->rows, (double)source.height / source.parts, height)) return false;
  reducer->is_opaque = !has_alpha && reducer->down.fold <= CIC_PAIRS_MOST_FOLD;
  if (reducer->is_opaque) return cic_pairs_start(&reducer->pairs, source.columns, &reducer->across, &reducer->down);
  reducer->sums = malloc(reducer->across.folded * sizeof(lanes));
  reducer->lines = malloc((size_t)reducer->down.most * width * sizeof(lanes));
  reducer->row = malloc(width * sizeof(lanes));
  return reducer->sums != NULL && reducer->lines != NULL && reducer->row != NULL;
}

void cic_reducer_end(struct reducer *reducer) {
  cic_filter_end(&reducer->across);
  cic_filter_end(&reducer->down);
  cic_pairs_end(&reducer->pairs);
  free(reducer->sums);
  free(reducer->lines);
  free(reducer->row);
  reducer->sums = reducer->lines = reducer->row = NULL;
}

static whole_lanes pixel_at(const uint8_t *bytes) {
  byte_lanes narrow;
  memcpy(&narrow, bytes, sizeof narrow);
  const whole_lanes pixel = __builtin_convertvector(narrow, whole_lanes);
  const int32_t alpha = pixel[3];
  return pixel * (whole_lanes){alpha, alpha, alpha, 1};
}

// A sum over at most 65,535 / 2 columns fits in 31 bits, because each of its terms is a product of two bytes.
static inline void fold_in(struct reducer *reducer, const uint8_t *row, bool is_first) {
  const uint32_t fold = reducer->across.fold;
  const uint8_t *end = row + (size_t)reducer->columns * 4;
  for (lanes *sum = reducer->sums; row < end; sum++) {
    whole_lanes total = {0};
    const uint8_t *next = (size_t)(end - row) > (size_t)fold * 4 ? row + (size_t)fold * 4 : end;
    for (; row < next; row += 4) total += pixel_at(row);
    const lanes value = __builtin_convertvector(total, lanes) / (lanes){255, 255, 255, 1};
    *sum = is_first ? value : *sum + value;
  }
}

static lanes all(float value) { return (lanes){value, value, value, value}; }

// Computes a line in the target's width from the sums of some rows.
static void finish_line(struct reducer *reducer) {
  const struct filter *across = &reducer->across;
  const lanes scale = all(1 / ((float)across->fold * (float)reducer->summed));
  // The last folded pixel may be the sum of fewer columns.
  const uint32_t rest = reducer->columns - (across->folded - 1) * across->fold;
  reducer->sums[across->folded - 1] *= all((float)across->fold / (float)rest);
  lanes *line = reducer->lines + (size_t)(reducer->lines_in % reducer->down.most) * across->target;
  for (uint32_t x = 0; x < across->target; x++) {
    const uint32_t count = across->count[x];
    const lanes *from = reducer->sums + across->first[x];
    const float *weights = across->weights + (size_t)x * across->most;
    // Computes four sums at a time, because each addition to a sum must wait for the previous addition to the same sum.
    lanes sum[4] = {{0}};
    uint32_t k = 0;
    for (; k + 4 <= count; k += 4) {
      for (uint32_t i = 0; i < 4; i++) sum[i] += from[k + i] * all(weights[k + i]);
    }
    for (; k < count; k++) sum[0] += from[k] * all(weights[k]);
    line[x] = (sum[0] + sum[1] + (sum[2] + sum[3])) * scale;
  }
  reducer->summed = 0;
  reducer->lines_in++;
}

// Rounds the levels, and clamps them to 0 to 255, because the filter's negative weights can produce levels outside of this range.
static void write_pixel(uint8_t *target, lanes pixel) {
  const lanes least = {0}, most = all(255);
  pixel = __builtin_elementwise_min(__builtin_elementwise_max(pixel + all(0.5f), least), most);
  const byte_lanes bytes = __builtin_convertvector(__builtin_convertvector(pixel, whole_lanes), byte_lanes);
  memcpy(target, &bytes, sizeof bytes);
}

static void write_row(struct reducer *reducer) {
  uint8_t *target = cic_upright_row(reducer->target);
  for (uint32_t x = 0; x < reducer->across.target; x++, target += 4) {
    lanes pixel = reducer->row[x];
    const float alpha = pixel[3];
    // An opaque pixel needs no division. A difference of up to a hundredth may be a rounding error.
    if (fabsf(alpha - 255) > 0.01f) {
      const float scale = alpha >= 0.5f ? 255 / alpha : 0;
      pixel *= (lanes){scale, scale, scale, 1};
    }
    write_pixel(target, pixel);
  }
  cic_upright_add(reducer->target);
}

// Writes the next rows of the target, as long as all lines that contribute to them are complete.
static void emit_rows(struct reducer *reducer) {
  const struct filter *down = &reducer->down;
  const uint32_t width = reducer->across.target;
  while (reducer->rows_out < down->target) {
    const uint32_t first = down->first[reducer->rows_out], count = down->count[reducer->rows_out];
    if (first + count > reducer->lines_in) return;
    memset(reducer->row, 0, width * sizeof(lanes));
    // Adds two lines at a time, which halves the number of passes over the row.
    for (uint32_t k = 0; k < count; k += 2) {
      const uint32_t other = k + 1 < count ? k + 1 : k;
      const lanes *line = reducer->lines + (size_t)((first + k) % down->most) * width;
      const lanes *next = reducer->lines + (size_t)((first + other) % down->most) * width;
      const float *weights = down->weights + (size_t)reducer->rows_out * down->most;
      const lanes weight = all(weights[k]), next_weight = all(other > k ? weights[other] : 0);
      for (uint32_t x = 0; x < width; x++) reducer->row[x] += line[x] * weight + next[x] * next_weight;
    }
    write_row(reducer);
    reducer->rows_out++;
  }
}

static void add_opaque(struct reducer *reducer, const uint8_t *row) {
  reducer->rows_in++;
  cic_pairs_add(&reducer->pairs, row, reducer->rows_in == reducer->rows);
  for (; reducer->rows_out < reducer->down.target && cic_pairs_has(&reducer->pairs, reducer->rows_out); reducer->rows_out++) {
    cic_pairs_row(&reducer->pairs, reducer->rows_out, cic_upright_row(reducer->target));
    cic_upright_add(reducer->target);
  }
}

void cic_reducer_add(struct reducer *reducer, const uint8_t *row) {
  if (reducer->rows_in == reducer->rows) return;
  if (reducer->is_opaque) {
    add_opaque(reducer, row);
    return;
  }
  // The constants make the compiler generate a separate loop for each case.
  if (reducer->summed == 0) fold_in(reducer, row, true); else fold_in(reducer, row, false);
  reducer->rows_in++;
  reducer->summed++;
  if (reducer->summed < reducer->down.fold && reducer->rows_in < reducer->rows) return;
  finish_line(reducer);
  emit_rows(reducer);
}

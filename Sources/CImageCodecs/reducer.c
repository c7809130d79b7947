#include "reducer.h"

#include <stdlib.h>
#include <string.h>

#include "rows.h"

// All weights are whole numbers: let a source row be `parts * height` units long, then the picture is `height * source.height` long
// and each target row covers exactly `source.height` units; likewise across. A column's sum is at most 255 x 255 x 65,535 with alpha
// and 255 x 8 x 65,535 without, under 2^32, and a target pixel's sum stays under 2^53: nothing is lost before the one rounding at
// the end.

bool cic_reducer_start(struct reducer *reducer, struct reducer_source source, bool has_alpha, struct upright *target) {
  const uint32_t width = target->target.width, height = target->target.height;
  *reducer = (struct reducer){
      .source = source,
      .width = width,
      .height = height,
      .has_alpha = has_alpha,
      .target = target,
      .remaining = source.height,
      .rows_left = height,
  };
  const uint32_t most = CIC_MAX_SIDE * (has_alpha ? 1 : 8);
  if (width < 1 || height < 1 || width > CIC_MAX_SIDE || height > CIC_MAX_SIDE) return false;
  if (source.width < 1 || source.height < 1 || source.width > most || source.height > most) return false;
  if (source.parts < 1 || source.parts > 8 || (uint64_t)source.columns * source.parts < source.width) return false;
  reducer->sums = calloc((size_t)source.columns * 4, sizeof(uint32_t));
  return reducer->sums != NULL;
}

void cic_reducer_end(struct reducer *reducer) {
  free(reducer->sums);
  reducer->sums = NULL;
}

static void accumulate(const struct reducer *reducer, const uint8_t *restrict row, uint32_t weight) {
  uint32_t *restrict sums = reducer->sums;
  const size_t count = (size_t)reducer->source.columns * 4;
  if (!reducer->has_alpha) {
    for (size_t i = 0; i < count; i++) sums[i] += row[i] * weight;
    return;
  }
  for (size_t i = 0; i < count; i += 4) {
    const uint32_t alpha = row[i + 3] * weight;
    sums[i] += row[i] * alpha;
    sums[i + 1] += row[i + 1] * alpha;
    sums[i + 2] += row[i + 2] * alpha;
    sums[i + 3] += alpha;
  }
}

static void emit(struct reducer *reducer) {
  const double area = (double)reducer->source.width * reducer->source.height;
  const double per_area = 1 / area;
  const uint32_t *column = reducer->sums;
  const uint32_t whole = reducer->source.parts * reducer->width;
  uint32_t left = whole;  // of the current source column
  uint8_t *target = cic_upright_row(reducer->target);
  for (uint32_t x = 0; x < reducer->width; x++, target += 4) {
    uint64_t red = 0, green = 0, blue = 0, alpha = 0;
    uint32_t need = reducer->source.width;
    while (need > 0) {
      const uint64_t take = left < need ? left : need;
      red += take * column[0];
      green += take * column[1];
      blue += take * column[2];
      alpha += take * column[3];
      need -= take;
      left -= take;
      if (left == 0) {
        column += 4;
        left = whole;
      }
    }
    const double scale = !reducer->has_alpha ? per_area : alpha > 0 ? 1 / (double)alpha : 0;
    target[0] = (uint8_t)((double)red * scale + 0.5);
    target[1] = (uint8_t)((double)green * scale + 0.5);
    target[2] = (uint8_t)((double)blue * scale + 0.5);
    target[3] = (uint8_t)((double)alpha * per_area + 0.5);
  }
  cic_upright_add(reducer->target);
}

void cic_reducer_add(struct reducer *reducer, const uint8_t *row) {
  uint32_t left = reducer->source.parts * reducer->height;
  while (left > 0 && reducer->rows_left > 0) {
    const uint32_t take = left < reducer->remaining ? left : reducer->remaining;
    accumulate(reducer, row, take);
    left -= take;
    reducer->remaining -= take;
    if (reducer->remaining == 0) {
      emit(reducer);
      memset(reducer->sums, 0, (size_t)reducer->source.columns * 4 * sizeof(uint32_t));
      reducer->remaining = reducer->source.height;
      reducer->rows_left--;
    }
  }
}

bool cic_reduce(const uint8_t *rgba, uint32_t source_width, uint32_t source_height, const cic_target *target) {
  if (target->width > source_width || target->height > source_height) return false;
  struct rows rows;
  const bool started = cic_rows_start(&rows, cic_whole_pixels(source_width, source_height), true, target);
  const size_t stride = (size_t)source_width * 4;
  for (uint32_t y = 0; started && y < source_height; y++) {
    memcpy(cic_rows_next(&rows), rgba + y * stride, stride);
    cic_rows_add(&rows);
  }
  cic_rows_end(&rows);
  return started;
}

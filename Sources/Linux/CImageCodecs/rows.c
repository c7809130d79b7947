#include "rows.h"

#include <string.h>

#include "support.h"

struct reducer_source cic_whole_pixels(uint32_t width, uint32_t height) { return (struct reducer_source){width, width, height, 1}; }

bool cic_rows_start(
    struct rows *rows, struct reducer_source source, bool has_alpha, const struct color *color, const cic_target *target) {
  *rows = (struct rows){.columns = source.columns};
  if (!cic_upright_start(&rows->upright, target)) return false;
  if (color != NULL && color->kind == color_stored) color = NULL;
  rows->reduces = source.columns != target->width || (source.height + source.parts - 1) / source.parts != target->height;
  if (!rows->reduces && color == NULL) return true;
  // The rows are decoded into separate memory. If libjpeg-turbo wrote them to the target, it might bypass the processor's cache, and the
  // conversion would have to wait for the memory.
  rows->row = cic_row_memory((size_t)source.columns * 4);
  if (rows->row == NULL) return false;
  if (rows->reduces && !cic_reducer_start(&rows->reducer, source, has_alpha, &rows->upright)) return false;
  if (color == NULL) return true;
  // Pixels of inks have black in the place of alpha. So the filter for rows with alpha would weight the other inks by the black.
  const bool comes_first = !rows->reduces || color->comes_first || (color->has_inks && !rows->reducer.is_opaque);
  if (comes_first) rows->color = color; else rows->upright.color = color;
  return true;
}

uint8_t *cic_rows_next(struct rows *rows) { return rows->row != NULL ? rows->row : cic_upright_row(&rows->upright); }

void cic_rows_add(struct rows *rows) {
  if (rows->color != NULL) cic_color_convert(rows->color, rows->row, rows->columns);
  if (rows->reduces) {
    cic_reducer_add(&rows->reducer, rows->row);
    return;
  }
  if (rows->row != NULL) memcpy(cic_upright_row(&rows->upright), rows->row, (size_t)rows->columns * 4);
  cic_upright_add(&rows->upright);
}

bool cic_rows_leave(struct rows *rows) {
  const cic_target *target = &rows->upright.target;
  const bool has_rows = rows->upright.next > 0;
  rows->upright.color = NULL;
  while (rows->upright.next < target->height) {
    memset(cic_upright_row(&rows->upright), 0, (size_t)target->width * 4);
    cic_upright_add(&rows->upright);
  }
  return has_rows;
}

void cic_rows_end(struct rows *rows) {
  cic_reducer_end(&rows->reducer);
  cic_upright_end(&rows->upright);
  cic_free_row_memory(rows->row);
  rows->row = NULL;
}

static bool has_alpha(const uint8_t *rgba, size_t pixels) {
  for (size_t i = 0; i < pixels; i++) {
    if (rgba[i * 4 + 3] != 0xFF) return true;
  }
  return false;
}

bool cic_reduce_colors(
    const uint8_t *rgba, uint32_t source_width, uint32_t source_height, const struct color *color, const cic_target *target) {
  if (target->width > source_width || target->height > source_height) return false;
  struct rows rows;
  const struct reducer_source source = cic_whole_pixels(source_width, source_height);
  const bool started = cic_rows_start(&rows, source, has_alpha(rgba, (size_t)source_width * source_height), color, target);
  const size_t stride = (size_t)source_width * 4;
  for (uint32_t y = 0; started && y < source_height; y++) {
    memcpy(cic_rows_next(&rows), rgba + y * stride, stride);
    cic_rows_add(&rows);
  }
  cic_rows_end(&rows);
  return started;
}

bool cic_reduce(const uint8_t *rgba, uint32_t source_width, uint32_t source_height, const cic_target *target) {
  return cic_reduce_colors(rgba, source_width, source_height, NULL, target);
}

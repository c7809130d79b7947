#include "orient.h"

#include <string.h>

#include "support.h"

// The side of a square tile of pixels. When rows become columns, working in tiles keeps the cache lines of both images in the cache. A band
// has as many rows as a tile.
enum { tile = 32 };

// Writes `count` rows to the target, starting with row number `first`. `rgba` begins with that row.
static void orient_rows(const uint8_t *rgba, const cic_target *target, uint32_t first, uint32_t count) {
  const ptrdiff_t w = target->width, h = target->height, last = (ptrdiff_t)first + count;
  // The position of the stored pixel (0, 0) in the target, and the distances in the target between two stored pixels that are adjacent in a
  // row, and in a column.
  ptrdiff_t origin = 0, right = 1, down = w;
  switch (target->orientation) {
    case 2: origin = w - 1, right = -1, down = w; break;
    case 3: origin = w * h - 1, right = -1, down = -w; break;
    case 4: origin = w * (h - 1), right = 1, down = -w; break;
    case 5: origin = 0, right = h, down = 1; break;
    case 6: origin = h - 1, right = h, down = -1; break;
    case 7: origin = w * h - 1, right = -h, down = -1; break;
    case 8: origin = h * (w - 1), right = -h, down = 1; break;
    default: break;
  }
  for (ptrdiff_t top = first; top < last; top += tile) {
    const ptrdiff_t bottom = top + tile < last ? top + tile : last;
    for (ptrdiff_t left = 0; left < w; left += tile) {
      const ptrdiff_t end = left + tile < w ? left + tile : w;
      for (ptrdiff_t y = top; y < bottom; y++) {
        const uint8_t *from = rgba + ((y - first) * w + left) * 4;
        uint8_t *to = target->rgba + (origin + y * down + left * right) * 4;
        for (ptrdiff_t x = left; x < end; x++, from += 4, to += right * 4) memcpy(to, from, 4);
      }
    }
  }
}

void cic_orient(const uint8_t *rgba, const cic_target *target) { orient_rows(rgba, target, 0, target->height); }

bool cic_upright_start(struct upright *upright, const cic_target *target) {
  *upright = (struct upright){.target = *target};
  if (target->orientation < 2 || target->orientation > 8) return true;
  upright->band = cic_row_memory((size_t)target->width * tile * 4);
  return upright->band != NULL;
}

uint8_t *cic_upright_row(struct upright *upright) {
  const size_t stride = (size_t)upright->target.width * 4;
  return upright->band == NULL ? upright->target.rgba + upright->next * stride : upright->band + upright->next % tile * stride;
}

void cic_upright_add(struct upright *upright) {
  if (upright->color != NULL) cic_color_convert(upright->color, cic_upright_row(upright), upright->target.width);
  upright->next++;
  if (upright->band == NULL) return;
  const uint32_t held = (upright->next - 1) % tile + 1;
  if (held == tile || upright->next == upright->target.height) {
    orient_rows(upright->band, &upright->target, upright->next - held, held);
  }
}

void cic_upright_end(struct upright *upright) {
  cic_free_row_memory(upright->band);
  upright->band = NULL;
}

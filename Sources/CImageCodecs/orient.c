#include <string.h>

#include "CImageCodecs.h"

// Tiles keep the lines of both pictures in the cache when rows become columns.
enum { tile = 32 };

void cic_orient(const uint8_t *rgba, uint32_t width, uint32_t height, int orientation, uint8_t *target) {
  const ptrdiff_t w = width, h = height;
  // Where the stored pixel (0, 0) goes, and how far one stored step to the right and one down move in the target.
  ptrdiff_t origin = 0, right = 1, down = w;
  switch (orientation) {
    case 2: origin = w - 1, right = -1, down = w; break;
    case 3: origin = w * h - 1, right = -1, down = -w; break;
    case 4: origin = w * (h - 1), right = 1, down = -w; break;
    case 5: origin = 0, right = h, down = 1; break;
    case 6: origin = h - 1, right = h, down = -1; break;
    case 7: origin = w * h - 1, right = -h, down = -1; break;
    case 8: origin = h * (w - 1), right = -h, down = 1; break;
    default: break;
  }
  for (ptrdiff_t top = 0; top < h; top += tile) {
    const ptrdiff_t bottom = top + tile < h ? top + tile : h;
    for (ptrdiff_t left = 0; left < w; left += tile) {
      const ptrdiff_t end = left + tile < w ? left + tile : w;
      for (ptrdiff_t y = top; y < bottom; y++) {
        const uint8_t *from = rgba + (y * w + left) * 4;
        uint8_t *to = target + (origin + y * down + left * right) * 4;
        for (ptrdiff_t x = left; x < end; x++, from += 4, to += right * 4) memcpy(to, from, 4);
      }
    }
  }
}

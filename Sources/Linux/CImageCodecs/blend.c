#include "blend.h"

#include <string.h>

static void blend(uint8_t *below, const uint8_t *pixel) {
  const uint32_t alpha = pixel[3];
  if (alpha == 0xFF || below[3] == 0) {
    if (alpha != 0) memcpy(below, pixel, 4);
    return;
  }
  // The sum of the weights is 255 times the alpha of the result.
  const uint32_t weight = alpha * 255, other = (255 - alpha) * below[3], sum = weight + other;
  for (int i = 0; i < 3; i++) below[i] = (uint8_t)((pixel[i] * weight + below[i] * other + sum / 2) / sum);
  below[3] = (uint8_t)((sum + 127) / 255);
}

void cic_blend_row(uint8_t *below, const uint8_t *row, size_t pixels) {
  for (size_t i = 0; i < pixels; i++) blend(below + i * 4, row + i * 4);
}

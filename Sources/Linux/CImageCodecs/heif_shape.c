#include "heif_shape.h"

// Computes the part of one side that is shown. `length` is the length of the part, and `offset` is the distance of its center from the
// center of the image. Both are fractions. Returns false if the part does not consist of whole pixels, or does not lie within the image.
static bool crop_side(uint32_t side, const uint32_t *length, const uint32_t *offset, uint32_t *start, uint32_t *count) {
  if (length[1] == 0 || length[0] % length[1] != 0 || offset[1] == 0 || offset[1] > INT32_MAX) return false;
  const int64_t shown = length[0] / length[1], twice_off = 2 * (int64_t)(int32_t)offset[0];
  const int64_t twice_start = side - shown + twice_off / offset[1];
  if (twice_off % offset[1] != 0 || twice_start % 2 != 0 || twice_start < 0) return false;
  if (shown < 1 || twice_start / 2 + shown > side) return false;
  *start = (uint32_t)(twice_start / 2);
  *count = (uint32_t)shown;
  return true;
}

struct heif_rectangle cic_heif_shown_part(uint32_t width, uint32_t height, const uint32_t aperture[8]) {
  const struct heif_rectangle whole = {0, 0, width, height};
  struct heif_rectangle part;
  if (!crop_side(width, aperture, aperture + 4, &part.x, &part.width)) return whole;
  if (!crop_side(height, aperture + 2, aperture + 6, &part.y, &part.height)) return whole;
  return part;
}

int cic_heif_turned(int orientation, int quarters) {
  static const int after_quarter[9] = {1, 8, 5, 6, 7, 4, 1, 2, 3};
  for (int i = 0; i < (quarters & 3); i++) orientation = after_quarter[orientation];
  return orientation;
}

int cic_heif_mirrored(int orientation, int axis) {
  static const int left_right[9] = {1, 2, 1, 4, 3, 6, 5, 8, 7}, top_bottom[9] = {1, 4, 3, 2, 1, 8, 7, 6, 5};
  return axis == 0 ? top_bottom[orientation] : left_right[orientation];
}

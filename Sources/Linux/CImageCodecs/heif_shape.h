#ifndef CIC_HEIF_SHAPE_H
#define CIC_HEIF_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

// The properties that crop and turn the image of an item.

struct heif_rectangle {
  uint32_t x, y, width, height;
};

// Returns the part of the stored image that is shown (ISO/IEC 14496-12, 12.1.4.3), before it is turned. `aperture` has four fractions: the
// width, the height, and the distances of the part's center from the image's center, to the right and down. An invalid aperture has no
// effect, as in libavif.
struct heif_rectangle cic_heif_shown_part(uint32_t width, uint32_t height, const uint32_t aperture[8]);

// Returns the orientation, from 1 to 8 as in EXIF, of an image that is shown with `orientation`, and then turned to the left by quarter
// turns (ISO/IEC 23008-12, 6.5.10).
int cic_heif_turned(int orientation, int quarters);

// Returns the orientation of an image that is shown with `orientation`, and then mirrored (ISO/IEC 23008-12, 6.5.12). An axis of 0 swaps
// top and bottom, and an axis of 1 swaps left and right.
int cic_heif_mirrored(int orientation, int axis);

#endif

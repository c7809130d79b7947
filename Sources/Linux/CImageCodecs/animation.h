#ifndef CIC_ANIMATION_H
#define CIC_ANIMATION_H

#include "support.h"

// Each format has an animation structure, whose first field is a `cic_animation`. `close` frees the whole structure of the format.
struct cic_animation {
  cic_status (*next)(cic_animation *animation, const cic_target *target, bool *ended, char *message);
  void (*close)(cic_animation *animation);
  uint32_t *milliseconds;  // the duration of each frame; freed with the structure
  uint32_t frames;         // the number of frames
  uint32_t position;       // the index of the next frame
  size_t held_bytes;       // see cic_animation_held_bytes
  double missing;          // see cic_animation_missing
  const char *ignored_profile;  // see cic_animation_ignored_profile
};

#endif

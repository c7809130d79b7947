#include "animation.h"

#include <stdlib.h>

cic_status cic_animation_next(cic_animation *animation, const cic_target *target, bool *ended, char *message) {
  *ended = animation->position == animation->frames;
  if (*ended) return CIC_OK;
  animation->position++;
  return animation->next(animation, target, ended, message);
}

uint32_t cic_animation_frames(const cic_animation *animation) { return animation->frames; }

uint32_t cic_animation_milliseconds(const cic_animation *animation, uint32_t frame) { return animation->milliseconds[frame]; }

size_t cic_animation_held_bytes(const cic_animation *animation) { return animation->held_bytes; }

double cic_animation_missing(const cic_animation *animation) { return animation->missing; }

const char *cic_animation_ignored_profile(const cic_animation *animation) { return animation->ignored_profile; }

void cic_animation_close(cic_animation *animation) {
  free(animation->milliseconds);
  animation->close(animation);
}

#include "animation.h"

cic_status cic_animation_next(cic_animation *animation, const cic_target *target, uint32_t *milliseconds, bool *ended, char *message) {
  return animation->next(animation, target, milliseconds, ended, message);
}

double cic_animation_missing(const cic_animation *animation) { return animation->missing; }

const char *cic_animation_ignored_profile(const cic_animation *animation) { return animation->ignored_profile; }

void cic_animation_close(cic_animation *animation) { animation->close(animation); }

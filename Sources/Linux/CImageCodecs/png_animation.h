#ifndef CIC_PNG_ANIMATION_H
#define CIC_PNG_ANIMATION_H

#include "CImageCodecs.h"

// Sets the number of frames and of plays, if the PNG is an animation. If the file is incomplete, the number of frames is the number that
// the file declares.
void cic_apng_info(cic_input input, cic_info *info);

// Decodes the first frame of an animation whose default image is not part of it. Returns false for any other PNG, and if the frame cannot
// be decoded.
bool cic_apng_decode_first(cic_input input, const cic_limits *limits, const cic_target *target, cic_result *result);

#endif

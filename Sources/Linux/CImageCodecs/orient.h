#ifndef CIC_ORIENT_H
#define CIC_ORIENT_H

#include "CImageCodecs.h"

// Takes the rows of an image in stored order and writes them where they are seen: in place if the image is upright, otherwise in bands, so
// that a turned image needs no second copy.
struct upright {
  cic_target target;
  uint8_t *band;  // NULL if nothing is turned
  uint32_t next;  // the next row
};

// Returns false if memory runs out. Call cic_upright_end in either case.
bool cic_upright_start(struct upright *upright, const cic_target *target);

// Room for the next row, of target.width pixels.
uint8_t *cic_upright_row(struct upright *upright);

// Adds the row that was written.
void cic_upright_add(struct upright *upright);

void cic_upright_end(struct upright *upright);

#endif

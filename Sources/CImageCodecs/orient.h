#ifndef CIC_ORIENT_H
#define CIC_ORIENT_H

#include "CImageCodecs.h"

// Takes a picture's rows in stored order and puts them where they are seen: in place if the picture lies upright, else in bands, so
// that a turned picture needs no second copy.
struct upright {
  cic_target target;
  uint8_t *band;  // NULL if nothing is to be turned
  uint32_t next;  // the row to come
};

// False when memory runs out. Ends with cic_upright_end in either case.
bool cic_upright_start(struct upright *upright, const cic_target *target);

// Room for the next row, of target.width pixels.
uint8_t *cic_upright_row(struct upright *upright);

// The row is written.
void cic_upright_add(struct upright *upright);

void cic_upright_end(struct upright *upright);

#endif

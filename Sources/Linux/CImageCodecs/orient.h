#ifndef CIC_ORIENT_H
#define CIC_ORIENT_H

#include "color.h"

// Receives the rows of an image in stored order, converts their colors, and writes them to the target upright. If the stored image is
// already upright, the rows are written in place. Otherwise, they are turned in bands, so that the image needs no second copy.
struct upright {
  cic_target target;
  const struct color *color;  // the conversion that is still to be made; NULL if there is none
  uint8_t *band;  // stored rows that are turned together; NULL if nothing is turned
  uint32_t next;  // the number of the next row
};

// Returns false if memory runs out. Call cic_upright_end in either case.
bool cic_upright_start(struct upright *upright, const cic_target *target);

// Returns memory for the next row, which has target.width pixels.
uint8_t *cic_upright_row(struct upright *upright);

// Adds the row that was written to the memory of cic_upright_row.
void cic_upright_add(struct upright *upright);

void cic_upright_end(struct upright *upright);

#endif

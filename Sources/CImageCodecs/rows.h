#ifndef CIC_ROWS_H
#define CIC_ROWS_H

#include "orient.h"
#include "reducer.h"

// What a decoder hands its rows to: they end up reduced to the target's size and upright. Holds a few rows, whatever the picture's height.
struct rows {
  struct upright upright;
  struct reducer reducer;  // idle if the size is right already
  uint8_t *row;            // likewise NULL
};

// A source as large as the target is passed on as it is. False when memory runs out or a size is out of range. Ends with cic_rows_end in
// either case.
bool cic_rows_start(struct rows *rows, struct reducer_source source, bool has_alpha, const cic_target *target);

// Room for the next row, of source.columns pixels.
uint8_t *cic_rows_next(struct rows *rows);

// The row is written.
void cic_rows_add(struct rows *rows);

// No more rows come: what is missing of the target is transparent. False if nothing was written.
bool cic_rows_leave(struct rows *rows);

void cic_rows_end(struct rows *rows);

// A source that is read in whole pixels.
struct reducer_source cic_whole_pixels(uint32_t width, uint32_t height);

#endif

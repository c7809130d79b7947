#ifndef CIC_ROWS_H
#define CIC_ROWS_H

#include "orient.h"
#include "reducer.h"

// The destination of a decoder's rows, which are reduced to the target's size and turned upright. Holds a few rows, whatever the image's
// height.
struct rows {
  struct upright upright;
  struct reducer reducer;  // unused if the size is already right
  uint8_t *row;            // NULL in that case
};

// Passes on a source as large as the target unchanged. For `has_alpha`, see reducer.h. Returns false if memory runs out or a size is out of
// range. Call cic_rows_end in either case.
bool cic_rows_start(struct rows *rows, struct reducer_source source, bool has_alpha, const cic_target *target);

// Room for the next row, of source.columns pixels.
uint8_t *cic_rows_next(struct rows *rows);

// Adds the row that was written.
void cic_rows_add(struct rows *rows);

// Ends the rows early: the missing part of the target is transparent. Returns false if nothing was written.
bool cic_rows_leave(struct rows *rows);

void cic_rows_end(struct rows *rows);

// A source that consists of whole pixels.
struct reducer_source cic_whole_pixels(uint32_t width, uint32_t height);

#endif

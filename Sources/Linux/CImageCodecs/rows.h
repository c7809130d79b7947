#ifndef CIC_ROWS_H
#define CIC_ROWS_H

#include "orient.h"
#include "reducer.h"

// The destination of a decoder's rows. It reduces the rows to the target's size, converts their colors, and turns the image upright. It
// stores only a few rows, whatever the image's height.
struct rows {
  struct upright upright;
  struct reducer reducer;     // unused if the source has the target's size
  bool reduces;               // whether the source is larger than the target
  uint8_t *row;               // the row that is being decoded; NULL if it is decoded into its place in the target
  uint32_t columns;           // the number of pixels in that row
  const struct color *color;  // the conversion of this row; NULL if there is none, or if the reduced rows are converted
};

// Prepares for the rows of a source. If the source has the target's size, its rows are not reduced. For `has_alpha`, see reducer.h. `color`
// is the conversion of the rows' colors, or NULL. It must stay in place until cic_rows_end. Returns false if memory runs out or a size is
// out of range. Call cic_rows_end in either case.
bool cic_rows_start(
    struct rows *rows, struct reducer_source source, bool has_alpha, const struct color *color, const cic_target *target);

// Returns memory for the next row, which has source.columns pixels.
uint8_t *cic_rows_next(struct rows *rows);

// Adds the row that was written to the memory of cic_rows_next.
void cic_rows_add(struct rows *rows);

// Ends the rows early, and makes the missing rows of the target transparent. Returns false if no row of the target had been written.
bool cic_rows_leave(struct rows *rows);

void cic_rows_end(struct rows *rows);

// Like cic_reduce, but also converts the colors.
bool cic_reduce_colors(
    const uint8_t *rgba, uint32_t source_width, uint32_t source_height, const struct color *color, const cic_target *target);

// Returns a source in which the image does not end within a pixel. In a JPEG that is reduced to eighths, the image may end within a pixel,
// so this function is not for such a JPEG.
struct reducer_source cic_whole_pixels(uint32_t width, uint32_t height);

#endif

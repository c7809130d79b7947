#ifndef CIC_GIF_READER_H
#define CIC_GIF_READER_H

#include "libraries.h"

#include <gif_lib.h>

#include "support.h"

enum gif_disposal { gif_keep = 1, gif_clear = 2, gif_restore = 3 };

struct gif_frame {
  enum gif_disposal disposal;
  int transparent;                        // an index, or -1
  uint32_t milliseconds;                  // as browsers show it
  uint32_t left, top, width, height;      // on the canvas, of which parts may lie outside
  uint32_t visible_width, visible_height; // of what lies inside
  bool interlaced;
  size_t data;                            // where its blocks of pixels begin
  uint8_t palette[256][4];                // RGBA
};

struct gif_reader {
  GifFileType *gif;
  cic_input input;
  size_t position;
  bool ended;  // giflib asked for more than there is
  char *message;
  uint32_t width, height;  // of the canvas
  uint32_t plays;          // 0 for ever
  long warnings;
  struct gif_frame frame;  // the latest
  uint32_t rows;           // read of its pixels
  uint32_t frames;         // found so far
};

// What the blocks say of the whole file, without their pixels.
struct gif_survey {
  bool complete;          // no block ends beyond the input
  uint32_t frames;
  uint64_t total_pixels;  // of all frames, each at least as large as the canvas
};

// Reads up to the first frame, which says how large the canvas is where the header does not. Ends with cic_gif_close in any case.
cic_status cic_gif_open(struct gif_reader *reader, cic_input input, char *message);
void cic_gif_close(struct gif_reader *reader);

// Walks through the blocks up to that many frames; a million take some milliseconds.
struct gif_survey cic_gif_survey(const struct gif_reader *reader, uint32_t most_frames);

// The next frame's description. `*ended` when there is none.
cic_status cic_gif_next_frame(struct gif_reader *reader, bool *ended);

// The next row of the frame's pixels as indices. A frame that ends early in a complete file gives CIC_OK and `*ended`.
cic_status cic_gif_read_row(struct gif_reader *reader, uint8_t *indices, bool *ended);

// How many rows have to be read to see the frame. Visible ones come first, unless they are interlaced.
uint32_t cic_gif_needed_rows(const struct gif_frame *frame);

// After the frame's pixels were read: the share of the needed rows that did not come. CIC_CORRUPT if fewer than a tenth came.
cic_status cic_gif_check_rows(const struct gif_reader *reader, double *missing);

// Goes on behind the frame's pixels, read or not.
void cic_gif_skip_pixels(struct gif_reader *reader);

// The place in the frame of the row that comes as the given one: interlaced rows come in another order.
uint32_t cic_gif_row(const struct gif_frame *frame, uint32_t number);

#endif

#ifndef CIC_GIF_READER_H
#define CIC_GIF_READER_H

#include "libraries.h"

#include <gif_lib.h>

#include "gif_lzw.h"
#include "support.h"

enum gif_disposal { gif_keep = 1, gif_clear = 2, gif_restore = 3 };

struct gif_frame {
  enum gif_disposal disposal;
  int transparent;                        // an index, or -1
  uint32_t milliseconds;                  // the duration that browsers use
  uint32_t left, top, width, height;      // on the canvas; parts may lie outside
  uint32_t visible_width, visible_height; // the size of the part inside
  bool interlaced;
  size_t data;                            // the position of its pixel blocks
  uint8_t palette[256][4];                // RGBA
};

struct gif_reader {
  GifFileType *gif;
  cic_input input;
  size_t position;
  bool ended;  // giflib asked for more bytes than there are
  char *message;
  uint32_t width, height;  // the size of the canvas
  uint32_t plays;          // 0 means forever
  long warnings;
  struct gif_frame frame;  // the latest frame
  uint32_t rows;           // rows of its pixels read so far
  uint32_t frames;         // frames found so far
  struct gif_lzw pixels;   // of the latest frame
};

// A survey of the whole file by its blocks, without their pixels.
struct gif_survey {
  bool complete;          // no block extends beyond the input
  uint32_t frames;
};

// Reads up to the first frame, which determines the size of the canvas if the header does not. Call cic_gif_close in any case.
cic_status cic_gif_open(struct gif_reader *reader, cic_input input, char *message);
void cic_gif_close(struct gif_reader *reader);

// Walks through the blocks, up to that many frames. A million frames take some milliseconds.
struct gif_survey cic_gif_survey(const struct gif_reader *reader, uint32_t most_frames);

// Reads the description of the next frame. Sets `*ended` if there is none.
cic_status cic_gif_next_frame(struct gif_reader *reader, bool *ended);

// Reads the next row of the frame's pixels as indices. For a frame that ends early in a complete file, returns CIC_OK and sets `*ended`.
cic_status cic_gif_read_row(struct gif_reader *reader, uint8_t *indices, bool *ended);

// The number of rows to read to see the frame. Visible rows come first, unless the frame is interlaced.
uint32_t cic_gif_needed_rows(const struct gif_frame *frame);

// Computes the share of the needed rows that are missing, after the frame's pixels were read. Returns CIC_CORRUPT if fewer than a tenth
// arrived.
cic_status cic_gif_check_rows(const struct gif_reader *reader, double *missing);

// Moves past the frame's pixels, whether they were read or not.
void cic_gif_skip_pixels(struct gif_reader *reader);

// The position in the frame of the row that arrives as the given one: interlaced rows arrive in another order.
uint32_t cic_gif_row(const struct gif_frame *frame, uint32_t number);

#endif

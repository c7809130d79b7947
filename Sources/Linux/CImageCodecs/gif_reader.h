#ifndef CIC_GIF_READER_H
#define CIC_GIF_READER_H

#include "libraries.h"

#include <gif_lib.h>

#include "gif_lzw.h"
#include "support.h"

enum gif_disposal { gif_keep = 1, gif_clear = 2, gif_restore = 3 };

struct gif_frame {
  enum gif_disposal disposal;
  int transparent;                        // the index of the transparent color, or -1
  uint32_t milliseconds;                  // the duration that browsers use
  uint32_t left, top, width, height;      // position and size on the canvas; parts of the frame may lie outside of it
  uint32_t visible_width, visible_height; // the size of the part inside of the canvas
  bool interlaced;
  size_t data;                            // the position of the frame's compressed pixels
  uint8_t palette[256][4];                // RGBA
};

struct gif_reader {
  GifFileType *gif;
  cic_input input;
  size_t position;
  bool ended;  // giflib requested bytes beyond the end of the input
  char *message;
  uint32_t width, height;  // the size of the canvas
  uint32_t plays;          // 0 means forever
  long warnings;
  struct gif_frame frame;  // the latest frame
  uint32_t rows;           // the number of rows of the latest frame that have been read
  uint32_t frames;         // the number of frames found so far
  struct gif_lzw pixels;   // the pixels of the latest frame
};

// The result of reading the blocks of a file without their pixels.
struct gif_survey {
  bool complete;          // no block that was read extends beyond the input; the end of an only frame may be missing
  uint32_t frames;
};

// Reads the file up to the first frame. If the header has no size, this frame determines the size of the canvas. Call cic_gif_close in any
// case.
cic_status cic_gif_open(struct gif_reader *reader, cic_input input, char *message);
void cic_gif_close(struct gif_reader *reader);

// Reads the blocks of the file without their pixels, up to `most_frames` frames. A million frames take some milliseconds.
struct gif_survey cic_gif_survey(const struct gif_reader *reader, uint32_t most_frames);

// Reads the description of the next frame. Sets `*ended` if there is no other frame.
cic_status cic_gif_next_frame(struct gif_reader *reader, bool *ended);

// Reads the next row of the frame's pixels as indices. If the frame ends early in a complete file, returns CIC_OK and sets `*ended`.
cic_status cic_gif_read_row(struct gif_reader *reader, uint8_t *indices, bool *ended);

// Returns the number of rows to read before the frame can be shown. An interlaced frame needs all of its rows. In other frames, the visible
// rows come first.
uint32_t cic_gif_needed_rows(const struct gif_frame *frame);

// Computes the share of the needed rows that are missing. Call it after reading the frame's pixels. Returns CIC_CORRUPT if fewer than a
// tenth of the needed rows arrived.
cic_status cic_gif_check_rows(const struct gif_reader *reader, double *missing);

// Whether the frame's data ends before its first code.
bool cic_gif_lacks_data(const struct gif_reader *reader);

// Moves past the frame's pixels, whether or not they were read.
void cic_gif_skip_pixels(struct gif_reader *reader);

// Returns the position in the frame of the row that arrives as row `number`. The rows of an interlaced frame arrive in another order.
uint32_t cic_gif_row(const struct gif_frame *frame, uint32_t number);

#endif

#ifndef CIC_GIF_LZW_H
#define CIC_GIF_LZW_H

#include "CImageCodecs.h"

// The compressed pixels of a GIF's frame (GIF89a, appendix F): codes of a growing number of bits, in sub-blocks. giflib reads everything
// else. It is not used for the pixels, because it writes its whole table at each code that clears the table, so that a megabyte of such
// codes takes a fifth of a second; and because it continues behind a code that is not in the table.

enum { gif_lzw_codes = 1 << 12 };

enum gif_lzw_end {
  gif_lzw_running,
  gif_lzw_ended,    // the end code, or the empty sub-block
  gif_lzw_damaged,  // a code that is not in the table
  gif_lzw_cut_off,  // the input ends before a sub-block does, or before the next one
};

struct gif_lzw {
  cic_input input;
  size_t position;        // the next byte
  size_t block_end;       // the end of the sub-block
  enum gif_lzw_end end;
  uint32_t bits;          // bits read and not used yet, the next ones lowest
  uint32_t bit_count;
  uint32_t least_size;    // bits of a code after the table is cleared
  uint32_t size;          // bits of the next code
  uint32_t next;          // the next free entry of the table; the entries behind it are not read, so nothing has to be cleared
  int32_t before;         // the code before; -1 behind a code that clears the table
  uint8_t first;          // the first pixel of the code before
  uint32_t waiting;       // pixels in `pixels`, the next one last
  uint16_t prefix[gif_lzw_codes];  // the code for all pixels but the last
  uint8_t suffix[gif_lzw_codes];   // the last pixel
  uint8_t pixels[gif_lzw_codes];
};

// Begins at the first sub-block. `pixel_bits` is the byte before it, at most 8.
void cic_gif_lzw_start(struct gif_lzw *lzw, cic_input input, size_t position, uint8_t pixel_bits);

// Reads that many pixels. Returns false if the data ends before the last of them; `end` says why.
bool cic_gif_lzw_read(struct gif_lzw *lzw, uint8_t *pixels, size_t count);

#endif

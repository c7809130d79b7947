#ifndef CIC_GIF_LZW_H
#define CIC_GIF_LZW_H

#include "CImageCodecs.h"

// A decoder for the compressed pixels of a GIF's frame (GIF89a, appendix F). The pixels are codes of a growing number of bits, in
// sub-blocks. giflib reads everything else. Two properties of giflib are the reasons for this decoder. First, giflib writes its whole table
// at each code that clears the table, so a megabyte of such codes takes a fifth of a second. Second, giflib continues after a code that is
// not in the table.

enum { gif_lzw_codes = 1 << 12 };

enum gif_lzw_end {
  gif_lzw_running,
  gif_lzw_ended,    // the end code or the empty sub-block was read
  gif_lzw_damaged,  // a code was read that is not in the table
  gif_lzw_cut_off,  // the input ends within a sub-block, or before the next sub-block
};

struct gif_lzw {
  cic_input input;
  size_t position;        // the position of the next byte
  size_t block_end;       // the end of the current sub-block
  enum gif_lzw_end end;
  uint32_t bits;          // bits that were read and are not used yet; the lowest bit is the next
  uint32_t bit_count;
  uint32_t least_size;    // the number of bits in a code after the table is cleared
  uint32_t size;          // the number of bits in the next code
  uint32_t next;          // the next free entry of the table; the entries after it are never read, so they need not be cleared
  int32_t before;         // the previous code; -1 after a code that clears the table
  uint8_t first;          // the first pixel of the previous code
  uint32_t waiting;       // the number of pixels in `pixels`; the last pixel is the next
  uint16_t prefix[gif_lzw_codes];  // for each code, the code that represents all of its pixels except the last
  uint8_t suffix[gif_lzw_codes];   // for each code, its last pixel
  uint8_t pixels[gif_lzw_codes];
};

// Starts at the first sub-block, which begins at `position`. `pixel_bits` is the byte before it, and is at most 8.
void cic_gif_lzw_start(struct gif_lzw *lzw, cic_input input, size_t position, uint8_t pixel_bits);

// Reads `count` pixels. Returns false if the data ends before the last of these pixels. The field `end` then has the reason.
bool cic_gif_lzw_read(struct gif_lzw *lzw, uint8_t *pixels, size_t count);

#endif

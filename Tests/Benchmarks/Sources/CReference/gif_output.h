#ifndef GIF_OUTPUT_H
#define GIF_OUTPUT_H

#include <stddef.h>
#include <stdint.h>

#include <gif_lib.h>

// A GIF that giflib writes into memory.
struct gif_output {
  uint8_t *bytes;
  size_t count;
};

// giflib's function for output. The file's user data is a struct gif_output.
int gif_output_write(GifFileType *gif, const GifByteType *bytes, int count);

// Returns a palette with six levels for each of red, green, and blue. The color at 36 r + 6 g + b has these levels.
ColorMapObject *gif_output_levels(void);

#endif

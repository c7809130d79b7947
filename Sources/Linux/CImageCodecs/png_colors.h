#ifndef CIC_PNG_COLORS_H
#define CIC_PNG_COLORS_H

#include "color.h"

// Prepares the conversion of colors by the chunks that describe them. Of these chunks, cICP takes precedence, then iCCP, then sRGB, then
// gAMA and cHRM (PNG, third edition, 4.3). A chunk with a wrong checksum counts as absent, and a chunk that cannot be used is replaced by
// the next chunk in this order. Returns NULL, or a clause that says why a cICP or an iCCP chunk is ignored.
const char *cic_png_read_colors(
    cic_input input, enum color_model model, struct color *color, uint64_t pixels, const cic_limits *limits);

#endif

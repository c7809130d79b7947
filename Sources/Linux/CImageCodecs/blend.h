#ifndef CIC_BLEND_H
#define CIC_BLEND_H

#include <stddef.h>
#include <stdint.h>

// Composes a row of RGBA pixels over another row. Neither is premultiplied. The formula is that of PNG (third edition, 13.16), which WebP
// uses, too (RFC 9649, 2.7.1.1). A result between two levels is rounded to the nearest level.
void cic_blend_row(uint8_t *below, const uint8_t *row, size_t pixels);

#endif

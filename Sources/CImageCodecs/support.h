#ifndef CIC_SUPPORT_H
#define CIC_SUPPORT_H

#include "CImageCodecs.h"

// Copies as much of `text` as fits.
void cic_write_message(char *message, const char *text);

// False, with a message, when the stored size is beyond the limits.
bool cic_within_limits(const cic_limits *limits, uint64_t width, uint64_t height, char *message);

// Makes room for `more` bytes after `count`. False when memory runs out; the output stays as it was.
bool cic_output_reserve(cic_output *output, size_t more);

#endif

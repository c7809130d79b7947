#ifndef CIC_SUPPORT_H
#define CIC_SUPPORT_H

#include "CImageCodecs.h"

// Copies as much of `text` as fits.
void cic_write_message(char *message, const char *text);

// False, with a message, when the stored size is beyond the limits.
bool cic_within_limits(const cic_limits *limits, uint64_t width, uint64_t height, char *message);

// The same for the size that a target asks for, and whether that is within the stored size.
cic_status cic_check_target(const cic_limits *limits, uint64_t width, uint64_t height, const cic_target *target, char *message);

// False, with a message, when a picture of that size needs more bytes held than allowed.
bool cic_may_hold(const cic_limits *limits, uint64_t width, uint64_t height, uint64_t bytes_a_pixel, char *message);

// Browsers' rule: up to 10 ms counts as 100.
uint32_t cic_shown_for(uint32_t milliseconds);

// Memory for rows that a library writes and that are read at once; NULL when memory runs out. libjpeg-turbo writes rows that begin at
// multiples of 16 or 32 bytes past the cache (simd/x86_64/jdcolext-*.asm), and reading them back took more than twice the time. These begin
// 8 bytes behind one.
uint8_t *cic_row_memory(size_t count);

void cic_free_row_memory(uint8_t *rows);

// Makes room for `more` bytes after `count`. False when memory runs out; the output stays as it was.
bool cic_output_reserve(cic_output *output, size_t more);

#endif

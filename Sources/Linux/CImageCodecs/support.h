#ifndef CIC_SUPPORT_H
#define CIC_SUPPORT_H

#include "CImageCodecs.h"

// Copies as much of `text` as fits.
void cic_write_message(char *message, const char *text);

// Returns false, with a message, if the stored size exceeds the limits.
bool cic_within_limits(const cic_limits *limits, uint64_t width, uint64_t height, char *message);

// Checks the stored size against the limits, and the target's size against the stored size.
cic_status cic_check_target(const cic_limits *limits, uint64_t width, uint64_t height, const cic_target *target, char *message);

// Returns false, with a message, if an image of that size has to hold more bytes than allowed.
bool cic_may_hold(const cic_limits *limits, uint64_t width, uint64_t height, uint64_t bytes_a_pixel, char *message);

// The browsers' rule: up to 10 ms counts as 100.
uint32_t cic_shown_for(uint32_t milliseconds);

// Allocates memory for rows that a library writes and that are read at once; NULL if memory runs out. libjpeg-turbo writes rows that begin
// at multiples of 16 or 32 bytes without caching them (simd/x86_64/jdcolext-*.asm), and reading them back took more than twice the time.
// These rows begin 8 bytes after a multiple.
uint8_t *cic_row_memory(size_t count);

void cic_free_row_memory(uint8_t *rows);

// Makes room for `more` bytes after `count`. Returns false if memory runs out; the output then stays unchanged.
bool cic_output_reserve(cic_output *output, size_t more);

#endif

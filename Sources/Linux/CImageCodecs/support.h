#ifndef CIC_SUPPORT_H
#define CIC_SUPPORT_H

#include "CImageCodecs.h"

// Copies `text` to `message`, or as much of it as fits.
void cic_write_message(char *message, const char *text);

// Returns false, with a message, if the stored size exceeds the limits.
bool cic_within_limits(const cic_limits *limits, uint64_t width, uint64_t height, char *message);

// Checks the stored size against the limits, and the target's size against the stored size.
cic_status cic_check_target(const cic_limits *limits, uint64_t width, uint64_t height, const cic_target *target, char *message);

// Returns false, with a message, if an image of that size needs more bytes than `held_bytes` of the limits allows.
bool cic_may_hold(const cic_limits *limits, uint64_t width, uint64_t height, uint64_t bytes_a_pixel, char *message);

// Does the same for an image that needs this number of bytes in total.
bool cic_may_hold_bytes(const cic_limits *limits, uint64_t bytes, uint64_t width, uint64_t height, char *message);

// Returns the duration for which browsers show a frame: 100 ms if the file declares 10 ms or less, otherwise the declared duration.
uint32_t cic_shown_for(uint32_t milliseconds);

// Returns the same, in milliseconds, for a declared duration that is a fraction of two numbers, in seconds. The result is rounded. But a
// declared duration below 11 ms counts as 10 ms, as on Apple's platforms. If the denominator is 0, the declared duration counts as 0.
uint32_t cic_shown_for_fraction(uint32_t numerator, uint32_t denominator);

// Allocates memory for rows that are read as soon as a library has written them. Returns NULL if memory runs out. If rows begin at
// multiples of 16 or 32 bytes, libjpeg-turbo writes them to memory without the processor's cache (simd/x86_64/jdcolext-*.asm), and then
// reading them takes more than twice the time. So the rows in this memory begin 8 bytes after such a multiple.
uint8_t *cic_row_memory(size_t count);

void cic_free_row_memory(uint8_t *rows);

// Makes room for `more` bytes after the first `output->count` bytes. If memory runs out, returns false and leaves the output unchanged.
bool cic_output_reserve(cic_output *output, size_t more);

// Appends bytes to the output. Returns false if memory runs out.
bool cic_output_append(cic_output *output, const void *bytes, size_t count);

#endif

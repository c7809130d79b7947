#ifndef CREFERENCE_H
#define CREFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Images as a plain C program fetches and decodes them: the reference for the library.
//
// A JPEG is decoded to RGBA by libjpeg itself, at the smallest eighth that has a pixel for each of the box that it is fitted into. PNG,
// GIF, and WebP are decoded as that format's library does it. A box of 0 means every pixel. Each decoded image is retained until the end,
// as views would retain it.

typedef struct reference_bytes {
  const uint8_t *bytes;
  size_t count;
} reference_bytes;

// The caller frees the result; null on failure. Sizes are in pixels.
uint8_t *reference_decode_jpeg(reference_bytes input, uint32_t box, uint32_t *width, uint32_t *height);
uint8_t *reference_decode_png(reference_bytes input, uint32_t *width, uint32_t *height);
// Scaled by libwebp to the given size; 0 x 0 for the whole image.
uint8_t *reference_decode_webp(reference_bytes input, uint32_t scaled_width, uint32_t scaled_height, uint32_t *width, uint32_t *height);

// Decodes the first image of a GIF that has one palette.
uint8_t *reference_decode_gif(reference_bytes input, uint32_t *width, uint32_t *height);

enum reference_format { REFERENCE_PROGRESSIVE_JPEG, REFERENCE_GIF, REFERENCE_WEBP };

// Converts a JPEG to another format. The caller frees the result; null on failure.
uint8_t *reference_convert_jpeg(reference_bytes jpeg, enum reference_format format, size_t *count);

// Fetches with one curl_multi on the calling thread over at most `connections` connections, and decodes on `threads` other threads. Returns
// the seconds until the last image was decoded, or -1 if one failed.
double reference_feed(const char *const *urls, size_t count, int connections, int threads, uint32_t box);

// Reads whole files and decodes them, on `threads` threads. Returns the seconds, or -1.
double reference_files(const char *const *paths, size_t count, int threads, uint32_t box);

// Opens, reads, closes, and sums one file (CRC-32, slicing by 8, with zlib's polynomial). Returns the sum, or 0 on failure.
uint32_t reference_read(const char *path, size_t *count);

// Returns the bytes that malloc has allocated and that were not freed, including mapped blocks, in all arenas.
size_t reference_heap_bytes(void);

// Returns freed memory that malloc retains to the system.
void reference_give_memory_back(void);

// Restricts the calling thread, and the threads and processes that it creates from now on, to the given number of its allowed cores.
void reference_use_cores(int count);

// Returns the seconds of processor time that the calling thread has used.
double reference_thread_seconds(void);

// Returns the seconds of a clock that is never set.
double reference_wall_seconds(void);

#endif

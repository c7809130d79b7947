#ifndef CREFERENCE_H
#define CREFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Pictures as a plain C program gets and decodes them: the limit that the library is measured against.
//
// A JPEG is decoded to RGBA by libjpeg itself at the smallest eighth that has a pixel for each of the box that it is fitted into;
// PNG, GIF and WebP as that format's library does it. A box of 0 means every pixel. Each decoded picture is kept until the end, as views
// would keep it.

typedef struct reference_bytes {
  const uint8_t *bytes;
  size_t count;
} reference_bytes;

// To be freed; null on failure. Sizes in pixels.
uint8_t *reference_decode_jpeg(reference_bytes input, uint32_t box, uint32_t *width, uint32_t *height);
uint8_t *reference_decode_png(reference_bytes input, uint32_t *width, uint32_t *height);
// Scaled by libwebp to the size given; 0 x 0 for the whole.
uint8_t *reference_decode_webp(reference_bytes input, uint32_t scaled_width, uint32_t scaled_height, uint32_t *width, uint32_t *height);

// The first picture of a GIF that has one palette.
uint8_t *reference_decode_gif(reference_bytes input, uint32_t *width, uint32_t *height);

enum reference_format { REFERENCE_PROGRESSIVE_JPEG, REFERENCE_GIF, REFERENCE_WEBP };

// The picture of a JPEG in another format, to be freed; null on failure.
uint8_t *reference_convert_jpeg(reference_bytes jpeg, enum reference_format format, size_t *count);

// Fetches with one curl_multi on the calling thread over at most `connections` connections, decodes on `threads` others. Returns the
// seconds until the last picture was decoded, or -1 if one failed.
double reference_feed(const char *const *urls, size_t count, int connections, int threads, uint32_t box);

// Reads whole files and decodes them, on `threads` threads. Seconds, or -1.
double reference_files(const char *const *paths, size_t count, int threads, uint32_t box);

// Opens, reads, closes and sums up (CRC-32, slicing by 8, as zlib's polynomial) one file. The sum, or 0 on failure.
uint32_t reference_read(const char *path, size_t *count);

// Bytes that malloc has given out and not got back, mapped blocks among them, in all arenas.
size_t reference_heap_bytes(void);

// Gives back to the system what malloc keeps of memory that was freed.
void reference_give_memory_back(void);

// Restricts the calling thread, and the threads and processes that it makes from now on, to so many of the cores that it may use.
void reference_use_cores(int count);

// Seconds of processor time that the calling thread has used.
double reference_thread_seconds(void);

// Seconds on a clock that nobody sets.
double reference_wall_seconds(void);

#endif

#ifndef CREFERENCE_H
#define CREFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Functions that fetch and decode images as a plain C program does. The benchmarks compare the library with them.
//
// A JPEG is decoded to RGBA by libjpeg itself, at the smallest scale in eighths that is at least the scale at which the image fits into the
// box. PNG, GIF, and WebP are decoded in the usual way by the library for the format. A box of 0 means the full size. The functions that
// decode many images retain each image until the last image is decoded, as views would retain the images.

typedef struct reference_bytes {
  const uint8_t *bytes;
  size_t count;
} reference_bytes;

// Returns the decoded pixels, which the caller frees, or null on failure. Sizes are in pixels.
uint8_t *reference_decode_jpeg(reference_bytes input, uint32_t box, uint32_t *width, uint32_t *height);
uint8_t *reference_decode_png(reference_bytes input, uint32_t *width, uint32_t *height);
// Decodes a WebP, which libwebp scales to the given size. 0 x 0 means the full size.
uint8_t *reference_decode_webp(reference_bytes input, uint32_t scaled_width, uint32_t scaled_height, uint32_t *width, uint32_t *height);

// Decodes the first image of a GIF that has one palette.
uint8_t *reference_decode_gif(reference_bytes input, uint32_t *width, uint32_t *height);

enum reference_format { REFERENCE_PROGRESSIVE_JPEG, REFERENCE_GIF, REFERENCE_WEBP };

// Converts a JPEG to another format. Returns the bytes, which the caller frees, or null on failure.
uint8_t *reference_convert_jpeg(reference_bytes jpeg, enum reference_format format, size_t *count);

// The pixels of an image, in RGBA.
typedef struct reference_pixels {
  const uint8_t *rgba;
  uint32_t width, height;
} reference_pixels;

// Returns an animated GIF in which a ball moves over an image, and which repeats forever. The caller frees the GIF. Each frame is shown for
// `hundredths` hundredths of a second. An image that is smaller than the GIF is repeated side by side.
uint8_t *reference_moving_gif(
    reference_pixels ground, uint32_t width, uint32_t height, uint32_t frames, uint32_t hundredths, size_t *count);

// Fetches with one curl_multi on the calling thread over at most `connections` connections, and decodes on `threads` other threads. Returns
// the time until the last image was decoded, in seconds, or -1 if an image failed.
double reference_feed(const char *const *urls, size_t count, int connections, int threads, uint32_t box);

// Reads whole files and decodes them, on `threads` threads. Returns the time in seconds, or -1 if an image failed.
double reference_files(const char *const *paths, size_t count, int threads, uint32_t box);

// Opens, reads, and closes a file, and computes its checksum (CRC-32, slicing by 8, with zlib's polynomial). Returns the checksum, or 0 on
// failure.
uint32_t reference_read(const char *path, size_t *count);

// Returns the number of bytes that malloc has allocated and that were not freed, including mapped blocks, in all arenas.
size_t reference_heap_bytes(void);

// Makes malloc return freed memory to the system.
void reference_give_memory_back(void);

// Restricts the calling thread, and the threads and processes that it creates from now on, to the given number of the thread's allowed
// cores.
void reference_use_cores(int count);

// Returns the seconds of processor time that the calling thread has used.
double reference_thread_seconds(void);

// Returns the seconds of processor time that all threads of this process have used.
double reference_process_seconds(void);

// Returns the time of the monotonic clock in seconds.
double reference_wall_seconds(void);

#endif

#ifndef CIMAGECODECS_H
#define CIMAGECODECS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Image files to and from RGBA8: red, green, blue, alpha, one byte each, not premultiplied, rows from the top without padding.
//
// Each format has one file and two entries of the same form, cic_FORMAT_info and cic_FORMAT_decode. All may be called from any
// thread at the same time: nothing is kept between calls. Nothing is printed; what went wrong is in `message`, a buffer of
// CIC_MESSAGE_SIZE bytes, which stays as it was when the status is CIC_OK.

#define CIC_MESSAGE_SIZE 200

// The widest and highest picture that the row reducer's 32-bit sums can hold; no limit set by a caller goes beyond it.
#define CIC_MAX_SIDE 65535

typedef enum __attribute__((enum_extensibility(closed))) cic_status {
  CIC_OK = 0,
  CIC_TRUNCATED,    // the input ends before the picture does
  CIC_CORRUPT,      // the input is not what its format says
  CIC_UNSUPPORTED,  // the input may be right, but is of a kind that is not read here
  CIC_TOO_LARGE,    // beyond cic_limits
  CIC_NO_MEMORY,
} cic_status;

typedef struct cic_input {
  const uint8_t *bytes;
  size_t count;
} cic_input;

// Checked against what the file declares, before anything proportional to the picture is allocated.
typedef struct cic_limits {
  uint64_t pixels;             // width x height of the stored picture
  uint32_t width;              // pixels
  uint32_t height;             // pixels
  uint32_t scans;              // of one JPEG
  uint64_t coefficient_bytes;  // that a JPEG of several scans has to hold whole
} cic_limits;

typedef struct cic_info {
  uint32_t width;   // pixels as stored, before orientation
  uint32_t height;  // pixels as stored, before orientation
  int orientation;  // 1 to 8 as in EXIF; 1 when absent or senseless
  bool progressive; // progressive JPEG, interlaced PNG
  int components;   // colour and alpha channels as stored
  int bits;         // of one sample, or of one palette index
  uint32_t frames;  // 1 for a still picture
} cic_info;

typedef struct cic_result {
  long warnings;  // faults that the format's library could repair in complete data
} cic_result;

// Header only. The limits are not checked: the caller sees the size.
cic_status cic_jpeg_info(cic_input input, cic_info *info, char *message);
cic_status cic_png_info(cic_input input, cic_info *info, char *message);

// Writes width x height x 4 bytes to `rgba`. The size is along the stored axes, at least 1 x 1 and at most the stored size; a
// smaller one is averaged over the area of each pixel while the rows come in. After a failure the contents of `rgba` mean nothing.
cic_status cic_jpeg_decode(cic_input input, const cic_limits *limits, uint32_t width, uint32_t height, uint8_t *rgba,
                           cic_result *result, char *message);
cic_status cic_png_decode(cic_input input, const cic_limits *limits, uint32_t width, uint32_t height, uint8_t *rgba,
                          cic_result *result, char *message);

// An encoded file, owned by the caller until cic_output_free.
typedef struct cic_output {
  uint8_t *bytes;
  size_t count;
  size_t capacity;
} cic_output;

// Quality 1 to 100 on libjpeg's scale, chroma halved both ways (4:2:0), alpha composed over white.
cic_status cic_jpeg_encode(const uint8_t *rgba, uint32_t width, uint32_t height, int quality, cic_output *output, char *message);

// RGBA, or RGB when every pixel is opaque.
cic_status cic_png_encode(const uint8_t *rgba, uint32_t width, uint32_t height, cic_output *output, char *message);

void cic_output_free(cic_output *output);

// Area average of pixels already decoded, weighted by alpha. False when memory runs out or the size asked for is not within the
// source's.
bool cic_reduce(const uint8_t *rgba, uint32_t source_width, uint32_t source_height, uint8_t *target, uint32_t width, uint32_t height);

// Turns a stored picture upright. `width` and `height` are the source's; orientations 5 to 8 swap them in `target`.
void cic_orient(const uint8_t *rgba, uint32_t width, uint32_t height, int orientation, uint8_t *target);

// The orientation tag of a TIFF structure, which is what EXIF is; 1 when absent, out of range or out of bounds.
int cic_exif_orientation(const uint8_t *tiff, size_t count);

#endif

#ifndef CIMAGECODECS_H
#define CIMAGECODECS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Converts image files to and from RGBA8: red, green, blue, alpha, one byte each, not premultiplied, rows from the top without padding.
//
// Each format has one file and two functions of the same form, cic_FORMAT_info and cic_FORMAT_decode. All functions may be called from any
// thread at the same time: they retain nothing between calls. They print nothing. They describe an error in `message`, a buffer of
// CIC_MESSAGE_SIZE bytes, which stays unchanged if the status is CIC_OK.

#define CIC_MESSAGE_SIZE 200

// The largest width and height of an image that the row reducer's 32-bit sums can hold. No limit set by a caller exceeds it.
#define CIC_MAX_SIDE 65535

// The frames of a GIF have to be counted. At most this many are counted for its header.
#define CIC_MOST_FRAMES_TOLD 10000

typedef enum __attribute__((enum_extensibility(closed))) cic_status {
  CIC_OK = 0,
  CIC_TRUNCATED,    // the input ends before the image does
  CIC_CORRUPT,      // the input violates its format
  CIC_UNSUPPORTED,  // the input may be valid, but is of a kind that is not read here
  CIC_TOO_LARGE,    // exceeds cic_limits
  CIC_NO_MEMORY,
} cic_status;

typedef struct cic_input {
  const uint8_t *bytes;
  size_t count;
  bool is_beginning;  // more bytes will follow: see cic_jpeg_decode
} cic_input;

// The limits are checked against the file's declarations, before anything proportional to the image is allocated.
typedef struct cic_limits {
  uint64_t pixels;             // width x height of the stored image; for an animation, the sum of all frames
  uint32_t width;              // pixels
  uint32_t height;             // pixels
  uint32_t scans;              // in one JPEG
  uint64_t coefficient_bytes;  // bytes of coefficients that a JPEG of several scans has to hold in full
  uint64_t held_bytes;         // bytes that other kinds have to hold in full besides the pixels that they write
} cic_limits;

typedef struct cic_info {
  uint32_t width;              // pixels as stored, before orientation
  uint32_t height;             // pixels as stored, before orientation
  int orientation;             // 1 to 8 as in EXIF; 1 if absent or invalid
  bool progressive;            // progressive JPEG, interlaced PNG or GIF
  int components;              // color and alpha channels as stored
  int bits;                    // bits of one sample, or of one palette index
  uint32_t frames;             // 1 for a still image; at most CIC_MOST_FRAMES_TOLD for a GIF
  uint32_t plays;              // the number of times that an animation plays; 0 means forever
  uint64_t coefficient_bytes;  // the bytes that cic_limits counts by that name
} cic_info;

typedef struct cic_result {
  long warnings;   // faults in complete data that the format's library could repair
  double missing;  // the share of the rows that the damaged data of a GIF or a JPEG lacks
} cic_result;

// The destination of the pixels. The size is along the stored axes, at least 1 x 1 and at most the stored size. Orientations 5 to 8 swap
// its sides in `rgba`, which has room for width x height x 4 bytes.
typedef struct cic_target {
  uint8_t *rgba;
  uint32_t width;
  uint32_t height;
  int orientation;  // 2 to 8 as in EXIF: how to turn the rows; any other value leaves them as stored
} cic_target;

// The AVIF functions return CIC_UNSUPPORTED if libavif is not installed.
bool cic_has_libavif(void);

// Reads only the header. Does not check the limits, because the caller sees the size.
cic_status cic_jpeg_info(cic_input input, cic_info *info, char *message);
cic_status cic_png_info(cic_input input, cic_info *info, char *message);
cic_status cic_gif_info(cic_input input, cic_info *info, char *message);
cic_status cic_webp_info(cic_input input, cic_info *info, char *message);
cic_status cic_avif_info(cic_input input, cic_info *info, char *message);

// Writes the image, or the first frame of an animation. Makes a smaller size from the rows as they arrive: see reducer.h. After a failure,
// the contents of the target are undefined.
//
// Damaged data is a failure. But if at least a tenth of a GIF's rows can be read, these rows are shown and the rest is transparent; and if
// more than half of a JPEG's rows have data, the rest is what libjpeg makes up.
//
// From the beginning of a file, writes the part that can be seen so far: all scans and rows that have arrived, in their final form (for an
// animation, those of its first frame; an interlaced PNG or a progressive JPEG is coarser). The rest is transparent. The result is
// CIC_TRUNCATED if nothing can be seen yet, and for formats that cannot be read in parts: AVIF, arithmetic coding.
cic_status cic_jpeg_decode(cic_input input, const cic_limits *limits, const cic_target *target, cic_result *result, char *message);
cic_status cic_png_decode(cic_input input, const cic_limits *limits, const cic_target *target, cic_result *result, char *message);
cic_status cic_gif_decode(cic_input input, const cic_limits *limits, const cic_target *target, cic_result *result, char *message);
cic_status cic_webp_decode(cic_input input, const cic_limits *limits, const cic_target *target, cic_result *result, char *message);
cic_status cic_avif_decode(cic_input input, const cic_limits *limits, const cic_target *target, cic_result *result, char *message);

// The frames of an animation, in order, each complete: the image that is seen while it is shown. The input must stay in place until the
// end.
typedef struct cic_animation cic_animation;

// The animation ends before a frame that exceeds the limit on the pixels of all frames together. If the result is CIC_OK, call
// cic_animation_close at the end.
cic_status cic_gif_animation(cic_input input, const cic_limits *limits, cic_animation **animation, char *message);
cic_status cic_webp_animation(cic_input input, const cic_limits *limits, cic_animation **animation, char *message);

// Writes the next frame and its duration. After the last frame, and at a broken frame other than the first, sets `*ended` and writes
// nothing.
cic_status cic_animation_next(cic_animation *animation, const cic_target *target, uint32_t *milliseconds, bool *ended, char *message);

// The `missing` of cic_result: the largest value of all frames so far.
double cic_animation_missing(const cic_animation *animation);

void cic_animation_close(cic_animation *animation);

// An encoded file, owned by the caller until cic_output_free.
typedef struct cic_output {
  uint8_t *bytes;
  size_t count;
  size_t capacity;
} cic_output;

// Encodes with a quality of 1 to 100 on libjpeg's scale, chroma halved both ways (4:2:0), and alpha composed over white.
cic_status cic_jpeg_encode(const uint8_t *rgba, uint32_t width, uint32_t height, int quality, cic_output *output, char *message);

// Encodes RGBA, or RGB if every pixel is opaque.
cic_status cic_png_encode(const uint8_t *rgba, uint32_t width, uint32_t height, cic_output *output, char *message);

void cic_output_free(cic_output *output);

// Reduces pixels that are already decoded, and turns them upright. Returns false if memory runs out or the requested size exceeds the
// source's.
bool cic_reduce(const uint8_t *rgba, uint32_t source_width, uint32_t source_height, const cic_target *target);

// Turns a stored image of the target's size upright.
void cic_orient(const uint8_t *rgba, const cic_target *target);

// Returns freed memory to the system. glibc retains up to 60 MB for later once a block of half that size was freed.
void cic_return_memory(void);

// The orientation tag of a TIFF structure, as in EXIF; 1 if it is absent, out of range, or out of bounds.
int cic_exif_orientation(const uint8_t *tiff, size_t count);

#endif

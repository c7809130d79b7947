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

// A GIF's frames have to be counted; no more than this many are, for its header.
#define CIC_MOST_FRAMES_TOLD 10000

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
  bool is_beginning;  // more is still to come: see cic_jpeg_decode
} cic_input;

// Checked against what the file declares, before anything proportional to the picture is allocated.
typedef struct cic_limits {
  uint64_t pixels;             // width x height of the stored picture; of all frames together for an animation
  uint32_t width;              // pixels
  uint32_t height;             // pixels
  uint32_t frames;             // of one animation
  uint32_t scans;              // of one JPEG
  uint64_t coefficient_bytes;  // that a JPEG of several scans has to hold whole
  uint64_t held_bytes;         // that other kinds have to hold whole besides the pixels that they write
} cic_limits;

typedef struct cic_info {
  uint32_t width;              // pixels as stored, before orientation
  uint32_t height;             // pixels as stored, before orientation
  int orientation;             // 1 to 8 as in EXIF; 1 when absent or senseless
  bool progressive;            // progressive JPEG, interlaced PNG or GIF
  int components;              // colour and alpha channels as stored
  int bits;                    // of one sample, or of one palette index
  uint32_t frames;             // 1 for a still picture; of a GIF at most CIC_MOST_FRAMES_TOLD
  uint32_t plays;              // how often an animation is played; 0 for ever
  uint64_t coefficient_bytes;  // what cic_limits counts by that name
} cic_info;

typedef struct cic_result {
  long warnings;   // faults that the format's library could repair in complete data
  double missing;  // the share of a GIF's rows that its damaged data do not have
} cic_result;

// The place that pixels are written to. The size is along the stored axes, at least 1 x 1 and at most the stored size; orientations 5 to 8
// swap its sides in `rgba`, which has room for width x height x 4 bytes.
typedef struct cic_target {
  uint8_t *rgba;
  uint32_t width;
  uint32_t height;
  int orientation;  // 2 to 8 as in EXIF: how the rows are to be turned; any other leaves them as they are stored
} cic_target;

// AVIF is CIC_UNSUPPORTED where libavif is not installed.

// Header only. The limits are not checked: the caller sees the size.
cic_status cic_jpeg_info(cic_input input, cic_info *info, char *message);
cic_status cic_png_info(cic_input input, cic_info *info, char *message);
cic_status cic_gif_info(cic_input input, cic_info *info, char *message);
cic_status cic_webp_info(cic_input input, cic_info *info, char *message);
cic_status cic_avif_info(cic_input input, cic_info *info, char *message);

// Writes the picture, of an animation its first frame. A smaller size is made of the rows as they come in: see reducer.h.
// After a failure the contents of the target mean nothing.
//
// Damaged data are a failure; but of a GIF at least a tenth of whose rows can be read, those are shown and the rest is transparent.
//
// An input that is only the beginning of a file gives what can be seen so far: all scans and rows that are there, as they will be (of an
// animation, those of its first frame; an interlaced PNG or a progressive JPEG is coarser), and the rest transparent. The result is
// CIC_TRUNCATED where nothing can be seen yet, and for formats that cannot be read in parts: AVIF, arithmetic coding.
cic_status cic_jpeg_decode(cic_input input, const cic_limits *limits, const cic_target *target, cic_result *result, char *message);
cic_status cic_png_decode(cic_input input, const cic_limits *limits, const cic_target *target, cic_result *result, char *message);
cic_status cic_gif_decode(cic_input input, const cic_limits *limits, const cic_target *target, cic_result *result, char *message);
cic_status cic_webp_decode(cic_input input, const cic_limits *limits, const cic_target *target, cic_result *result, char *message);
cic_status cic_avif_decode(cic_input input, const cic_limits *limits, const cic_target *target, cic_result *result, char *message);

// The frames of an animation, in order, each whole: what is seen while it is shown. The input must stay where it is until the end.
typedef struct cic_animation cic_animation;

// CIC_TOO_LARGE when the frames together are beyond the limits. Ends with cic_animation_close if it is CIC_OK.
cic_status cic_gif_animation(cic_input input, const cic_limits *limits, cic_animation **animation, char *message);
cic_status cic_webp_animation(cic_input input, const cic_limits *limits, cic_animation **animation, char *message);

// Writes the next frame and how long it is shown. `*ended` after the last one, and where a frame is broken that is not the first: then
// nothing is written.
cic_status cic_animation_next(cic_animation *animation, const cic_target *target, uint32_t *milliseconds, bool *ended, char *message);

// As in cic_result: the largest of all frames so far.
double cic_animation_missing(const cic_animation *animation);

void cic_animation_close(cic_animation *animation);

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

// The same for pixels already decoded. False when memory runs out or the size asked for is not within the
// source's.
bool cic_reduce(const uint8_t *rgba, uint32_t source_width, uint32_t source_height, const cic_target *target);

// Turns a stored picture of the target's size upright.
void cic_orient(const uint8_t *rgba, const cic_target *target);

// Gives memory that was freed back to the system. glibc keeps up to 60 MB for later once a block of half that size was freed.
void cic_return_memory(void);

// The orientation tag of a TIFF structure, which is what EXIF is; 1 when absent, out of range or out of bounds.
int cic_exif_orientation(const uint8_t *tiff, size_t count);

#endif

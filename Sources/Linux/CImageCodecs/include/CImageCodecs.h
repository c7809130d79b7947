#ifndef CIMAGECODECS_H
#define CIMAGECODECS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Converts image files to and from RGBA8: red, green, blue, alpha, one byte each, in sRGB, not premultiplied, rows from the top without
// padding.
//
// Each format has two functions of the same form, cic_FORMAT_info and cic_FORMAT_decode. The functions may be called from any thread at the
// same time, because they retain nothing between calls. They print nothing. A function that fails writes a description of the error to
// `message`, a buffer of CIC_MESSAGE_SIZE bytes. If the status is CIC_OK, ignore the buffer.

#define CIC_MESSAGE_SIZE 200

// The largest width and height of an image. The row reducer's 32-bit sums may overflow for a longer side. A caller's limit cannot exceed
// this maximum.
#define CIC_MAX_SIDE 65535

// The largest number of frames of an animation. Later frames are ignored. A GIF does not declare their number, so they have to be counted.
#define CIC_MAX_COUNTED_FRAMES 10000

typedef enum __attribute__((enum_extensibility(closed))) cic_status {
  CIC_OK = 0,
  CIC_TRUNCATED,    // the input ends before the image does
  CIC_CORRUPT,      // the input violates its format
  CIC_UNSUPPORTED,  // the input may be valid, but these functions cannot read its kind
  CIC_TOO_LARGE,    // the image exceeds a limit in cic_limits
  CIC_NO_MEMORY,
} cic_status;

typedef struct cic_input {
  const uint8_t *bytes;
  size_t count;
  bool is_beginning;  // whether more bytes will follow: see cic_jpeg_decode
} cic_input;

// The functions check these limits against the sizes that the file declares, before they allocate any memory in proportion to the image.
typedef struct cic_limits {
  uint64_t pixels;             // width x height of the stored image; for an animation, of its canvas and of each frame
  uint32_t width;              // pixels
  uint32_t height;             // pixels
  uint32_t scans;              // the number of scans in one JPEG
  uint64_t coefficient_bytes;  // the memory for the coefficients of a JPEG with several scans, in bytes
  uint64_t held_bytes;         // the memory that other kinds of images need in addition to the target's pixels, in bytes
} cic_limits;

typedef struct cic_info {
  uint32_t width;              // pixels as stored, before orientation
  uint32_t height;             // pixels as stored, before orientation
  int orientation;             // 1 to 8 as in EXIF; 1 if absent or invalid
  bool progressive;            // whether the file is a progressive JPEG, or an interlaced PNG or GIF
  int components;              // the number of color and alpha channels as stored
  int bits;                    // bits in one sample, or in one palette index
  uint32_t frames;             // 1 for a still image; at most CIC_MAX_COUNTED_FRAMES for an animation
  uint32_t plays;              // the number of times that an animation plays; 0 means forever
  uint64_t coefficient_bytes;  // the memory to which `coefficient_bytes` of cic_limits applies, in bytes
} cic_info;

typedef struct cic_result {
  long warnings;   // the number of faults that the format's library repaired in complete data
  double missing;  // the share of the rows that are missing from a damaged GIF or JPEG
  const char *ignored_profile;  // says in a clause why the color profile was ignored; NULL if it was not ignored; never freed
} cic_result;

// The destination of the pixels. `width` and `height` are measured along the axes of the stored image. Both are at least 1 and at most the
// stored size. `rgba` has room for width x height x 4 bytes. For the orientations 5 to 8, `rgba` gets `width` rows of `height` pixels.
typedef struct cic_target {
  uint8_t *rgba;
  uint32_t width;
  uint32_t height;
  int orientation;  // 2 to 8 as in EXIF turn or mirror the image; any other value leaves it as stored
} cic_target;

// The AVIF functions return CIC_UNSUPPORTED if libavif is not installed.
bool cic_has_libavif(void);

// The HEIC functions return CIC_UNSUPPORTED if libheif with a decoder for HEVC is not installed.
bool cic_has_libheif(void);

// Reads the description of the image, without its pixels. Does not check the limits, because the caller can compare them with the size.
cic_status cic_jpeg_info(cic_input input, cic_info *info, char *message);
cic_status cic_png_info(cic_input input, cic_info *info, char *message);
cic_status cic_gif_info(cic_input input, cic_info *info, char *message);
cic_status cic_webp_info(cic_input input, cic_info *info, char *message);
cic_status cic_avif_info(cic_input input, cic_info *info, char *message);
cic_status cic_heic_info(cic_input input, cic_info *info, char *message);

// Writes the image, or the first frame of an animation. If the target is smaller than the image, reduces the rows as they arrive (see
// reducer.h). After a failure, the contents of the target are undefined.
//
// Damaged data is a failure, with two exceptions. If at least a tenth of a GIF's rows can be read, the result has these rows, and the other
// rows are transparent. If more than half of a JPEG's rows have data, libjpeg fills in the other rows.
//
// If the input is only the beginning of a file, writes all scans and rows that have arrived, and makes the other pixels transparent. The
// rows look as in the final image, except that an interlaced PNG or a progressive JPEG is coarser. For an animation, the rows are those of
// the first frame, or of the default image of a PNG. Returns CIC_TRUNCATED if no row has arrived yet, and for formats that cannot be read
// in parts: AVIF, HEIC, and JPEG with arithmetic coding.
cic_status cic_jpeg_decode(cic_input input, const cic_limits *limits, const cic_target *target, cic_result *result, char *message);
cic_status cic_png_decode(cic_input input, const cic_limits *limits, const cic_target *target, cic_result *result, char *message);
cic_status cic_gif_decode(cic_input input, const cic_limits *limits, const cic_target *target, cic_result *result, char *message);
cic_status cic_webp_decode(cic_input input, const cic_limits *limits, const cic_target *target, cic_result *result, char *message);
cic_status cic_avif_decode(cic_input input, const cic_limits *limits, const cic_target *target, cic_result *result, char *message);
cic_status cic_heic_decode(cic_input input, const cic_limits *limits, const cic_target *target, cic_result *result, char *message);

// A reader of the frames of an animation, in order. Each frame is complete: it is the image that a viewer sees while the frame is shown.
// The bytes of the input must stay in place until cic_animation_close.
typedef struct cic_animation cic_animation;

// Opens an animation, and finds its frames without decoding them. The animation ends before a frame that has more pixels than the limit. If
// the result is CIC_OK, the caller must call cic_animation_close at the end.
cic_status cic_png_animation(cic_input input, const cic_limits *limits, cic_animation **animation, char *message);
cic_status cic_gif_animation(cic_input input, const cic_limits *limits, cic_animation **animation, char *message);
cic_status cic_webp_animation(cic_input input, const cic_limits *limits, cic_animation **animation, char *message);
cic_status cic_avif_animation(cic_input input, const cic_limits *limits, cic_animation **animation, char *message);

// Returns the number of frames: at most CIC_MAX_COUNTED_FRAMES.
uint32_t cic_animation_frames(const cic_animation *animation);

// Returns the duration of a frame. The first frame has the number 0.
uint32_t cic_animation_milliseconds(const cic_animation *animation, uint32_t frame);

// Returns the memory that the reader needs between two frames, in bytes: the canvas, and what else the format needs.
size_t cic_animation_held_bytes(const cic_animation *animation);

// Writes the next frame; skips it if `target` is NULL. After the last frame, sets `*ended` and writes nothing. Treats a broken frame, other
// than the first frame, as the end of the animation.
cic_status cic_animation_next(cic_animation *animation, const cic_target *target, bool *ended, char *message);

// Returns the largest share of missing rows among all frames so far, as in `missing` of cic_result.
double cic_animation_missing(const cic_animation *animation);

// Returns the same as `ignored_profile` of cic_result.
const char *cic_animation_ignored_profile(const cic_animation *animation);

void cic_animation_close(cic_animation *animation);

// An encoded file. The caller owns it, and frees it with cic_output_free.
typedef struct cic_output {
  uint8_t *bytes;
  size_t count;
  size_t capacity;
} cic_output;

// The description of a file to write. Colors are sRGB. AVIF states that by numbers, and PNG by a chunk. No file gets a color profile.
typedef struct cic_writing {
  uint32_t width;       // pixels; all images of an animation have the same size
  uint32_t height;      // pixels
  int quality;          // 1 to 100; values outside of this range are clamped; PNG ignores it, because it is lossless
  bool is_animated;     // whether the file may have more than one image; JPEG refuses this
  uint32_t plays;       // the number of times that an animation plays; 0 means forever
  const uint8_t *exif;  // a TIFF structure to store, or NULL; left out if it exceeds CIC_MAX_EXIF, or 65,527 bytes in a JPEG
  size_t exif_count;    // bytes
} cic_writing;

// A writer of an encoded file: of one image, or of the images of an animation in order. It copies what it needs from `cic_writing`.
typedef struct cic_writer cic_writer;

// Opens a writer. If the result is CIC_OK, the caller must call cic_writer_close at the end. Otherwise, the writer is NULL. If a side is
// too long for the format, the result is CIC_TOO_LARGE, and the message has the format's limit.
//
// JPEG: chroma has half the width and half the height (4:2:0). Pixels with alpha are composed over white. A side has at most 65,500 pixels.
//
// PNG: RGBA, or RGB if the image is not animated and every pixel is opaque. An animation is an APNG (PNG, third edition), in which each
// image after the first has the smallest rectangle that differs from the image before. A side has at most 1,000,000 pixels.
//
// WebP: lossy, with lossless alpha. In an animation, libwebp replaces equal consecutive images by one image with the sum of their
// durations, and an animation of one image becomes a still image. A side has at most 16,383 pixels.
//
// AVIF: lossy, 4:2:0. Alpha has a higher quality than the colors. An animation always has alpha, because the first image determines
// whether later images may have it. libavif 0.11 cannot store the number of plays. A side has at most 32,768 pixels, which is also the
// limit of libavif's decoder. Returns CIC_UNSUPPORTED if libavif with libaom's encoder is not installed.
cic_status cic_jpeg_writer(const cic_writing *writing, cic_writer **writer, char *message);
cic_status cic_png_writer(const cic_writing *writing, cic_writer **writer, char *message);
cic_status cic_webp_writer(const cic_writing *writing, cic_writer **writer, char *message);
cic_status cic_avif_writer(const cic_writing *writing, cic_writer **writer, char *message);

// Whether cic_avif_writer can write an AVIF.
bool cic_has_avif_encoder(void);

// Encodes an image, which has width x height x 4 bytes. `milliseconds` is its duration in an animation. Each format stores the nearest
// duration that it can represent. After a failure, the writer can only be closed.
cic_status cic_writer_add(cic_writer *writer, const uint8_t *rgba, uint32_t milliseconds, char *message);

// Completes the file. At least one image must have been added. The caller frees the output, also after cic_writer_close.
cic_status cic_writer_finish(cic_writer *writer, cic_output *output, char *message);

void cic_writer_close(cic_writer *writer);

void cic_output_free(cic_output *output);

// Reduces an image that is already decoded, and turns it upright. Returns false if memory runs out, or if the target is larger than the
// source.
bool cic_reduce(const uint8_t *rgba, uint32_t source_width, uint32_t source_height, const cic_target *target);

// Turns an image of the target's size upright. `rgba` has the rows of the image in stored order.
void cic_orient(const uint8_t *rgba, const cic_target *target);

// Returns freed memory to the system. Without this call, glibc retains up to 60 MB of freed memory once a block of half that size has been
// freed. Does nothing with another C library.
void cic_return_memory(void);

// The largest TIFF structure that is read from a file or stored in a file, in bytes.
#define CIC_MAX_EXIF (1 << 20)

// Copies the TIFF structure with a file's EXIF, without decoding the image. The output is empty if the file has no EXIF, if the EXIF does
// not begin as a TIFF structure, or if it exceeds CIC_MAX_EXIF. The only failure is CIC_NO_MEMORY. HEIC and AVIF store EXIF in the same
// way. The caller frees the output.
cic_status cic_jpeg_exif(cic_input input, cic_output *exif);
cic_status cic_png_exif(cic_input input, cic_output *exif);
cic_status cic_webp_exif(cic_input input, cic_output *exif);
cic_status cic_heif_exif(cic_input input, cic_output *exif);

// Changes a TIFF structure so that it describes an upright image without a thumbnail. Sets the orientation to 1, removes the reference to
// the second directory, and overwrites the thumbnail with zeros, because it shows the image before the image was turned or resized. Returns
// false if the structure is so broken that these changes may be incomplete. Do not store such a structure.
bool cic_exif_make_upright(uint8_t *tiff, size_t count);

// Returns the orientation tag of a TIFF structure, such as EXIF. Returns 1 if the tag is absent, is out of range, or lies outside of the
// data.
int cic_exif_orientation(const uint8_t *tiff, size_t count);

#endif

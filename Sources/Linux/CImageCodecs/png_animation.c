#include "png_animation.h"

#include <stdlib.h>
#include <string.h>

#include "animation.h"
#include "blend.h"
#include "pages.h"
#include "png_colors.h"
#include "png_frame.h"
#include "rows.h"

struct png_animation {
  struct cic_animation base;
  struct apng reader;
  cic_limits limits;
  struct color color;
  uint8_t *canvas;  // RGBA, with the colors as stored
  uint8_t *before;  // the part of the canvas below a frame whose disposal restores it; NULL if there is no such frame
  struct apng_frame shown;  // the frame that is shown, and that has to be disposed of before the next frame
  bool has_shown;
  bool ended;
};

static size_t frame_bytes(const struct apng_frame *frame) { return (size_t)frame->width * frame->height * 4; }

static uint8_t *canvas_row(const struct png_animation *png, const struct apng_frame *frame, uint32_t y) {
  return png->canvas + ((size_t)(frame->top + y) * png->reader.width + frame->left) * 4;
}

static void dispose(struct png_animation *png) {
  const struct apng_frame *frame = &png->shown;
  if (!png->has_shown || frame->disposal == apng_keep) return;
  const size_t stride = (size_t)frame->width * 4;
  for (uint32_t y = 0; y < frame->height; y++) {
    uint8_t *row = canvas_row(png, frame, y);
    if (frame->disposal == apng_clear) memset(row, 0, stride); else memcpy(row, png->before + y * stride, stride);
  }
}

static void store_before(struct png_animation *png, const struct apng_frame *frame) {
  const size_t stride = (size_t)frame->width * 4;
  for (uint32_t y = 0; y < frame->height; y++) memcpy(png->before + y * stride, canvas_row(png, frame, y), stride);
}

static void draw(struct png_animation *png, const struct apng_frame *frame, const uint8_t *pixels) {
  const size_t stride = (size_t)frame->width * 4;
  for (uint32_t y = 0; y < frame->height; y++, pixels += stride) {
    uint8_t *row = canvas_row(png, frame, y);
    if (frame->is_blended) cic_blend_row(row, pixels, frame->width); else memcpy(row, pixels, stride);
  }
}

// Disposes of the frame that is shown, and draws another.
static cic_status show(struct png_animation *png, const struct apng_frame *frame, char *message) {
  uint8_t *pixels = cic_canvas_new(frame_bytes(frame));
  if (pixels == NULL) {
    cic_write_message(message, "out of memory");
    return CIC_NO_MEMORY;
  }
  const cic_status status = cic_png_decode_frame(&png->reader, frame, &png->limits, pixels, message);
  if (status == CIC_OK) {
    dispose(png);
    if (frame->disposal == apng_restore) store_before(png, frame);
    draw(png, frame, pixels);
    png->shown = *frame;
    png->has_shown = true;
  }
  cic_canvas_free(pixels, frame_bytes(frame));
  return status;
}

static cic_status next(cic_animation *animation, const cic_target *target, bool *ended, char *message) {
  struct png_animation *png = (struct png_animation *)animation;
  struct apng_frame frame;
  if (png->ended || !cic_apng_next_frame(&png->reader, &frame)) {
    *ended = true;
    return CIC_OK;
  }
  const cic_status status = show(png, &frame, message);
  if (status != CIC_OK) {
    // A broken frame ends the animation. But a broken first frame is a failure.
    png->ended = *ended = png->has_shown && status == CIC_CORRUPT;
    return *ended ? CIC_OK : status;
  }
  if (target == NULL || cic_reduce_colors(png->canvas, png->reader.width, png->reader.height, &png->color, target)) return CIC_OK;
  cic_write_message(message, "out of memory");
  return CIC_NO_MEMORY;
}

static void close(cic_animation *animation) {
  struct png_animation *png = (struct png_animation *)animation;
  cic_color_end(&png->color);
  cic_canvas_free(png->canvas, (size_t)png->reader.width * png->reader.height * 4);
  free(png->before);
  free(png);
}

// Finds the durations of the frames. Allocates the canvas, and memory for the part of it that is below a frame whose disposal restores
// this part. Returns false if memory runs out.
static bool prepare(struct png_animation *png) {
  struct apng reader = png->reader;
  struct apng_frame frame;
  size_t restored = 0;
  png->base.milliseconds = malloc(reader.declared * sizeof *png->base.milliseconds);
  if (png->base.milliseconds == NULL) return false;
  while (cic_apng_next_frame(&reader, &frame)) {
    png->base.milliseconds[png->base.frames++] = frame.milliseconds;
    if (frame.disposal == apng_restore && frame_bytes(&frame) > restored) restored = frame_bytes(&frame);
  }
  const size_t pixels = (size_t)png->reader.width * png->reader.height;
  png->canvas = cic_canvas_new(pixels * 4);
  if (restored > 0) png->before = malloc(restored);
  png->base.held_bytes = pixels * 4 + restored;
  return png->canvas != NULL && (restored == 0 || png->before != NULL);
}

static cic_status start(struct png_animation *png, cic_input input, const cic_limits *limits, char *message) {
  enum { color_type_at = 9, color = 2 };
  const struct apng *reader = &png->reader;
  if (!cic_apng_open(&png->reader, input)) {
    cic_write_message(message, "a PNG that is not an animation");
    return CIC_UNSUPPORTED;
  }
  if (!cic_within_limits(limits, reader->width, reader->height, message)) return CIC_TOO_LARGE;
  // The canvas, the part of it below a frame, and the frame take four bytes per pixel each.
  if (!cic_may_hold(limits, reader->width, reader->height, 12, message)) return CIC_TOO_LARGE;
  if (!cic_apng_is_complete(reader)) {
    cic_write_message(message, "the PNG data ends before the image does");
    return CIC_TRUNCATED;
  }
  png->limits = *limits;
  const bool is_gray = (reader->header[color_type_at] & color) == 0;
  png->base.ignored_profile =
      cic_png_read_colors(input, is_gray ? colors_gray : colors_rgb, &png->color, limits->pixels, limits);
  if (!prepare(png)) {
    cic_write_message(message, "out of memory");
    return CIC_NO_MEMORY;
  }
  if (png->base.frames > 0) return CIC_OK;
  cic_write_message(message, "the PNG's first frame is broken");
  return CIC_CORRUPT;
}

cic_status cic_png_animation(cic_input input, const cic_limits *limits, cic_animation **animation, char *message) {
  struct png_animation *png = calloc(1, sizeof *png);
  if (png == NULL) {
    cic_write_message(message, "out of memory");
    return CIC_NO_MEMORY;
  }
  png->base = (struct cic_animation){.next = next, .close = close};
  const cic_status status = start(png, input, limits, message);
  if (status != CIC_OK) {
    cic_animation_close(&png->base);
    return status;
  }
  *animation = &png->base;
  return CIC_OK;
}

void cic_apng_info(cic_input input, cic_info *info) {
  struct apng reader;
  struct apng_frame frame;
  if (!cic_apng_open(&reader, input)) return;
  info->plays = reader.plays;
  info->frames = reader.declared;
  if (!cic_apng_is_complete(&reader)) return;
  while (cic_apng_next_frame(&reader, &frame)) {}
  info->frames = reader.frames > 0 ? reader.frames : 1;
}

bool cic_apng_decode_first(cic_input input, const cic_limits *limits, const cic_target *target, cic_result *result) {
  struct apng reader;
  cic_animation *animation = NULL;
  char message[CIC_MESSAGE_SIZE];
  if (!cic_apng_open(&reader, input) || !reader.hides_default) return false;
  if (target->width < 1 || target->height < 1 || target->width > reader.width || target->height > reader.height) return false;
  if (cic_png_animation(input, limits, &animation, message) != CIC_OK) return false;
  bool ended = false;
  const bool is_shown = cic_animation_next(animation, target, &ended, message) == CIC_OK && !ended;
  if (is_shown) result->ignored_profile = cic_animation_ignored_profile(animation);
  cic_animation_close(animation);
  return is_shown;
}

#include <stdlib.h>
#include <string.h>

#include "animation.h"
#include "gif_reader.h"
#include "pages.h"

struct gif_animation {
  struct cic_animation base;
  struct gif_reader reader;  // reader.frame is the next frame to show
  bool ended;
  uint8_t *canvas;  // RGBA
  uint8_t *before;  // the canvas as it was before a frame, if the frame's disposal restores it; NULL until the first such frame
  uint8_t *line;    // one row of indices, as wide as the widest frame
  uint64_t most_pixels;    // the limit on the pixels of one frame
  struct gif_frame shown;  // the frame that is shown, and that has to be disposed of before the next frame
  bool has_shown;
};

static size_t canvas_bytes(const struct gif_animation *gif) { return (size_t)gif->reader.width * gif->reader.height * 4; }

static void dispose(struct gif_animation *gif) {
  if (!gif->has_shown) return;
  const struct gif_frame *frame = &gif->shown;
  if (frame->disposal == gif_restore && gif->before != NULL) memcpy(gif->canvas, gif->before, canvas_bytes(gif));
  if (frame->disposal != gif_clear) return;
  for (uint32_t y = 0; y < frame->visible_height; y++) {
    memset(gif->canvas + ((size_t)(frame->top + y) * gif->reader.width + frame->left) * 4, 0, (size_t)frame->visible_width * 4);
  }
}

static cic_status draw_rows(struct gif_animation *gif) {
  struct gif_reader *reader = &gif->reader;
  const struct gif_frame *frame = &reader->frame;
  for (uint32_t i = 0; i < cic_gif_needed_rows(frame); i++) {
    bool ended = false;
    const cic_status status = cic_gif_read_row(reader, gif->line, &ended);
    if (status != CIC_OK || ended) return status;
    const uint32_t y = cic_gif_row(frame, i);
    if (y >= frame->visible_height) continue;
    uint8_t *pixel = gif->canvas + ((size_t)(frame->top + y) * reader->width + frame->left) * 4;
    for (uint32_t x = 0; x < frame->visible_width; x++, pixel += 4) {
      const uint8_t *color = frame->palette[gif->line[x]];
      if (color[3] != 0) memcpy(pixel, color, 4);
    }
  }
  return CIC_OK;
}

// Whether the limit allows the pixels of the next frame, which may be larger than the canvas.
static bool is_allowed(const struct gif_animation *gif) {
  return (uint64_t)gif->reader.frame.width * gif->reader.frame.height <= gif->most_pixels;
}

static cic_status draw(struct gif_animation *gif) {
  if (gif->reader.frame.disposal == gif_restore) {
    if (gif->before == NULL) gif->before = cic_canvas_new(canvas_bytes(gif));
    if (gif->before == NULL) return CIC_NO_MEMORY;
    memcpy(gif->before, gif->canvas, canvas_bytes(gif));
  }
  // As in Firefox (nsGIFDecoder2::EndImageFrame), a frame without data counts as a frame without pixels, and the animation continues.
  if (gif->has_shown && cic_gif_lacks_data(&gif->reader)) return CIC_OK;
  const cic_status status = draw_rows(gif);
  if (status != CIC_OK) return status;
  double missing = 0;
  const cic_status enough = cic_gif_check_rows(&gif->reader, &missing);
  if (enough == CIC_OK && missing > gif->base.missing) gif->base.missing = missing;
  return enough;
}

static cic_status next(cic_animation *animation, const cic_target *target, bool *ended, char *message) {
  struct gif_animation *gif = (struct gif_animation *)animation;
  gif->reader.message = message;
  *ended = gif->ended;
  if (!gif->ended && !is_allowed(gif)) gif->ended = *ended = true;
  if (gif->ended) return CIC_OK;
  dispose(gif);
  const cic_status status = draw(gif);
  if (status != CIC_OK) {
    gif->ended = *ended = gif->has_shown && status == CIC_CORRUPT;
    return *ended ? CIC_OK : status;
  }
  gif->shown = gif->reader.frame;
  gif->has_shown = true;
  if (target != NULL && !cic_reduce(gif->canvas, gif->reader.width, gif->reader.height, target)) {
    cic_write_message(message, "out of memory");
    return CIC_NO_MEMORY;
  }
  cic_gif_skip_pixels(&gif->reader);
  // An error after this frame ends the animation.
  if (cic_gif_next_frame(&gif->reader, &gif->ended) != CIC_OK) gif->ended = true;
  return CIC_OK;
}

static void close(cic_animation *animation) {
  struct gif_animation *gif = (struct gif_animation *)animation;
  cic_canvas_free(gif->canvas, canvas_bytes(gif));
  cic_canvas_free(gif->before, canvas_bytes(gif));
  cic_gif_close(&gif->reader);
  free(gif->line);
  free(gif);
}

// Finds the durations of the frames. Returns false if memory runs out. An error after a frame ends the animation.
// `*restores` becomes whether the disposal of a frame restores the canvas.
static bool find_frames(struct gif_animation *gif, cic_input input, uint32_t most, bool *restores) {
  struct gif_reader reader;
  char message[CIC_MESSAGE_SIZE];
  gif->base.milliseconds = malloc(most * sizeof *gif->base.milliseconds);
  if (gif->base.milliseconds == NULL) return false;
  bool ended = cic_gif_open(&reader, input, message) != CIC_OK;
  while (!ended && gif->base.frames < most) {
    gif->base.milliseconds[gif->base.frames++] = reader.frame.milliseconds;
    if (reader.frame.disposal == gif_restore) *restores = true;
    cic_gif_skip_pixels(&reader);
    ended = cic_gif_next_frame(&reader, &ended) != CIC_OK || ended;
  }
  cic_gif_close(&reader);
  return gif->base.frames > 0;
}

static cic_status start(struct gif_animation *gif, cic_input input, const cic_limits *limits, char *message) {
  struct gif_reader *reader = &gif->reader;
  cic_status status = cic_gif_open(reader, input, message);
  if (status != CIC_OK) return status;
  if (!cic_within_limits(limits, reader->width, reader->height, message)) return CIC_TOO_LARGE;
  // `canvas` and `before` take four bytes per pixel each.
  if (!cic_may_hold(limits, reader->width, reader->height, 8, message)) return CIC_TOO_LARGE;
  struct gif_survey survey = cic_gif_survey(reader, UINT32_MAX);
  if (survey.frames > CIC_MAX_COUNTED_FRAMES) survey.frames = CIC_MAX_COUNTED_FRAMES;
  if (!survey.complete) {
    cic_write_message(message, "the GIF data ends before the image does");
    return CIC_TRUNCATED;
  }
  gif->most_pixels = limits->pixels;
  if (!is_allowed(gif)) {
    cic_write_message(message, "its first frame has more pixels than allowed; raise DecodingLimits.maxPixels");
    return CIC_TOO_LARGE;
  }
  gif->canvas = cic_canvas_new(canvas_bytes(gif));
  gif->line = malloc(UINT16_MAX);
  bool restores = false;
  const bool found = gif->canvas != NULL && gif->line != NULL && find_frames(gif, input, survey.frames, &restores);
  gif->base.held_bytes = canvas_bytes(gif) * (restores ? 2 : 1);
  if (found) return CIC_OK;
  cic_write_message(message, "out of memory");
  return CIC_NO_MEMORY;
}

cic_status cic_gif_animation(cic_input input, const cic_limits *limits, cic_animation **animation, char *message) {
  struct gif_animation *gif = calloc(1, sizeof *gif);
  if (gif == NULL) {
    cic_write_message(message, "out of memory");
    return CIC_NO_MEMORY;
  }
  gif->base = (struct cic_animation){.next = next, .close = close};
  const cic_status status = start(gif, input, limits, message);
  if (status != CIC_OK) {
    cic_animation_close(&gif->base);
    return status;
  }
  *animation = &gif->base;
  return CIC_OK;
}

#include <stdlib.h>
#include <string.h>

#include "libraries.h"

#include <webp/demux.h>

#include "animation.h"
#include "blend.h"
#include "pages.h"
#include "rows.h"
#include "webp_file.h"

struct webp_animation {
  struct cic_animation base;
  WebPDemuxer *demuxer;
  struct color color;
  uint8_t *canvas;         // RGBA, with the colors as stored
  uint32_t width, height;  // the size of the canvas
  WebPIterator shown;      // the frame that is shown, and that has to be disposed of before the next frame
  bool is_clear;           // all pixels of the canvas are transparent
  bool ended;
};

static size_t canvas_bytes(const struct webp_animation *webp) { return (size_t)webp->width * webp->height * 4; }

// Returns the first pixel of a row of a frame. libwebp refuses a file with a frame that exceeds the canvas.
static uint8_t *canvas_row(const struct webp_animation *webp, const WebPIterator *frame, int y) {
  return webp->canvas + ((size_t)(frame->y_offset + y) * webp->width + (size_t)frame->x_offset) * 4;
}

// As in browsers, a cleared area is transparent, and does not have the background color of the file.
static void dispose(struct webp_animation *webp) {
  const WebPIterator *frame = &webp->shown;
  if (frame->dispose_method != WEBP_MUX_DISPOSE_BACKGROUND) return;
  for (int y = 0; y < frame->height; y++) memset(canvas_row(webp, frame, y), 0, (size_t)frame->width * 4);
  webp->is_clear = (uint32_t)frame->width == webp->width && (uint32_t)frame->height == webp->height;
}

// Decodes a frame into rows that begin `stride` bytes apart.
static VP8StatusCode decode(const WebPIterator *frame, uint8_t *pixels, size_t stride) {
  WebPDecoderConfig config;
  if (!WebPInitDecoderConfig(&config)) return VP8_STATUS_UNSUPPORTED_FEATURE;
  config.output.colorspace = MODE_RGBA;
  config.output.is_external_memory = 1;
  config.output.u.RGBA = (WebPRGBABuffer){pixels, (int)stride, stride * (size_t)(frame->height - 1) + (size_t)frame->width * 4};
  return WebPDecode(frame->fragment.bytes, frame->fragment.size, &config);
}

// Decodes a frame into memory of its own, and composes it over the canvas.
static VP8StatusCode blend(struct webp_animation *webp, const WebPIterator *frame) {
  const size_t width = (size_t)frame->width, stride = width * 4, bytes = stride * (size_t)frame->height;
  uint8_t *pixels = cic_canvas_new(bytes);
  if (pixels == NULL) return VP8_STATUS_OUT_OF_MEMORY;
  const VP8StatusCode status = decode(frame, pixels, stride);
  for (int y = 0; status == VP8_STATUS_OK && y < frame->height; y++) {
    cic_blend_row(canvas_row(webp, frame, y), pixels + (size_t)y * stride, width);
  }
  cic_canvas_free(pixels, bytes);
  return status;
}

// Draws a frame on the canvas, whose pixels are undefined after a failure.
static VP8StatusCode draw(struct webp_animation *webp, const WebPIterator *frame) {
  const bool is_blended = frame->blend_method == WEBP_MUX_BLEND && frame->has_alpha && !webp->is_clear;
  webp->is_clear = false;
  return is_blended ? blend(webp, frame) : decode(frame, canvas_row(webp, frame, 0), (size_t)webp->width * 4);
}

// Disposes of the frame that is shown, and shows another.
static VP8StatusCode show(struct webp_animation *webp, uint32_t number) {
  WebPIterator frame;
  if (!WebPDemuxGetFrame(webp->demuxer, (int)number, &frame)) return VP8_STATUS_BITSTREAM_ERROR;
  dispose(webp);
  WebPDemuxReleaseIterator(&webp->shown);
  webp->shown = frame;
  return draw(webp, &frame);
}

static cic_status next(cic_animation *animation, const cic_target *target, bool *ended, char *message) {
  struct webp_animation *webp = (struct webp_animation *)animation;
  *ended = webp->ended;
  if (webp->ended) return CIC_OK;
  const VP8StatusCode shown = show(webp, animation->position);
  if (shown == VP8_STATUS_OK && target == NULL) return CIC_OK;
  if (shown == VP8_STATUS_OK && cic_reduce_colors(webp->canvas, webp->width, webp->height, &webp->color, target)) return CIC_OK;
  webp->ended = true;
  if (shown == VP8_STATUS_OK || shown == VP8_STATUS_OUT_OF_MEMORY) {
    cic_write_message(message, "out of memory");
    return CIC_NO_MEMORY;
  }
  *ended = animation->position > 1;
  if (!*ended) cic_write_message(message, "the WebP's first frame is broken");
  return *ended ? CIC_OK : CIC_CORRUPT;
}

// Finds the durations of the frames. Returns false if memory runs out.
static bool find_frames(struct webp_animation *webp) {
  const uint32_t declared = WebPDemuxGetI(webp->demuxer, WEBP_FF_FRAME_COUNT);
  const uint32_t frames = declared < CIC_MAX_COUNTED_FRAMES ? declared : CIC_MAX_COUNTED_FRAMES;
  webp->base.milliseconds = malloc((frames + 1) * sizeof *webp->base.milliseconds);
  if (webp->base.milliseconds == NULL) return false;
  WebPIterator frame;
  if (!WebPDemuxGetFrame(webp->demuxer, 1, &frame)) return true;
  do {
    webp->base.milliseconds[webp->base.frames++] = cic_shown_for(frame.duration > 0 ? (uint32_t)frame.duration : 0);
  } while (webp->base.frames < frames && WebPDemuxNextFrame(&frame));
  WebPDemuxReleaseIterator(&frame);
  return true;
}

static void close(cic_animation *animation) {
  struct webp_animation *webp = (struct webp_animation *)animation;
  WebPDemuxReleaseIterator(&webp->shown);
  WebPDemuxDelete(webp->demuxer);
  cic_color_end(&webp->color);
  cic_canvas_free(webp->canvas, canvas_bytes(webp));
  free(webp);
}

static cic_status check(const struct webp_file *file, const cic_limits *limits, char *message) {
  const uint64_t width = (uint64_t)file->features.width, height = (uint64_t)file->features.height;
  if (!cic_within_limits(limits, width, height, message)) return CIC_TOO_LARGE;
  // The canvas, the pixels of a blended frame, and the pixels that libwebp allocates for a lossless frame take four bytes per pixel each.
  if (!cic_may_hold(limits, width, height, 12, message)) return CIC_TOO_LARGE;
  if (!file->complete) {
    cic_write_message(message, "the WebP data ends before the image does");
    return CIC_TRUNCATED;
  }
  return CIC_OK;
}

static cic_status start(struct webp_animation *webp, const struct webp_file *file, const cic_limits *limits, char *message) {
  webp->demuxer = WebPDemux(&(WebPData){file->input.bytes, file->input.count});
  if (webp->demuxer == NULL) {
    cic_write_message(message, "the WebP's frames are broken");
    return CIC_CORRUPT;
  }
  webp->base.ignored_profile = cic_webp_read_profile(file, &webp->color, limits->pixels, limits);
  webp->base.held_bytes = canvas_bytes(webp);
  webp->canvas = cic_canvas_new(canvas_bytes(webp));
  if (webp->canvas != NULL && find_frames(webp)) return CIC_OK;
  cic_write_message(message, "out of memory");
  return CIC_NO_MEMORY;
}

cic_status cic_webp_animation(cic_input input, const cic_limits *limits, cic_animation **animation, char *message) {
  struct webp_file file;
  cic_status status = cic_webp_read(&file, input, message);
  if (status == CIC_OK) status = check(&file, limits, message);
  if (status != CIC_OK) return status;
  struct webp_animation *webp = calloc(1, sizeof *webp);
  if (webp == NULL) {
    cic_write_message(message, "out of memory");
    return CIC_NO_MEMORY;
  }
  webp->base = (struct cic_animation){.next = next, .close = close};
  webp->width = (uint32_t)file.features.width;
  webp->height = (uint32_t)file.features.height;
  webp->is_clear = true;
  status = start(webp, &file, limits, message);
  if (status != CIC_OK) {
    cic_animation_close(&webp->base);
    return status;
  }
  *animation = &webp->base;
  return CIC_OK;
}

#include <stdlib.h>

#include "libraries.h"

#include <webp/demux.h>

#include "animation.h"
#include "rows.h"
#include "webp_file.h"

struct webp_animation {
  struct cic_animation base;
  WebPAnimDecoder *decoder;
  struct color color;
  uint32_t width, height;  // the size of the canvas
  bool has_begun;          // the first frame was decoded
};

static cic_status next(cic_animation *animation, const cic_target *target, bool *ended, char *message) {
  struct webp_animation *webp = (struct webp_animation *)animation;
  *ended = !WebPAnimDecoderHasMoreFrames(webp->decoder);
  if (*ended) return CIC_OK;
  uint8_t *canvas = NULL;
  int time = 0;
  const bool is_first = !webp->has_begun;
  if (!WebPAnimDecoderGetNext(webp->decoder, &canvas, &time)) {
    *ended = !is_first;
    if (is_first) cic_write_message(message, "the WebP's first frame is broken");
    return is_first ? CIC_CORRUPT : CIC_OK;
  }
  webp->has_begun = true;
  if (target == NULL || cic_reduce_colors(canvas, webp->width, webp->height, &webp->color, target)) return CIC_OK;
  cic_write_message(message, "out of memory");
  return CIC_NO_MEMORY;
}

// Finds the durations of the frames. Returns false if memory runs out.
static bool find_frames(struct webp_animation *webp) {
  const WebPDemuxer *demuxer = WebPAnimDecoderGetDemuxer(webp->decoder);
  const uint32_t declared = WebPDemuxGetI(demuxer, WEBP_FF_FRAME_COUNT);
  const uint32_t frames = declared < CIC_MAX_COUNTED_FRAMES ? declared : CIC_MAX_COUNTED_FRAMES;
  webp->base.milliseconds = malloc((frames + 1) * sizeof *webp->base.milliseconds);
  if (webp->base.milliseconds == NULL) return false;
  WebPIterator frame;
  if (!WebPDemuxGetFrame(demuxer, 1, &frame)) return true;
  do {
    webp->base.milliseconds[webp->base.frames++] = cic_shown_for(frame.duration > 0 ? (uint32_t)frame.duration : 0);
  } while (webp->base.frames < frames && WebPDemuxNextFrame(&frame));
  WebPDemuxReleaseIterator(&frame);
  return true;
}

static void close(cic_animation *animation) {
  struct webp_animation *webp = (struct webp_animation *)animation;
  WebPAnimDecoderDelete(webp->decoder);
  cic_color_end(&webp->color);
  free(webp);
}

static cic_status check(const struct webp_file *file, const cic_limits *limits, char *message) {
  const uint64_t width = (uint64_t)file->features.width, height = (uint64_t)file->features.height;
  if (!cic_within_limits(limits, width, height, message)) return CIC_TOO_LARGE;
  // libwebp allocates two canvases, and the pixels of a lossless frame.
  if (!cic_may_hold(limits, width, height, 12, message)) return CIC_TOO_LARGE;
  if (!file->complete) {
    cic_write_message(message, "the WebP data ends before the image does");
    return CIC_TRUNCATED;
  }
  return CIC_OK;
}

cic_status cic_webp_animation(cic_input input, const cic_limits *limits, cic_animation **animation, char *message) {
  struct webp_file file;
  cic_status status = cic_webp_read(&file, input, message);
  if (status == CIC_OK) status = check(&file, limits, message);
  if (status != CIC_OK) return status;
  struct webp_animation *webp = calloc(1, sizeof *webp);
  WebPAnimDecoderOptions options;
  if (webp == NULL || !WebPAnimDecoderOptionsInit(&options)) {
    free(webp);
    cic_write_message(message, "out of memory");
    return CIC_NO_MEMORY;
  }
  options.color_mode = MODE_RGBA;
  const WebPData data = {file.input.bytes, file.input.count};
  *webp = (struct webp_animation){
      .base = {.next = next, .close = close},
      .decoder = WebPAnimDecoderNew(&data, &options),
      .width = (uint32_t)file.features.width,
      .height = (uint32_t)file.features.height,
  };
  if (webp->decoder == NULL) {
    free(webp);
    cic_write_message(message, "the WebP's frames are broken");
    return CIC_CORRUPT;
  }
  webp->base.ignored_profile = cic_webp_read_profile(&file, &webp->color, limits->pixels, limits);
  // The canvas, and the canvas before the latest frame.
  webp->base.held_bytes = (size_t)webp->width * webp->height * 8;
  if (!find_frames(webp)) {
    cic_animation_close(&webp->base);
    cic_write_message(message, "out of memory");
    return CIC_NO_MEMORY;
  }
  *animation = &webp->base;
  return CIC_OK;
}

#include <stdlib.h>
#include <string.h>

#include "rows.h"
#include "webp_file.h"

cic_status cic_webp_info(cic_input input, cic_info *info, char *message) {
  struct webp_file file;
  const cic_status status = cic_webp_read(&file, input, message);
  if (status != CIC_OK) return status;
  *info = (cic_info){
      .width = (uint32_t)file.features.width,
      .height = (uint32_t)file.features.height,
      .orientation = file.features.has_animation ? 1 : file.orientation,
      .components = file.features.has_alpha ? 4 : 3,
      .bits = 8,
      .frames = file.frames < CIC_MAX_COUNTED_FRAMES ? file.frames : CIC_MAX_COUNTED_FRAMES,
      .plays = file.plays,
  };
  return CIC_OK;
}

static cic_status truncated(char *message) {
  cic_write_message(message, "the WebP data ends before the image does");
  return CIC_TRUNCATED;
}

static cic_status status_of(VP8StatusCode status, char *message) {
  switch (status) {
    case VP8_STATUS_OK: return CIC_OK;
    case VP8_STATUS_OUT_OF_MEMORY: cic_write_message(message, "out of memory"); return CIC_NO_MEMORY;
    case VP8_STATUS_UNSUPPORTED_FEATURE: cic_write_message(message, "a WebP that libwebp does not know"); return CIC_UNSUPPORTED;
    case VP8_STATUS_SUSPENDED: return truncated(message);
    default: cic_write_message(message, "the WebP's pixels are broken"); return CIC_CORRUPT;
  }
}

// Decodes the rows that have arrived. The other rows are transparent.
static VP8StatusCode decode_beginning(cic_input picture, WebPDecoderConfig *config) {
  memset(config->output.u.RGBA.rgba, 0, config->output.u.RGBA.size);
  WebPIDecoder *decoder = WebPIDecode(NULL, 0, config);
  if (decoder == NULL) return VP8_STATUS_OUT_OF_MEMORY;
  VP8StatusCode status = WebPIUpdate(decoder, picture.bytes, picture.count);
  int rows = 0;
  if (status == VP8_STATUS_SUSPENDED && WebPIDecGetRGB(decoder, &rows, NULL, NULL, NULL) != NULL && rows > 0) status = VP8_STATUS_OK;
  WebPIDelete(decoder);
  return status;
}

static cic_status decode_picture(cic_input picture, uint32_t width, uint32_t height, bool reduces, uint8_t *rgba, char *message) {
  WebPDecoderConfig config;
  if (!WebPInitDecoderConfig(&config)) return status_of(VP8_STATUS_UNSUPPORTED_FEATURE, message);
  config.options.use_scaling = reduces;
  config.options.scaled_width = (int)width;
  config.options.scaled_height = (int)height;
  config.output.colorspace = MODE_RGBA;
  config.output.is_external_memory = 1;
  config.output.u.RGBA = (WebPRGBABuffer){rgba, (int)width * 4, (size_t)width * height * 4};
  return status_of(picture.is_beginning ? decode_beginning(picture, &config) : WebPDecode(picture.bytes, picture.count, &config), message);
}

// Decodes the image into separate memory. From there, cic_reduce_colors reduces the image or turns it, and converts its colors.
static cic_status decode_whole(cic_input picture, uint32_t width, uint32_t height, bool reduces, const struct color *color,
                               const cic_target *target, char *message) {
  uint8_t *stored = malloc((size_t)width * height * 4);
  if (stored == NULL) return status_of(VP8_STATUS_OUT_OF_MEMORY, message);
  cic_status status = decode_picture(picture, width, height, reduces, stored, message);
  if (status == CIC_OK && !cic_reduce_colors(stored, width, height, color, target)) status = status_of(VP8_STATUS_OUT_OF_MEMORY, message);
  free(stored);
  return status;
}

static uint32_t smaller(uint32_t a, uint32_t b) { return a < b ? a : b; }

// libwebp can reduce an image while it decodes it, by averaging areas. For a lossy image, it does so row by row. But it does not weight
// colors by their alpha. So cic_reduce_colors reduces an image with alpha, as long as the whole image fits into the allowed memory. If
// colors must be converted before the image is reduced, libwebp reduces it only to twice the target's sides, and cic_reduce_colors does the
// rest after the conversion.
static cic_status decode_upright(cic_input picture, const WebPBitstreamFeatures *features, const cic_limits *limits,
                                 const struct color *color, const cic_target *target, char *message) {
  const uint32_t width = (uint32_t)features->width, height = (uint32_t)features->height;
  if (!cic_may_hold(limits, width, height, cic_webp_held(features), message)) return CIC_TOO_LARGE;
  const bool reduces = width != target->width || height != target->height;
  char ignored[CIC_MESSAGE_SIZE];
  if (reduces && features->has_alpha && cic_may_hold(limits, width, height, 4 + cic_webp_held(features), ignored)) {
    return decode_whole(picture, width, height, false, color, target, message);
  }
  if (reduces && color->comes_first) {
    const uint32_t twice_width = smaller(2 * target->width, width), twice_height = smaller(2 * target->height, height);
    if (cic_may_hold(limits, twice_width, twice_height, 4, ignored)) {
      const bool is_less = twice_width < width || twice_height < height;
      return decode_whole(picture, twice_width, twice_height, is_less, color, target, message);
    }
  }
  if (target->orientation < 2 || target->orientation > 8) {
    const cic_status status = decode_picture(picture, target->width, target->height, reduces, target->rgba, message);
    if (status == CIC_OK) cic_color_convert(color, target->rgba, (size_t)target->width * target->height);
    return status;
  }
  if (!cic_may_hold(limits, target->width, target->height, 4, message)) return CIC_TOO_LARGE;
  return decode_whole(picture, target->width, target->height, reduces, color, target, message);
}

static cic_status decode_colors(const struct webp_file *file, cic_input picture, const WebPBitstreamFeatures *features,
                                const cic_limits *limits, const cic_target *target, cic_result *result, char *message) {
  struct color color = {0};
  result->ignored_profile = cic_webp_read_profile(file, &color, (uint64_t)target->width * target->height, limits);
  const cic_status status = decode_upright(picture, features, limits, &color, target, message);
  cic_color_end(&color);
  return status;
}

// Decodes a first frame that does not cover the whole canvas.
static cic_status decode_first_frame(
    cic_input input, const cic_limits *limits, const cic_target *target, cic_result *result, char *message) {
  cic_animation *animation = NULL;
  cic_status status = cic_webp_animation(input, limits, &animation, message);
  if (status != CIC_OK) return status;
  bool ended = false;
  status = cic_animation_next(animation, target, &ended, message);
  result->ignored_profile = cic_animation_ignored_profile(animation);
  cic_animation_close(animation);
  return status;
}

cic_status cic_webp_decode(cic_input input, const cic_limits *limits, const cic_target *target, cic_result *result, char *message) {
  *result = (cic_result){0};
  struct webp_file file;
  cic_status status = cic_webp_read(&file, input, message);
  if (status != CIC_OK) return status;
  const uint64_t width = (uint64_t)file.features.width, height = (uint64_t)file.features.height;
  status = cic_check_target(limits, width, height, target, message);
  if (status != CIC_OK) return status;
  const bool may_show = input.is_beginning && !cic_webp_promises_orientation(&file);
  if (!file.complete && !may_show) return truncated(message);
  if (!file.features.has_animation) return decode_colors(&file, file.input, &file.features, limits, target, result, message);
  if (file.first_frame.bytes == NULL && !file.complete) return truncated(message);
  WebPBitstreamFeatures first;
  if (file.first_frame.bytes == NULL ||
      WebPGetFeatures(file.first_frame.bytes, file.first_frame.count, &first) != VP8_STATUS_OK) {
    cic_write_message(message, "the WebP's first frame is broken");
    return CIC_CORRUPT;
  }
  if (!file.first_frame_covers || first.width != file.features.width || first.height != file.features.height) {
    return decode_first_frame(input, limits, target, result, message);
  }
  return decode_colors(&file, file.first_frame, &first, limits, target, result, message);
}

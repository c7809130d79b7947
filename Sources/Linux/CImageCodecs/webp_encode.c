#include "libraries.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include <webp/encode.h>
#include <webp/mux.h>

#include "writer.h"

struct webp_writer {
  cic_writer base;
  WebPConfig config;
  WebPAnimEncoder *encoder;  // NULL for a still image
  int milliseconds;          // the sum of all durations
};

// The effort of the search for a good encoding, from 0 to 6. For photos, method 2 takes half the time of method 4, and is 0.2 dB worse with
// 3% more bytes. Method 6 takes two and a half times the time of method 4, for 6% fewer bytes.
enum { method = 4 };

static cic_status fail(const WebPPicture *picture, char *message) {
  switch (picture->error_code) {
    // Some functions of libwebp fail without an error code if memory runs out.
    case VP8_ENC_OK:
    case VP8_ENC_ERROR_OUT_OF_MEMORY:
    case VP8_ENC_ERROR_BITSTREAM_OUT_OF_MEMORY:
    case VP8_ENC_ERROR_BAD_WRITE: return cic_out_of_memory(message);
    default:
      snprintf(message, CIC_MESSAGE_SIZE, "a WebP that libwebp does not write (libwebp: error %d)", picture->error_code);
      return CIC_UNSUPPORTED;
  }
}

static int write_bytes(const uint8_t *bytes, size_t count, const WebPPicture *picture) {
  return cic_output_append(picture->custom_ptr, bytes, count);
}

// A WebP has at most 512 KiB of predictions (RFC 9649, 2.7; RFC 6386, 9.3). If a large image needs more, it is encoded again with fewer.
static bool encode(struct webp_writer *writer, WebPPicture *picture) {
  if (WebPEncode(&writer->config, picture)) return true;
  if (picture->error_code != VP8_ENC_ERROR_PARTITION0_OVERFLOW) return false;
  writer->config.partition_limit = 100;
  writer->base.output.count = 0;
  picture->error_code = VP8_ENC_OK;
  return WebPEncode(&writer->config, picture);
}

static bool add_frame(struct webp_writer *writer, WebPPicture *picture) {
  return WebPAnimEncoderAdd(writer->encoder, picture, writer->milliseconds, &writer->config);
}

static cic_status add(cic_writer *base, const uint8_t *rgba, uint32_t milliseconds, char *message) {
  enum { longest_duration = (1 << 24) - 1 };
  struct webp_writer *writer = (struct webp_writer *)base;
  const int duration = milliseconds < longest_duration ? (int)milliseconds : longest_duration;
  if (duration > INT_MAX - writer->milliseconds) {
    cic_write_message(message, "a WebP that plays for more than 24 days");
    return CIC_TOO_LARGE;
  }
  WebPPicture picture;
  if (!WebPPictureInit(&picture)) return cic_out_of_memory(message);
  picture.width = (int)base->writing.width;
  picture.height = (int)base->writing.height;
  picture.use_argb = writer->encoder != NULL;
  picture.writer = write_bytes;
  picture.custom_ptr = &base->output;
  const bool is_added = WebPPictureImportRGBA(&picture, rgba, picture.width * 4) &&
                        (writer->encoder != NULL ? add_frame(writer, &picture) : encode(writer, &picture));
  const cic_status status = is_added ? CIC_OK : fail(&picture, message);
  WebPPictureFree(&picture);
  writer->milliseconds += duration;
  return status;
}

static bool take(cic_output *output, const WebPData *data) {
  output->count = 0;
  return cic_output_append(output, data->bytes, data->size);
}

static cic_status assemble(struct webp_writer *writer, char *message) {
  WebPData data = {0};
  // The first call has no picture. It sets the time at which the last frame ends.
  const bool is_done = WebPAnimEncoderAdd(writer->encoder, NULL, writer->milliseconds, NULL) &&
                       WebPAnimEncoderAssemble(writer->encoder, &data);
  if (!is_done) {
    snprintf(message, CIC_MESSAGE_SIZE, "an animation that libwebp does not write (libwebp: %.100s)",
             WebPAnimEncoderGetError(writer->encoder));
  }
  const cic_status status = !is_done ? CIC_UNSUPPORTED : take(&writer->base.output, &data) ? CIC_OK : cic_out_of_memory(message);
  WebPDataClear(&data);
  return status;
}

static void put(uint8_t *p, uint32_t value, size_t count) {
  for (size_t i = 0; i < count; i++) p[i] = (uint8_t)(value >> 8 * i);
}

enum { riff_header = 12, chunk_header = 8, extended_header = chunk_header + 10, flags_at = riff_header + chunk_header };

// Inserts the extended header (RFC 9649, 2.7), if the file does not have it. A lossy image with alpha already has it, and so does an
// animation.
static bool extend(cic_output *output, const cic_writing *writing) {
  if (memcmp(output->bytes + riff_header, "VP8X", 4) == 0) return true;
  if (!cic_output_reserve(output, extended_header)) return false;
  uint8_t *header = output->bytes + riff_header;
  memmove(header + extended_header, header, output->count - riff_header);
  output->count += extended_header;
  memset(header, 0, extended_header);
  memcpy(header, "VP8X", 4);
  put(header + 4, extended_header - chunk_header, 4);
  put(header + 12, writing->width - 1, 3);
  put(header + 15, writing->height - 1, 3);
  return true;
}

// Appends a chunk with the EXIF. WebPMuxAssemble of libwebp 1.2.4 does the same, but crashes if memory runs out.
static cic_status store_exif(cic_writer *base, char *message) {
  enum { has_exif = 8 };
  cic_output *output = &base->output;
  uint8_t header[chunk_header] = {'E', 'X', 'I', 'F'};
  const size_t count = base->writing.exif_count;
  put(header + 4, (uint32_t)count, 4);
  const bool is_stored = extend(output, &base->writing) && cic_output_append(output, header, sizeof header) &&
                         cic_output_append(output, base->writing.exif, count) && cic_output_append(output, "", count % 2);
  if (!is_stored) return cic_out_of_memory(message);
  output->bytes[flags_at] |= has_exif;
  put(output->bytes + 4, (uint32_t)(output->count - chunk_header), 4);
  return CIC_OK;
}

static cic_status finish(cic_writer *base, char *message) {
  struct webp_writer *writer = (struct webp_writer *)base;
  const cic_status status = writer->encoder == NULL ? CIC_OK : assemble(writer, message);
  return status == CIC_OK && base->writing.exif_count > 0 ? store_exif(base, message) : status;
}

static cic_status start(cic_writer *base, char *message) {
  struct webp_writer *writer = (struct webp_writer *)base;
  if (!WebPConfigInit(&writer->config)) {
    cic_write_message(message, "WebP; this version of libwebp has another interface");
    return CIC_UNSUPPORTED;
  }
  writer->config.quality = (float)base->writing.quality;
  writer->config.method = method;
  if (!base->writing.is_animated) return CIC_OK;
  WebPAnimEncoderOptions options;
  if (!WebPAnimEncoderOptionsInit(&options)) {
    cic_write_message(message, "WebP; this version of libwebpmux has another interface");
    return CIC_UNSUPPORTED;
  }
  options.anim_params.loop_count = base->writing.plays < UINT16_MAX ? (int)base->writing.plays : UINT16_MAX;
  writer->encoder = WebPAnimEncoderNew((int)base->writing.width, (int)base->writing.height, &options);
  return writer->encoder != NULL ? CIC_OK : cic_out_of_memory(message);
}

static void end(cic_writer *base) { WebPAnimEncoderDelete(((struct webp_writer *)base)->encoder); }

cic_status cic_webp_writer(const cic_writing *writing, cic_writer **writer, char *message) {
  static const struct writer_format format = {.name = "a WebP",
                                              .longest_side = WEBP_MAX_DIMENSION,
                                              .size = sizeof(struct webp_writer),
                                              .start = start,
                                              .add = add,
                                              .finish = finish,
                                              .end = end};
  return cic_writer_open(&format, writing, writer, message);
}

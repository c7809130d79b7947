#include <stdio.h>

#include "avif_encoder.h"
#include "writer.h"

struct avif_writer {
  cic_writer base;
  const struct avif_encoding *encoding;
  struct avif_encoder *encoder;
};

// libavif's speed, from 0 to 10. For photos of 320 × 240 pixels, speed 6 takes a third of the time of speed 5, and their quality is 0.24 dB
// lower at the same number of bytes; speed 7 takes half the time of speed 6, and another 0.4 dB. For animations, libaom retains later
// frames while it encodes one, but not from speed 7.
enum { still_speed = 6, animation_speed = 8 };

bool cic_has_avif_encoder(void) { return cic_avif_encoding() != NULL; }

static cic_status fail(const struct avif_writer *writer, int result, char *message) {
  if (result == avif_out_of_memory) return cic_out_of_memory(message);
  snprintf(message, CIC_MESSAGE_SIZE, "an AVIF that libavif does not write (libavif: %.120s)", writer->encoding->library->describe(result));
  return CIC_UNSUPPORTED;
}

static cic_status start(cic_writer *base, char *message) {
  struct avif_writer *writer = (struct avif_writer *)base;
  writer->encoding = cic_avif_encoding();
  if (writer->encoding == NULL) {
    cic_write_message(
        message, "encoding AVIF, which needs libavif 0.11 or 1.x with libaom's encoder (Debian package libavif16; libavif15 on Debian 12)");
    return CIC_UNSUPPORTED;
  }
  writer->encoder = writer->encoding->create();
  if (writer->encoder == NULL) return cic_out_of_memory(message);
  const int quality = base->writing.quality;
  writer->encoder->codec = avif_aom;
  writer->encoder->threads = 1;
  writer->encoder->speed = base->writing.is_animated ? animation_speed : still_speed;
  writer->encoder->timescale = 1000;
  cic_avif_set_quality(writer->encoding, writer->encoder, quality, (quality + 100) / 2);
  cic_avif_set_plays(writer->encoding, writer->encoder, base->writing.plays);
  return CIC_OK;
}

static int add_picture(struct avif_writer *writer, struct avif_picture *picture, const uint8_t *rgba, uint32_t milliseconds) {
  const cic_writing *writing = &writer->base.writing;
  picture->yuv_range = avif_full_range;
  picture->primaries = avif_bt709;
  picture->transfer = avif_srgb;
  picture->matrix = avif_bt601;
  if (writing->exif_count > 0 && writer->base.images == 0 &&
      !cic_avif_set_exif(writer->encoding, picture, writing->exif, writing->exif_count)) {
    return avif_out_of_memory;
  }
  struct avif_rgb rgb;
  writer->encoding->library->rgb_defaults(&rgb, picture);
  rgb.more[avif_ignores_alpha] = !writing->is_animated && cic_is_opaque(rgba, (size_t)writing->width * writing->height);
  // libavif reads the pixels only.
  cic_avif_set_pixels(writer->encoding->library, &rgb, (uint8_t *)rgba, writing->width * 4);
  const int result = writer->encoding->from_rgb(picture, &rgb);
  if (result != avif_ok) return result;
  return writer->encoding->add(writer->encoder, picture, milliseconds, writing->is_animated ? 0 : avif_single);
}

static cic_status add(cic_writer *base, const uint8_t *rgba, uint32_t milliseconds, char *message) {
  struct avif_writer *writer = (struct avif_writer *)base;
  struct avif_picture *picture = writer->encoding->create_picture(base->writing.width, base->writing.height, 8, avif_yuv420);
  if (picture == NULL) return cic_out_of_memory(message);
  const int result = add_picture(writer, picture, rgba, milliseconds);
  writer->encoding->library->picture_destroy(picture);
  return result == avif_ok ? CIC_OK : fail(writer, result, message);
}

static cic_status finish(cic_writer *base, char *message) {
  struct avif_writer *writer = (struct avif_writer *)base;
  struct avif_data data = {0};
  const int result = writer->encoding->finish(writer->encoder, &data);
  const cic_status status = result != avif_ok                                           ? fail(writer, result, message)
                            : cic_output_append(&base->output, data.bytes, data.count) ? CIC_OK
                                                                                        : cic_out_of_memory(message);
  writer->encoding->free_data(&data);
  return status;
}

static void end(cic_writer *base) {
  struct avif_writer *writer = (struct avif_writer *)base;
  if (writer->encoder != NULL) writer->encoding->destroy(writer->encoder);
}

cic_status cic_avif_writer(const cic_writing *writing, cic_writer **writer, char *message) {
  // The format allows 65,536 pixels, but libavif by default reads at most 32,768.
  static const struct writer_format format = {.name = "an AVIF",
                                              .longest_side = 32768,
                                              .size = sizeof(struct avif_writer),
                                              .start = start,
                                              .add = add,
                                              .finish = finish,
                                              .end = end};
  return cic_writer_open(&format, writing, writer, message);
}

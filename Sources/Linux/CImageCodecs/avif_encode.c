#include <stdio.h>

#include "avif_encoder.h"
#include "writer.h"

struct avif_writer {
  cic_writer base;
  const struct avif_encoding *encoding;
  struct avif_encoder *encoder;
};

// libavif's speed, from 0 to 10. When libaom encodes a frame of an animation at a speed below 7, it also retains later frames.
//
// Still images are encoded at speed 3, but without the tools of AV1 that save the fewest bytes for their time. The following figures
// compare other choices with this one, at the same number of bytes. They were measured with libaom 3.6 and the photos of
// Tests/Benchmarks/thumbnails. Speed 3 with all tools takes 4.3 times as long, and the quality is 0.15 dB higher. Speed 5 with all tools
// takes 1.7 times as long, and the quality is 0.03 dB lower. Speed 6 with all tools takes half the time, and the quality is 0.33 dB lower.
// Speed 6 is used if libaom does not have the options that turn the tools off.
enum { still_speed = 3, plain_still_speed = 6, animation_speed = 8 };
static const char *const unused_tools[] = {"enable-rect-partitions", "enable-angle-delta", "enable-filter-intra"};

bool cic_has_avif_encoder(void) { return cic_avif_encoding() != NULL; }

static cic_status fail(const struct avif_writer *writer, int result, char *message) {
  if (result == avif_out_of_memory) return cic_out_of_memory(message);
  snprintf(message, CIC_MESSAGE_SIZE, "an AVIF that libavif does not write (libavif: %.120s)", writer->encoding->library->describe(result));
  return CIC_UNSUPPORTED;
}

// Returns an encoder for the images of the writer. `omits_tools` is for still images only. Returns NULL if memory runs out.
static struct avif_encoder *create_encoder(const struct avif_writer *writer, bool omits_tools) {
  const struct avif_encoding *encoding = writer->encoding;
  const cic_writing *writing = &writer->base.writing;
  struct avif_encoder *encoder = encoding->create();
  if (encoder == NULL) return NULL;
  encoder->codec = avif_aom;
  encoder->threads = 1;
  encoder->speed = writing->is_animated ? animation_speed : omits_tools ? still_speed : plain_still_speed;
  encoder->timescale = 1000;
  cic_avif_set_quality(encoding, encoder, writing->quality, (writing->quality + 100) / 2);
  cic_avif_set_plays(encoding, encoder, writing->plays);
  for (size_t i = 0; omits_tools && i < sizeof unused_tools / sizeof *unused_tools; i++) {
    if (cic_avif_set_option(encoding, encoder, unused_tools[i], "0")) continue;
    encoding->destroy(encoder);
    return NULL;
  }
  return encoder;
}

static cic_status start(cic_writer *base, char *message) {
  struct avif_writer *writer = (struct avif_writer *)base;
  writer->encoding = cic_avif_encoding();
  if (writer->encoding == NULL) {
    cic_write_message(
        message, "encoding AVIF, which needs libavif 0.11 or 1.x with libaom's encoder (Debian package libavif16; libavif15 on Debian 12)");
    return CIC_UNSUPPORTED;
  }
  writer->encoder = create_encoder(writer, !base->writing.is_animated && writer->encoding->set_option != NULL);
  if (writer->encoder == NULL) return cic_out_of_memory(message);
  return CIC_OK;
}

static int add_still(struct avif_writer *writer, const struct avif_picture *picture, uint32_t milliseconds) {
  const struct avif_encoding *encoding = writer->encoding;
  const int result = encoding->add(writer->encoder, picture, milliseconds, avif_single);
  if (result != avif_invalid_option) return result;
  // libaom does not have one of the options.
  encoding->destroy(writer->encoder);
  writer->encoder = create_encoder(writer, false);
  return writer->encoder == NULL ? avif_out_of_memory : encoding->add(writer->encoder, picture, milliseconds, avif_single);
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
  // Still images are converted by libavif's own code instead of libyuv. This takes 8 ns more for each pixel, and the quality is 0.02 dB
  // higher.
  rgb.more[avif_avoids_libyuv] = !writing->is_animated;
  rgb.more[avif_ignores_alpha] = !writing->is_animated && cic_is_opaque(rgba, (size_t)writing->width * writing->height);
  // libavif does not write to these pixels.
  cic_avif_set_pixels(writer->encoding->library, &rgb, (uint8_t *)rgba, writing->width * 4);
  const int result = writer->encoding->from_rgb(picture, &rgb);
  if (result != avif_ok) return result;
  if (writing->is_animated) return writer->encoding->add(writer->encoder, picture, milliseconds, 0);
  return add_still(writer, picture, milliseconds);
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
  // The format allows sides of 65,536 pixels, but libavif by default reads sides of at most 32,768 pixels.
  static const struct writer_format format = {.name = "an AVIF",
                                              .longest_side = 32768,
                                              .size = sizeof(struct avif_writer),
                                              .start = start,
                                              .add = add,
                                              .finish = finish,
                                              .end = end};
  return cic_writer_open(&format, writing, writer, message);
}

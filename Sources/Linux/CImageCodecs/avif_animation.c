#include <stdlib.h>
#include <string.h>

#include "animation.h"
#include "avif_reader.h"
#include "heif_sequence.h"

// The images of an AVIF sequence are whole images, each of which may depend on up to seven earlier images.
struct avif_animation {
  struct cic_animation base;
  struct avif_reader reader;
  cic_limits limits;
  uint32_t width, height;  // of a stored image
  struct heif_rectangle part;
  uint8_t *copy;  // see hide_durations; NULL if libavif reads the input
  bool has_colors;
  bool ended;
};

// Decodes an image. If images were skipped, libavif begins at the latest key frame that it needs.
static cic_status decode(struct avif_animation *avif, uint32_t number) {
  struct avif_reader *reader = &avif->reader;
  const int result = reader->library->image_at(reader->decoder, number);
  if (result != avif_ok) return cic_avif_fail(reader, result);
  const struct avif_picture *picture = reader->decoder->picture;
  if (picture->width == avif->width && picture->height == avif->height) return CIC_OK;
  cic_write_message(reader->message, "the size of the AVIF's image differs from the size in its header");
  return CIC_CORRUPT;
}

static cic_status next(cic_animation *animation, const cic_target *target, bool *ended, char *message) {
  struct avif_animation *avif = (struct avif_animation *)animation;
  const uint32_t number = animation->position - 1;
  *ended = avif->ended;
  if (avif->ended || target == NULL) return CIC_OK;
  avif->reader.message = message;
  const cic_status status = decode(avif, number);
  if (status != CIC_OK) {
    // A broken image ends the animation, unless it is the first image. All data is there, so an image that ends early counts as broken,
    // too.
    avif->ended = *ended = number > 0 && (status == CIC_CORRUPT || status == CIC_TRUNCATED);
    return *ended ? CIC_OK : status;
  }
  if (!avif->has_colors) animation->ignored_profile = cic_avif_read_colors(&avif->reader, avif->limits.pixels, &avif->limits);
  avif->has_colors = true;
  return cic_avif_convert(&avif->reader, avif->part, target);
}

static void close(cic_animation *animation) {
  struct avif_animation *avif = (struct avif_animation *)animation;
  cic_avif_close(&avif->reader);
  free(avif->copy);
  free(avif);
}

// For each image, libavif adds up the durations of all earlier images, and searches the whole table for each of these durations. If that
// would take long, makes `*input` a copy of the file without tables of durations. The animation does not use the durations that libavif
// computes.
static cic_status hide_durations(struct avif_animation *avif, const struct heif_sequence *sequence, cic_input *input) {
  enum { many = 1 << 20 };
  if (sequence->all_entries <= many / (avif->base.frames + 1)) return CIC_OK;
  avif->copy = malloc(input->count);
  if (avif->copy == NULL) return cic_avif_out_of_memory(&avif->reader);
  memcpy(avif->copy, input->bytes, input->count);
  cic_heif_hide_durations(avif->copy, input->count);
  avif->base.held_bytes += input->count;
  input->bytes = avif->copy;
  return CIC_OK;
}

// Opens the file again, so that the decoder refuses images that are larger than the file declares. Otherwise, the decoder would retain
// several of these images.
static cic_status reopen(struct avif_animation *avif, cic_input input, char *message) {
  cic_avif_close(&avif->reader);
  avif->reader = (struct avif_reader){.message = message};
  return cic_avif_open(&avif->reader, input, (uint64_t)avif->width * avif->height);
}

// Returns the number of bytes that the decoders of the colors and of the alpha take. They retain up to eight images, and make another.
// dav1d pads each side to a multiple of 128 pixels, the size of AV1's largest block. libaom pads by about as many pixels.
static uint64_t decoder_bytes(const struct avif_picture *picture) {
  enum { most_images = 9, block = 128 };
  const uint64_t across = ((uint64_t)picture->width + block - 1) / block, down = ((uint64_t)picture->height + block - 1) / block;
  return most_images * cic_avif_bytes_a_pixel(picture) * across * down * block * block + 2 * avif_decoder_bytes;
}

static cic_status start(struct avif_animation *avif, cic_input input, const cic_limits *limits, char *message) {
  struct avif_reader *reader = &avif->reader;
  cic_status status = cic_avif_open(reader, input, limits->pixels);
  if (status != CIC_OK) return status;
  const struct avif_picture *picture = reader->decoder->picture;
  avif->width = picture->width;
  avif->height = picture->height;
  if (!cic_within_limits(limits, avif->width, avif->height, message)) return CIC_TOO_LARGE;
  const uint64_t bytes = decoder_bytes(picture);
  avif->base.held_bytes = (size_t)bytes;
  if (!cic_may_hold_bytes(limits, bytes, avif->width, avif->height, message)) return CIC_TOO_LARGE;
  const struct heif_sequence sequence = cic_heif_read_sequence(input);
  const uint32_t images = reader->decoder->count > 0 ? (uint32_t)reader->decoder->count : 0;
  avif->limits = *limits;
  avif->base.frames = images < CIC_MAX_COUNTED_FRAMES ? images : CIC_MAX_COUNTED_FRAMES;
  avif->base.milliseconds = malloc((avif->base.frames + 1) * sizeof *avif->base.milliseconds);
  if (avif->base.milliseconds == NULL) return cic_avif_out_of_memory(reader);
  cic_heif_write_durations(input, &sequence, avif->base.milliseconds, avif->base.frames);
  status = hide_durations(avif, &sequence, &input);
  if (status == CIC_OK) status = reopen(avif, input, message);
  if (status == CIC_OK) avif->part = cic_avif_shown_part(reader);
  return status;
}

cic_status cic_avif_animation(cic_input input, const cic_limits *limits, cic_animation **animation, char *message) {
  struct avif_animation *avif = calloc(1, sizeof *avif);
  if (avif == NULL) {
    cic_write_message(message, "out of memory");
    return CIC_NO_MEMORY;
  }
  avif->base = (struct cic_animation){.next = next, .close = close};
  avif->reader.message = message;
  const cic_status status = start(avif, input, limits, message);
  if (status != CIC_OK) {
    cic_animation_close(&avif->base);
    return status;
  }
  *animation = &avif->base;
  return CIC_OK;
}

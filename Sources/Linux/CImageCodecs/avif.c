#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "avif_grid.h"
#include "avif_reader.h"
#include "heif_sequence.h"

bool cic_has_libavif(void) { return cic_avif_library() != NULL; }

cic_status cic_avif_info(cic_input input, cic_info *info, char *message) {
  struct avif_reader reader = {.message = message};
  const cic_status status = cic_avif_open(&reader, input, UINT64_MAX);
  if (status == CIC_OK) {
    const struct heif_rectangle part = cic_avif_shown_part(&reader);
    *info = (cic_info){
        .width = part.width,
        .height = part.height,
        .orientation = cic_avif_orientation(&reader),
        .components = reader.decoder->picture->yuv_format == avif_yuv400 ? 1 : 3,
        .bits = (int)reader.decoder->picture->depth,
        .frames = 1,
    };
    const uint32_t images = reader.decoder->count > 1 ? (uint32_t)reader.decoder->count : 1;
    if (images > 1) {
      info->frames = images < CIC_MAX_COUNTED_FRAMES ? images : CIC_MAX_COUNTED_FRAMES;
      info->plays = cic_heif_read_sequence(input).plays;
    }
  }
  cic_avif_close(&reader);
  return status;
}

// Decodes the alpha if each tile of the image's grid has its own alpha item. libavif before 1.0 ignores these items.
static cic_status read_alpha(struct avif_reader *reader, cic_input input, const cic_limits *limits) {
  const struct avif_picture *picture = reader->decoder->picture;
  uint8_t *copy = NULL;
  if (picture->alpha != NULL) return CIC_OK;
  cic_status status = cic_avif_grid_of_alpha(input, &copy, reader->message);
  if (status != CIC_OK || copy == NULL) return status;
  // The alpha decoder reads from the copy, so cic_avif_close frees the copy after the decoder.
  reader->alpha_copy = copy;
  reader->alpha = calloc(1, sizeof *reader->alpha);
  if (reader->alpha == NULL) return cic_avif_out_of_memory(reader);
  reader->alpha->message = reader->message;
  status = cic_avif_open(reader->alpha, (cic_input){copy, input.count, false}, limits->pixels);
  if (status != CIC_OK) return status;
  const int result = reader->library->next_image(reader->alpha->decoder);
  if (result != avif_ok) return cic_avif_fail(reader, result);
  const struct avif_picture *alpha = reader->alpha->decoder->picture;
  const bool fits = alpha->width == picture->width && alpha->height == picture->height && alpha->depth == picture->depth;
  if (fits && alpha->planes[0] != NULL) return CIC_OK;
  cic_write_message(reader->message, "the AVIF's alpha and its colors differ in size");
  return CIC_CORRUPT;
}

// Whether the planes and the decoders of the tiles fit into the allowed memory.
static bool may_hold(const struct avif_reader *reader, cic_input input, const cic_limits *limits) {
  const struct avif_picture *picture = reader->decoder->picture;
  if (!cic_may_hold(limits, picture->width, picture->height, cic_avif_bytes_a_pixel(picture), reader->message)) return false;
  const uint64_t planes = (uint64_t)picture->width * picture->height * cic_avif_bytes_a_pixel(picture);
  const uint32_t tiles = cic_avif_tiles(input);
  if (tiles <= (limits->held_bytes - planes) / avif_decoder_bytes || tiles < 2) return true;
  snprintf(reader->message, CIC_MESSAGE_SIZE, "an AVIF of %u tiles; raise DecodingLimits.maxBytes", tiles);
  return false;
}

static cic_status decode(
    struct avif_reader *reader, cic_input input, const cic_limits *limits, const cic_target *target, cic_result *result) {
  cic_status status = cic_avif_open(reader, input, limits->pixels);
  if (status != CIC_OK) return status;
  const uint32_t width = reader->decoder->picture->width, height = reader->decoder->picture->height;
  const struct heif_rectangle part = cic_avif_shown_part(reader);
  if (!cic_within_limits(limits, width, height, reader->message)) return CIC_TOO_LARGE;
  status = cic_check_target(limits, part.width, part.height, target, reader->message);
  if (status != CIC_OK) return status;
  if (!may_hold(reader, input, limits)) return CIC_TOO_LARGE;
  const int decoded = reader->library->next_image(reader->decoder);
  if (decoded != avif_ok) return cic_avif_fail(reader, decoded);
  const struct avif_picture *picture = reader->decoder->picture;
  if (picture->width == width && picture->height == height) {
    result->ignored_profile = cic_avif_read_colors(reader, (uint64_t)target->width * target->height, limits);
    status = read_alpha(reader, input, limits);
    return status == CIC_OK ? cic_avif_convert(reader, part, target) : status;
  }
  cic_write_message(reader->message, "the size of the AVIF's image differs from the size in its header");
  return CIC_CORRUPT;
}

cic_status cic_avif_decode(cic_input input, const cic_limits *limits, const cic_target *target, cic_result *result, char *message) {
  *result = (cic_result){0};
  struct avif_reader reader = {.message = message};
  const cic_status status = decode(&reader, input, limits, target, result);
  cic_avif_close(&reader);
  return status;
}

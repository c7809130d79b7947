#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "avif_grid.h"
#include "avif_library.h"
#include "heif_tables.h"
#include "rows.h"

struct avif_reader {
  const struct avif_library *library;
  struct avif_decoder *decoder;
  struct avif_picture *view;
  struct color color;
  struct rows rows;
  uint8_t *band;
  uint8_t *copy;  // a copy of the input, if its tiles had to be reordered
  struct avif_reader *alpha;  // reads the alpha as the brightness of an image, if each tile of a grid has its own alpha
  uint8_t *alpha_copy;
  char *message;
};

static cic_status status_of(int result) {
  switch (result) {
    case avif_truncated:
    case avif_waiting: return CIC_TRUNCATED;
    case avif_out_of_memory: return CIC_NO_MEMORY;
    case avif_no_codec:
    case avif_not_implemented:
    case avif_unsupported_depth: return CIC_UNSUPPORTED;
    default: return CIC_CORRUPT;
  }
}

static cic_status fail(const struct avif_reader *reader, int result) {
  const cic_status status = status_of(result);
  const char *what = status == CIC_TRUNCATED     ? "the AVIF data ends before the image does"
                     : status == CIC_UNSUPPORTED ? "a kind of AVIF that libavif does not decode"
                                                 : "the AVIF data is broken";
  snprintf(reader->message, CIC_MESSAGE_SIZE, "%s (libavif: %.120s)", what, reader->library->describe(result));
  return status;
}

static cic_status out_of_memory(const struct avif_reader *reader) {
  cic_write_message(reader->message, "out of memory");
  return CIC_NO_MEMORY;
}

bool cic_has_libavif(void) { return cic_avif_library() != NULL; }

// Reads the file's description of the image, without its pixels.
static cic_status open(struct avif_reader *reader, cic_input input, const cic_limits *limits) {
  reader->library = cic_avif_library();
  if (reader->library == NULL) {
    cic_write_message(reader->message, "AVIF, which needs libavif 0.11 or 1.x (Debian package libavif16; libavif15 on Debian 12)");
    return CIC_UNSUPPORTED;
  }
  if (!cic_heif_has_small_tables(input)) {
    cic_write_message(reader->message, "an AVIF with more items than allowed");
    return CIC_TOO_LARGE;
  }
  const cic_status status = cic_avif_order_tiles(&input, &reader->copy, reader->message);
  if (status != CIC_OK) return status;
  reader->decoder = reader->library->decoder_create();
  if (reader->decoder == NULL) return out_of_memory(reader);
  reader->decoder->threads = 1;
  reader->decoder->ignores_exif = 1;
  reader->decoder->ignores_xmp = 1;
  // Accepts files of older writers, which omit properties that do not affect the pixels.
  reader->decoder->strictness = 0;
  if (limits != NULL && limits->pixels < reader->decoder->most_pixels) reader->decoder->most_pixels = (uint32_t)limits->pixels;
  int result = reader->library->set_memory(reader->decoder, input.bytes, input.count);
  if (result == avif_ok) result = reader->library->parse(reader->decoder);
  return result == avif_ok ? CIC_OK : fail(reader, result);
}

static void close(struct avif_reader *reader) {
  if (reader->alpha != NULL) close(reader->alpha);
  free(reader->alpha);
  if (reader->view != NULL) reader->library->picture_destroy(reader->view);
  if (reader->decoder != NULL) reader->library->decoder_destroy(reader->decoder);
  cic_rows_end(&reader->rows);
  cic_color_end(&reader->color);
  free(reader->band);
  free(reader->copy);
  free(reader->alpha_copy);
}

// Returns the orientation. A viewer first turns the image, and then mirrors it. The EXIF tag has no effect.
static int orientation_of(const struct avif_reader *reader) {
  const struct avif_transforms transforms = cic_avif_transforms(reader->library, reader->decoder->picture);
  const int turned = (transforms.flags & avif_rotates) != 0 ? cic_heif_turned(1, transforms.angle) : 1;
  return (transforms.flags & avif_mirrors) != 0 ? cic_heif_mirrored(turned, transforms.mirror & 1) : turned;
}

static struct heif_rectangle shown_part(const struct avif_reader *reader) {
  const struct avif_picture *picture = reader->decoder->picture;
  const struct avif_transforms transforms = cic_avif_transforms(reader->library, picture);
  if ((transforms.flags & avif_crops) == 0) return (struct heif_rectangle){0, 0, picture->width, picture->height};
  return cic_heif_shown_part(picture->width, picture->height, transforms.clean_aperture);
}

cic_status cic_avif_info(cic_input input, cic_info *info, char *message) {
  struct avif_reader reader = {.message = message};
  const cic_status status = open(&reader, input, NULL);
  if (status == CIC_OK) {
    const struct heif_rectangle part = shown_part(&reader);
    *info = (cic_info){
        .width = part.width,
        .height = part.height,
        .orientation = orientation_of(&reader),
        .components = reader.decoder->picture->yuv_format == avif_yuv400 ? 1 : 3,
        .bits = (int)reader.decoder->picture->depth,
        .frames = 1,
    };
  }
  close(&reader);
  return status;
}

// Returns the number of bytes that one pixel takes in all planes together, including an alpha plane.
static uint64_t bytes_a_pixel(const struct avif_picture *picture) {
  const uint64_t samples = picture->yuv_format == avif_yuv444 ? 4 : picture->yuv_format == avif_yuv400 ? 2 : 3;
  return picture->depth > 8 ? 2 * samples : samples;
}

// Adds alpha rows to the view, whose first row is row `top` of the image. Alpha rows need no conversion, because the brightness of an alpha
// item has the full range (AVIF, 4).
static void show_alpha(struct avif_reader *reader, uint32_t top) {
  const struct avif_picture *alpha = reader->alpha->decoder->picture;
  reader->view->alpha = alpha->planes[0] + (size_t)top * alpha->row_bytes[0];
  reader->view->alpha_row_bytes = alpha->row_bytes[0];
  reader->view->owns_alpha = 0;
}

// Converts the planes to RGBA in bands of rows, so that the conversion needs no second copy of the whole image. Interpolation averages
// neighboring rows of chroma. So each band includes some rows of the adjacent bands, and begins at an even row. Columns that are not shown
// are cut off after the conversion.
static cic_status convert(struct avif_reader *reader, struct heif_rectangle part, const cic_target *target) {
  enum { band_bytes = 1 << 20, least_rows = 16, margin = 2 };
  const struct avif_library *library = reader->library;
  const struct avif_picture *picture = reader->decoder->picture;
  const uint32_t width = picture->width, height = picture->height, stride = width * 4, end = part.y + part.height;
  uint32_t band_rows = band_bytes / stride & ~1U;
  if (band_rows < least_rows) band_rows = least_rows;
  reader->band = malloc((size_t)stride * (band_rows + 2 * margin + 1));
  reader->view = library->picture_create();
  const bool has_alpha = picture->alpha != NULL || reader->alpha != NULL;
  const bool started = cic_rows_start(&reader->rows, cic_whole_pixels(part.width, part.height), has_alpha, &reader->color, target);
  if (!started || reader->band == NULL || reader->view == NULL) return out_of_memory(reader);
  for (uint32_t top = part.y; top < end; top += band_rows) {
    const uint32_t count = end - top < band_rows ? end - top : band_rows;
    const uint32_t above = top < margin ? top : margin + top % 2, left = height - top - count, below = left < margin ? left : margin;
    const struct heif_rectangle rectangle = {0, top - above, width, above + count + below};
    int result = library->view(reader->view, picture, &rectangle);
    if (result != avif_ok) return fail(reader, result);
    if (reader->alpha != NULL) show_alpha(reader, top - above);
    struct avif_rgb rgb = {0};
    library->rgb_defaults(&rgb, reader->view);
    rgb.depth = 8;
    cic_avif_set_pixels(library, &rgb, reader->band, stride);
    result = library->to_rgb(reader->view, &rgb);
    if (result != avif_ok) return fail(reader, result);
    for (uint32_t y = 0; y < count; y++) {
      const uint8_t *row = reader->band + (size_t)(above + y) * stride + (size_t)part.x * 4;
      memcpy(cic_rows_next(&reader->rows), row, (size_t)part.width * 4);
      cic_rows_add(&reader->rows);
    }
  }
  return CIC_OK;
}

static cic_status read_alpha(struct avif_reader *reader, cic_input input, const cic_limits *limits) {
  const struct avif_picture *picture = reader->decoder->picture;
  uint8_t *copy = NULL;
  if (picture->alpha != NULL) return CIC_OK;
  cic_status status = cic_avif_grid_of_alpha(input, &copy, reader->message);
  if (status != CIC_OK || copy == NULL) return status;
  // The alpha decoder reads from the copy, so `close` frees the copy after the decoder.
  reader->alpha_copy = copy;
  reader->alpha = calloc(1, sizeof *reader->alpha);
  if (reader->alpha == NULL) return out_of_memory(reader);
  reader->alpha->message = reader->message;
  status = open(reader->alpha, (cic_input){copy, input.count, false}, limits);
  if (status != CIC_OK) return status;
  const int result = reader->library->next_image(reader->alpha->decoder);
  if (result != avif_ok) return fail(reader, result);
  const struct avif_picture *alpha = reader->alpha->decoder->picture;
  const bool fits = alpha->width == picture->width && alpha->height == picture->height && alpha->depth == picture->depth;
  if (fits && alpha->planes[0] != NULL) return CIC_OK;
  cic_write_message(reader->message, "the AVIF's alpha and its colors differ in size");
  return CIC_CORRUPT;
}

// Whether the planes and the decoders of the tiles fit into the allowed memory. For small tiles, each decoder takes about half a megabyte.
static bool may_hold(const struct avif_reader *reader, cic_input input, const cic_limits *limits) {
  enum { tile_bytes = 1 << 19 };
  const struct avif_picture *picture = reader->decoder->picture;
  if (!cic_may_hold(limits, picture->width, picture->height, bytes_a_pixel(picture), reader->message)) return false;
  const uint64_t planes = (uint64_t)picture->width * picture->height * bytes_a_pixel(picture);
  const uint32_t tiles = cic_avif_tiles(input);
  if (tiles <= (limits->held_bytes - planes) / tile_bytes || tiles < 2) return true;
  snprintf(reader->message, CIC_MESSAGE_SIZE, "an AVIF of %u tiles; raise DecodingLimits.maxBytes", tiles);
  return false;
}

// Prepares the conversion of colors by the file's profile, or by its numbers if it has no profile that can be used. Returns NULL, or a
// clause that says why the profile or the numbers are ignored.
static const char *read_colors(struct avif_reader *reader, const cic_limits *limits, const cic_target *target) {
  const struct avif_picture *picture = reader->decoder->picture;
  const char *problem = NULL;
  if (picture->profile.count > 0) {
    const enum color_model model = picture->yuv_format == avif_yuv400 ? colors_gray : colors_rgb;
    const cic_input profile = {picture->profile.bytes, picture->profile.count, false};
    problem = cic_color_by_profile(&reader->color, profile, model, (uint64_t)target->width * target->height, limits);
    if (problem == NULL) return NULL;
  }
  const char *other = cic_color_by_numbers(&reader->color, picture->primaries, picture->transfer);
  return problem != NULL ? problem : other;
}

static cic_status decode(
    struct avif_reader *reader, cic_input input, const cic_limits *limits, const cic_target *target, cic_result *result) {
  cic_status status = open(reader, input, limits);
  if (status != CIC_OK) return status;
  const uint32_t width = reader->decoder->picture->width, height = reader->decoder->picture->height;
  const struct heif_rectangle part = shown_part(reader);
  if (!cic_within_limits(limits, width, height, reader->message)) return CIC_TOO_LARGE;
  status = cic_check_target(limits, part.width, part.height, target, reader->message);
  if (status != CIC_OK) return status;
  if (!may_hold(reader, input, limits)) return CIC_TOO_LARGE;
  const int decoded = reader->library->next_image(reader->decoder);
  if (decoded != avif_ok) return fail(reader, decoded);
  const struct avif_picture *picture = reader->decoder->picture;
  if (picture->width == width && picture->height == height) {
    result->ignored_profile = read_colors(reader, limits, target);
    status = read_alpha(reader, input, limits);
    return status == CIC_OK ? convert(reader, part, target) : status;
  }
  cic_write_message(reader->message, "the size of the AVIF's image differs from the size in its header");
  return CIC_CORRUPT;
}

cic_status cic_avif_decode(cic_input input, const cic_limits *limits, const cic_target *target, cic_result *result, char *message) {
  *result = (cic_result){0};
  struct avif_reader reader = {.message = message};
  const cic_status status = decode(&reader, input, limits, target, result);
  close(&reader);
  return status;
}

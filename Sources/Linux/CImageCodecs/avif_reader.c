#include "avif_reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "avif_grid.h"
#include "heif_tables.h"

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

cic_status cic_avif_fail(const struct avif_reader *reader, int result) {
  const cic_status status = status_of(result);
  const char *what = status == CIC_TRUNCATED     ? "the AVIF data ends before the image does"
                     : status == CIC_UNSUPPORTED ? "a kind of AVIF that libavif does not decode"
                                                 : "the AVIF data is broken";
  snprintf(reader->message, CIC_MESSAGE_SIZE, "%s (libavif: %.120s)", what, reader->library->describe(result));
  return status;
}

cic_status cic_avif_out_of_memory(const struct avif_reader *reader) {
  cic_write_message(reader->message, "out of memory");
  return CIC_NO_MEMORY;
}

cic_status cic_avif_open(struct avif_reader *reader, cic_input input, uint64_t most_pixels) {
  enum { most_images = 100000 };
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
  if (reader->decoder == NULL) return cic_avif_out_of_memory(reader);
  reader->decoder->threads = 1;
  reader->decoder->ignores_exif = 1;
  reader->decoder->ignores_xmp = 1;
  // Accepts files of older writers, which omit properties that do not affect the pixels.
  reader->decoder->strictness = 0;
  // When libavif opens a sequence, it adds an entry to a table for each image. Images may share their data, so without this limit, a small
  // file could make the table very large.
  reader->decoder->most_frames = most_images;
  if (most_pixels < reader->decoder->most_pixels) reader->decoder->most_pixels = (uint32_t)most_pixels;
  int result = reader->library->set_memory(reader->decoder, input.bytes, input.count);
  if (result == avif_ok) result = reader->library->parse(reader->decoder);
  return result == avif_ok ? CIC_OK : cic_avif_fail(reader, result);
}

// Frees what the conversion of an image has used.
static void end_conversion(struct avif_reader *reader) {
  if (reader->view != NULL) reader->library->picture_destroy(reader->view);
  free(reader->band);
  cic_rows_end(&reader->rows);
  reader->view = NULL;
  reader->band = NULL;
  reader->rows = (struct rows){0};
}

void cic_avif_close(struct avif_reader *reader) {
  if (reader->alpha != NULL) cic_avif_close(reader->alpha);
  free(reader->alpha);
  end_conversion(reader);
  if (reader->decoder != NULL) reader->library->decoder_destroy(reader->decoder);
  cic_color_end(&reader->color);
  free(reader->copy);
  free(reader->alpha_copy);
}

int cic_avif_orientation(const struct avif_reader *reader) {
  const struct avif_transforms transforms = cic_avif_transforms(reader->library, reader->decoder->picture);
  const int turned = (transforms.flags & avif_rotates) != 0 ? cic_heif_turned(1, transforms.angle) : 1;
  return (transforms.flags & avif_mirrors) != 0 ? cic_heif_mirrored(turned, transforms.mirror & 1) : turned;
}

struct heif_rectangle cic_avif_shown_part(const struct avif_reader *reader) {
  const struct avif_picture *picture = reader->decoder->picture;
  const struct avif_transforms transforms = cic_avif_transforms(reader->library, picture);
  if ((transforms.flags & avif_crops) == 0) return (struct heif_rectangle){0, 0, picture->width, picture->height};
  return cic_heif_shown_part(picture->width, picture->height, transforms.clean_aperture);
}

uint64_t cic_avif_bytes_a_pixel(const struct avif_picture *picture) {
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
  if (!started || reader->band == NULL || reader->view == NULL) return cic_avif_out_of_memory(reader);
  for (uint32_t top = part.y; top < end; top += band_rows) {
    const uint32_t count = end - top < band_rows ? end - top : band_rows;
    const uint32_t above = top < margin ? top : margin + top % 2, left = height - top - count, below = left < margin ? left : margin;
    const struct heif_rectangle rectangle = {0, top - above, width, above + count + below};
    int result = library->view(reader->view, picture, &rectangle);
    if (result != avif_ok) return cic_avif_fail(reader, result);
    if (reader->alpha != NULL) show_alpha(reader, top - above);
    struct avif_rgb rgb = {0};
    library->rgb_defaults(&rgb, reader->view);
    rgb.depth = 8;
    cic_avif_set_pixels(library, &rgb, reader->band, stride);
    result = library->to_rgb(reader->view, &rgb);
    if (result != avif_ok) return cic_avif_fail(reader, result);
    for (uint32_t y = 0; y < count; y++) {
      const uint8_t *row = reader->band + (size_t)(above + y) * stride + (size_t)part.x * 4;
      memcpy(cic_rows_next(&reader->rows), row, (size_t)part.width * 4);
      cic_rows_add(&reader->rows);
    }
  }
  return CIC_OK;
}

cic_status cic_avif_convert(struct avif_reader *reader, struct heif_rectangle part, const cic_target *target) {
  const cic_status status = convert(reader, part, target);
  end_conversion(reader);
  return status;
}

const char *cic_avif_read_colors(struct avif_reader *reader, uint64_t pixels, const cic_limits *limits) {
  const struct avif_picture *picture = reader->decoder->picture;
  const char *problem = NULL;
  if (picture->profile.count > 0) {
    const enum color_model model = picture->yuv_format == avif_yuv400 ? colors_gray : colors_rgb;
    const cic_input profile = {picture->profile.bytes, picture->profile.count, false};
    problem = cic_color_by_profile(&reader->color, profile, model, pixels, limits);
    if (problem == NULL) return NULL;
  }
  const char *other = cic_color_by_numbers(&reader->color, picture->primaries, picture->transfer);
  return problem != NULL ? problem : other;
}

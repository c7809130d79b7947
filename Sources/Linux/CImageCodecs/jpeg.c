#include <inttypes.h>
#include <string.h>

#include "jpeg_reader.h"
#include "metadata.h"

static bool begins(const struct jpeg_marker *marker, const char *signature, size_t count) {
  return marker->length > count && memcmp(marker->body, signature, count) == 0;
}

// Searches the bytes for the EXIF and the XMP segment. jpeg_save_markers would be too slow, because it walks a whole list to append each
// segment. Its time is quadratic in the number of segments, and a megabyte can have 250,000 empty segments.
static int orientation_of(cic_input input) {
  static const char exif_signature[] = "Exif\0", xmp_signature[] = "http://ns.adobe.com/xap/1.0/";
  struct jpeg_marker marker = {.next = input.bytes};
  int exif = 0, xmp = 0;
  while (exif == 0 && cic_jpeg_next_marker(&marker, input.bytes + input.count) && marker.code != JPEG_SOS && marker.code != JPEG_EOI) {
    if (marker.code != JPEG_APP0 + 1) continue;
    if (begins(&marker, exif_signature, sizeof exif_signature)) {
      exif = cic_exif_tag(marker.body + sizeof exif_signature, marker.length - sizeof exif_signature);
    } else if (xmp == 0 && begins(&marker, xmp_signature, sizeof xmp_signature)) {
      xmp = cic_xmp_tag(marker.body + sizeof xmp_signature, marker.length - sizeof xmp_signature);
    }
  }
  return cic_orientation(exif, xmp);
}

static void run_info(struct jpeg_reader *reader, cic_input input, cic_info *info) {
  if (setjmp(reader->escape)) return;
  cic_jpeg_read_header(reader, input);
  struct jpeg_decompress_struct *jpeg = &reader->jpeg;
  *info = (cic_info){
      .width = jpeg->image_width,
      .height = jpeg->image_height,
      .orientation = orientation_of(input),
      .progressive = jpeg->progressive_mode,
      .components = jpeg->num_components,
      .bits = jpeg->data_precision,
      .frames = 1,
      .coefficient_bytes = cic_jpeg_coefficient_bytes(reader),
  };
}

cic_status cic_jpeg_info(cic_input input, cic_info *info, char *message) {
  struct jpeg_reader reader = {.message = message};
  run_info(&reader, input, info);
  return cic_jpeg_finish(&reader);
}

static void check_limits(struct jpeg_reader *reader, const cic_limits *limits, const cic_target *target) {
  struct jpeg_decompress_struct *jpeg = &reader->jpeg;
  reader->status = cic_check_target(limits, jpeg->image_width, jpeg->image_height, target, reader->message);
  if (reader->status != CIC_OK) longjmp(reader->escape, 1);
}

// Call this after cic_jpeg_leave_out, because coefficients that are left out do not count.
static void check_coefficients(struct jpeg_reader *reader, const cic_limits *limits) {
  const uint64_t needed = cic_jpeg_coefficient_bytes(reader);
  if (needed <= limits->coefficient_bytes) return;
  char text[CIC_MESSAGE_SIZE];
  snprintf(
      text, sizeof text,
      "a progressive JPEG that takes %" PRIu64 " bytes to decode, of %" PRIu64
      " allowed; request an eighth of its size or less, or raise DecodingLimits.maxBytes",
      needed, limits->coefficient_bytes);
  cic_jpeg_fail(reader, CIC_TOO_LARGE, text);
}

static void choose_colors(struct jpeg_reader *reader) {
  struct jpeg_decompress_struct *jpeg = &reader->jpeg;
  switch (jpeg->jpeg_color_space) {
    case JCS_GRAYSCALE:
    case JCS_RGB:
    case JCS_YCbCr: jpeg->out_color_space = JCS_EXT_RGBA; return;
    case JCS_CMYK:
    case JCS_YCCK: jpeg->out_color_space = JCS_CMYK; return;
    default: cic_jpeg_fail(reader, CIC_UNSUPPORTED, "a JPEG with an unusual color space");
  }
}

// Whether a side that is reduced to n eighths has enough pixels: exactly the wanted number, or at least a tenth more. Returns false for a
// side of less than eight blocks, because a small image takes almost no time to decode in full. The reduced side has n * side / 8 pixels.
// libjpeg rounds this number up, so up to seven eighths of the last pixel may be padding.
static bool serves(uint64_t n, uint64_t side, uint64_t wanted) {
  const bool is_just_right = (n * side + 7) / 8 == wanted;
  return side >= 8 * DCTSIZE && (is_just_right || n * side * 10 >= wanted * 8 * 11);
}

// Whether a side that is reduced to n eighths has at least 1.8 times the wanted number of pixels, which is enough for a good result. A good
// result is close to the result of filtering the whole image. On photos, the two results agree to about 46 dB. If an eighth has exactly the
// wanted size, each pixel is a mean of 8 x 8 pixels, and the results agree only to 37 dB.
static bool serves_well(uint64_t n, uint64_t side, uint64_t wanted) { return serves(n, side, wanted) && n * side * 5 >= wanted * 8 * 9; }

typedef bool is_enough(uint64_t n, uint64_t side, uint64_t wanted);

static uint32_t smallest_eighth(const struct jpeg_decompress_struct *jpeg, const cic_target *target, is_enough *is_enough) {
  uint32_t n = 1;
  while (n < 8 && !(is_enough(n, jpeg->image_width, target->width) && is_enough(n, jpeg->image_height, target->height))) n++;
  return n;
}

// Chooses between two scales: `least`, the smallest that serves, and `good`, the smallest that serves well. Chooses `good` if it is cheap.
// If decoding the codes takes most of the time, `good` is cheap, because it takes only a fifth more time than `least`. It is not cheap in
// three cases: if it is more than a half of each side, if the file has less than a bit per pixel (and so has little detail to lose), or if
// the image has several scans and an eighth serves (because an eighth needs only few of the codes). If `good` is three eighths, four
// eighths are chosen instead of it. They take less time, because libjpeg-turbo has vector code only for one, two, four, and eight eighths.
static void choose_scale(struct jpeg_reader *reader, const cic_target *target) {
  struct jpeg_decompress_struct *jpeg = &reader->jpeg;
  const uint32_t least = smallest_eighth(jpeg, target, serves), good = smallest_eighth(jpeg, target, serves_well);
  const bool has_scans = jpeg_has_multiple_scans(jpeg);
  // The total size of a partial file is unknown. With a single scan, the file counts as dense, so that its rows look as in the final image.
  // With several scans, later scans refine the rows anyway.
  const bool is_dense =
      (reader->suspends && !has_scans) || (uint64_t)reader->input.count * 8 >= (uint64_t)jpeg->image_width * jpeg->image_height;
  const bool is_cheap = good <= 4 && is_dense && !(least == 1 && has_scans);
  jpeg->scale_num = !is_cheap ? least : good == 3 ? 4 : good;
  jpeg->scale_denom = 8;
}

// Fails if an image with several scans is incomplete. libjpeg has read the whole input before the first row. If the input has no end
// marker, every component must have had a scan, and in a progressive file, every coefficient must have had its last bit. A file with
// arithmetic coding and without an end marker counts as incomplete, because the arithmetic decoder never reports that bits are missing.
static void check_complete(struct jpeg_reader *reader) {
  if (!reader->ended) return;
  const struct jpeg_decompress_struct *jpeg = &reader->jpeg;
  bool complete = !jpeg->arith_code;
  for (int i = 0; i < jpeg->num_components && complete; i++) {
    complete = jpeg->comp_info[i].quant_table != NULL;
    for (int k = 0; k < DCTSIZE2 && complete && jpeg->coef_bits != NULL; k++) complete = jpeg->coef_bits[i][k] == 0;
  }
  if (!complete) cic_jpeg_fail_truncated(reader);
}

// Multiplies the colors by black, for images without a profile. The file stores the inks inverted, as amounts of light. Adobe introduced
// the inversion, and all other readers expect it even in files without Adobe's segment.
static void cmyk_to_rgba(uint8_t *row, uint32_t width) {
  for (uint8_t *pixel = row; width > 0; width--, pixel += 4) {
    const uint32_t light = pixel[3];
    for (int i = 0; i < 3; i++) pixel[i] = (uint8_t)((pixel[i] * light + 127) / 255);
    pixel[3] = 0xFF;
  }
}

static void read_rows(struct jpeg_reader *reader, const cic_target *target) {
  struct jpeg_decompress_struct *jpeg = &reader->jpeg;
  const uint32_t eighths = jpeg->scale_num;
  const struct reducer_source source = {jpeg->output_width, jpeg->image_width * eighths, jpeg->image_height * eighths, 8};
  if (!cic_rows_start(&reader->rows, source, false, &reader->color, target)) cic_jpeg_fail(reader, CIC_NO_MEMORY, "out of memory");
  while (jpeg->output_scanline < jpeg->output_height) {
    JSAMPROW row = cic_rows_next(&reader->rows);
    if (jpeg_read_scanlines(jpeg, &row, 1) != 1) {
      if (!reader->suspends) cic_jpeg_fail(reader, CIC_CORRUPT, "the JPEG's pixels are broken");
      if (!cic_rows_leave(&reader->rows)) cic_jpeg_fail_truncated(reader);
      return;
    }
    if (jpeg->out_color_space == JCS_CMYK && !reader->color.has_inks) cmyk_to_rgba(row, jpeg->output_width);
    cic_rows_add(&reader->rows);
  }
}

// Reads all scans that have arrived, so that they can be shown. Otherwise, libjpeg would wait for the last scan.
static void read_scans(struct jpeg_reader *reader) {
  struct jpeg_decompress_struct *jpeg = &reader->jpeg;
  int whole = 0, status = JPEG_REACHED_SOS;
  while (status != JPEG_SUSPENDED && status != JPEG_REACHED_EOI) {
    status = jpeg_consume_input(jpeg);
    if (status == JPEG_SCAN_COMPLETED) whole = jpeg->input_scan_number;
  }
  // After a complete scan, libjpeg would wait for the next scan, because it uses that scan to smooth the last rows. An end marker makes it
  // continue.
  if (status == JPEG_SUSPENDED && whole == jpeg->input_scan_number) {
    jpeg->unread_marker = JPEG_EOI;
    jpeg_consume_input(jpeg);
  }
  // Until the first scan is complete, only its rows that have arrived are shown. After that, every row is shown, and is finer where a later
  // scan has arrived.
  if (!jpeg_start_output(jpeg, whole > 0 ? whole : 1)) cic_jpeg_fail_truncated(reader);
}

static void run_decode(
    struct jpeg_reader *reader, cic_input input, const cic_limits *limits, const cic_target *target, cic_result *result) {
  if (setjmp(reader->escape)) return;
  cic_jpeg_read_header(reader, input);
  struct jpeg_decompress_struct *jpeg = &reader->jpeg;
  check_limits(reader, limits, target);
  choose_colors(reader);
  result->ignored_profile = cic_jpeg_read_profile(reader, limits, target);
  choose_scale(reader, target);
  jpeg->dct_method = JDCT_ISLOW;
  // The arithmetic decoder cannot suspend and resume.
  if (reader->suspends && jpeg->arith_code) cic_jpeg_fail_truncated(reader);
  const bool has_scans = jpeg_has_multiple_scans(jpeg);
  if (has_scans) {
    cic_jpeg_check_scans(reader, limits);
    if (!reader->suspends) {
      cic_jpeg_leave_trailer(reader);
      cic_jpeg_leave_out(reader, target);
    }
    check_coefficients(reader, limits);
    cic_jpeg_keep_blocks(jpeg);
  }
  jpeg->buffered_image = reader->suspends && has_scans;
  if (!jpeg_start_decompress(jpeg)) cic_jpeg_fail_truncated(reader);
  if (jpeg->buffered_image) {
    read_scans(reader);
  } else if (has_scans) {
    check_complete(reader);
  }
  read_rows(reader, target);
  if (reader->ended && jpeg->arith_code) cic_jpeg_fail_truncated(reader);
  // Reads up to the next marker, because libjpeg warns there about unused coded bytes. This warning is needed because the fast loop of
  // libjpeg-turbo does not warn about invalid codes.
  reader->has_rows = true;
  if (!has_scans && !reader->ended && !reader->suspends) jpeg_consume_input(jpeg);
}

cic_status cic_jpeg_decode(cic_input input, const cic_limits *limits, const cic_target *target, cic_result *result, char *message) {
  struct jpeg_reader reader = {.message = message};
  run_decode(&reader, input, limits, target, result);
  if (reader.status == CIC_OK && !input.is_beginning) reader.status = cic_jpeg_check_damage(&reader, &result->missing);
  result->warnings = reader.errors.num_warnings;
  return cic_jpeg_finish(&reader);
}

#include "jpeg_reader.h"

#include <stdio.h>

#include <jerror.h>

#include "jpeg_process.h"

// The cast is valid because libjpeg's object is the first field of the reader.
static struct jpeg_reader *reader_of(j_common_ptr jpeg) { return (struct jpeg_reader *)jpeg; }

_Noreturn void cic_jpeg_fail(struct jpeg_reader *reader, cic_status status, const char *text) {
  reader->status = status;
  cic_write_message(reader->message, text);
  longjmp(reader->escape, 1);
}

_Noreturn void cic_jpeg_fail_truncated(struct jpeg_reader *reader) {
  cic_jpeg_fail(reader, CIC_TRUNCATED, "the JPEG data ends before the image does");
}

static void fail_blocks(j_common_ptr jpeg, cic_status status, const char *text) { cic_jpeg_fail(reader_of(jpeg), status, text); }

static cic_status status_of(int code) {
  switch (code) {
    case JERR_IMAGE_TOO_BIG:
    case JERR_WIDTH_OVERFLOW: return CIC_TOO_LARGE;
    case JERR_OUT_OF_MEMORY: return CIC_NO_MEMORY;
    case JERR_BAD_PRECISION:
    case JERR_SOF_UNSUPPORTED:
    case JERR_ARITH_NOTIMPL:
    case JERR_CCIR601_NOTIMPL:
    case JERR_CONVERSION_NOTIMPL:
    case JERR_FRACT_SAMPLE_NOTIMPL:
    case JERR_NOT_COMPILED: return CIC_UNSUPPORTED;
    default: return CIC_CORRUPT;
  }
}

static void on_error(j_common_ptr jpeg) {
  struct jpeg_reader *reader = reader_of(jpeg);
  if (reader->has_rows) longjmp(reader->escape, 1);
  // After the end of the input, libjpeg reads padding. An error in the padding means that the file was truncated.
  if (reader->ended) cic_jpeg_fail_truncated(reader);
  const cic_status status = status_of(jpeg->err->msg_code);
  const char *what = status == CIC_TOO_LARGE     ? "a JPEG with sides that libjpeg does not allow"
                     : status == CIC_UNSUPPORTED ? "a kind of JPEG that libjpeg does not decode"
                                                 : "the JPEG data is broken";
  char words[JMSG_LENGTH_MAX], text[CIC_MESSAGE_SIZE];
  jpeg->err->format_message(jpeg, words);
  snprintf(text, sizeof text, "%s (libjpeg: %.120s)", what, words);
  cic_jpeg_fail(reader, status, text);
}

static bool is_restart(int marker) { return marker >= JPEG_RST0 && marker < JPEG_RST0 + 8; }

static bool has_end(const struct jpeg_reader *reader) {
  struct jpeg_marker marker = {.next = reader->input.bytes};
  while (cic_jpeg_next_marker(&marker, reader->input.bytes + reader->input.count)) {
    if (marker.code == JPEG_EOI) return true;
  }
  return false;
}

// Records the rows that libjpeg is about to fill in. At a marker that comes too early, libjpeg fills in everything up to the next restart,
// or up to the end of the scan. At an invalid code, it assumes a zero, and decodes the following bits whatever they mean.
static void note_damage(struct jpeg_reader *reader, int code) {
  const struct jpeg_decompress_struct *jpeg = &reader->jpeg;
  struct jpeg_damage *damage = &reader->damage;
  // JWRN_EXTRANEOUS_DATA reports unused bytes. If an end marker, a scan, or a restart marker follows them, they belong to the image.
  // Otherwise, they are a trailer.
  const int found = jpeg->err->msg_parm.i[1];
  if (code == JWRN_EXTRANEOUS_DATA && (found == JPEG_EOI || found == JPEG_SOS || is_restart(found))) damage->has_excess = true;
  if (code != JWRN_HIT_MARKER && code != JWRN_HUFF_BAD_CODE && code != JWRN_ARITH_BAD_CODE && code != JWRN_MUST_RESYNC) return;
  if (jpeg->input_scan_number != damage->scan) {
    damage->scan = jpeg->input_scan_number;
    damage->rows = damage->next = 0;
  }
  const uint32_t row = jpeg->input_iMCU_row;
  const bool is_rest = code == JWRN_HIT_MARKER && (jpeg->restart_interval == 0 || !is_restart(jpeg->unread_marker));
  uint32_t end = row + 1;
  // Only an end marker proves that the file was not truncated.
  if (is_rest && !reader->suspends && !has_end(reader)) cic_jpeg_fail_truncated(reader);
  if (is_rest) end = jpeg->total_iMCU_rows;
  else if (code != JWRN_HUFF_BAD_CODE && jpeg->MCUs_per_row > 0) end += jpeg->restart_interval / jpeg->MCUs_per_row;
  if (end > jpeg->total_iMCU_rows) end = jpeg->total_iMCU_rows;
  const uint32_t start = row > damage->next ? row : damage->next;
  if (end > start) damage->rows += end - start;
  if (end > damage->next) damage->next = end;
  if (damage->rows > damage->most) damage->most = damage->rows;
  // If a later scan of a progressive image is missing, the rows only have less detail.
  const bool is_first = !jpeg->progressive_mode || (jpeg->Ss == 0 && jpeg->Ah == 0);
  if (is_rest && is_first && end - row > damage->absent) damage->absent = end - row;
}

cic_status cic_jpeg_check_damage(const struct jpeg_reader *reader, double *missing) {
  const uint32_t rows = reader->jpeg.total_iMCU_rows;
  // Unused coded bytes show that earlier bytes are wrong, in at least one row. If the file has no end marker, the unused bytes are a
  // trailer.
  const uint32_t damaged = reader->damage.most == 0 && reader->damage.has_excess && has_end(reader) ? 1 : reader->damage.most;
  if (damaged == 0 || rows == 0) return CIC_OK;
  if (reader->damage.absent * 2 >= rows) {
    cic_write_message(reader->message, "the JPEG's pixels are damaged: half of its rows or more have no data");
    return CIC_CORRUPT;
  }
  const double share = (double)damaged / rows;
  *missing = share < 0.9 ? share : 0.9;
  return CIC_OK;
}

static void on_message(j_common_ptr jpeg, int level) {
  if (level >= 0) return;
  struct jpeg_reader *reader = reader_of(jpeg);
  jpeg->err->num_warnings++;
  // After the end of the input, each of these two warnings means that the decoder was about to fill in a row.
  const int code = jpeg->err->msg_code;
  if (reader->ended && (code == JWRN_HIT_MARKER || code == JWRN_MUST_RESYNC)) cic_jpeg_fail_truncated(reader);
  if (reader->in_image) note_damage(reader, code);
}

static void print_nothing(j_common_ptr jpeg) { (void)jpeg; }

static void source_nothing(j_decompress_ptr jpeg) { (void)jpeg; }

// Supplies bytes when libjpeg has none left. At the end of the input, supplies an end-of-image marker, because the decoder reads some bytes
// beyond the last row. on_message and check_complete check later whether a row is missing. If more bytes will follow, makes libjpeg stop
// before the first incomplete block.
static boolean source_fill(j_decompress_ptr jpeg) {
  static const JOCTET end_of_image[] = {0xFF, JPEG_EOI};
  struct jpeg_reader *reader = reader_of((j_common_ptr)jpeg);
  if (cic_jpeg_next_lines(reader) || cic_jpeg_next_part(reader)) return TRUE;
  if (reader->suspends) {
    jpeg->src->bytes_in_buffer = 0;
    return FALSE;
  }
  reader->ended = true;
  if (!reader->in_image) cic_jpeg_fail_truncated(reader);
  jpeg->src->next_input_byte = end_of_image;
  jpeg->src->bytes_in_buffer = sizeof end_of_image;
  return TRUE;
}

static void source_skip(j_decompress_ptr jpeg, long count) {
  if (count <= 0) return;
  struct jpeg_source_mgr *source = jpeg->src;
  if ((unsigned long)count > source->bytes_in_buffer) {
    source_fill(jpeg);
  } else {
    source->next_input_byte += count;
    source->bytes_in_buffer -= count;
  }
}

void cic_jpeg_read_header(struct jpeg_reader *reader, cic_input input) {
  struct jpeg_decompress_struct *jpeg = &reader->jpeg;
  jpeg->err = jpeg_std_error(&reader->errors);
  reader->errors.error_exit = on_error;
  reader->errors.emit_message = on_message;
  reader->errors.output_message = print_nothing;
  reader->blocks.fail = fail_blocks;
  jpeg->client_data = &reader->blocks;
  reader->input = input;
  jpeg_create_decompress(jpeg);
  if (!cic_jpeg_has_known_process(input, reader->message)) {
    reader->status = CIC_UNSUPPORTED;
    longjmp(reader->escape, 1);
  }
  reader->source = (struct jpeg_source_mgr){
      .next_input_byte = input.bytes,
      .bytes_in_buffer = input.count,
      .init_source = source_nothing,
      .fill_input_buffer = source_fill,
      .skip_input_data = source_skip,
      .resync_to_restart = jpeg_resync_to_restart,
      .term_source = source_nothing,
  };
  jpeg->src = &reader->source;
  cic_jpeg_define_lines(reader);
  reader->suspends = input.is_beginning;
  if (jpeg_read_header(jpeg, TRUE) == JPEG_SUSPENDED) cic_jpeg_fail_truncated(reader);
  reader->in_image = true;
}

cic_status cic_jpeg_finish(struct jpeg_reader *reader) {
  jpeg_destroy_decompress(&reader->jpeg);
  cic_jpeg_free_blocks(&reader->blocks);
  cic_rows_end(&reader->rows);
  cic_color_end(&reader->color);
  return reader->status;
}

#include <string.h>

#include "jpeg_reader.h"

// Whether the marker begins a scan that is left out. Such a scan has only higher coefficients of one component, and the reader uses only
// the first coefficient of each block of that component.
static bool is_left_out(const struct jpeg_reader *reader, const struct jpeg_marker *marker) {
  const struct jpeg_decompress_struct *jpeg = &reader->jpeg;
  if (marker->code != JPEG_SOS || marker->length != 6 || marker->body[0] != 1 || marker->body[3] == 0) return false;
  for (int i = 0; i < jpeg->num_components; i++) {
    if (jpeg->comp_info[i].component_id == marker->body[1]) return reader->blocks.keeps_first[i];
  }
  return false;
}

// Makes libjpeg read from `start` up to the next scan that is left out, or up to the end of the input if there is no such scan.
static void begin_part(struct jpeg_reader *reader, const uint8_t *start) {
  const uint8_t *end = reader->input.bytes + reader->input.count;
  struct jpeg_marker marker = {.next = start};
  reader->left_out = NULL;
  while (reader->left_out == NULL && cic_jpeg_next_marker(&marker, end) && marker.code != JPEG_EOI) {
    if (is_left_out(reader, &marker)) reader->left_out = marker.start;
  }
  reader->source.next_input_byte = start;
  reader->source.bytes_in_buffer = (size_t)((reader->left_out != NULL ? reader->left_out : end) - start);
}

bool cic_jpeg_next_part(struct jpeg_reader *reader) {
  if (reader->left_out == NULL) return false;
  struct jpeg_marker marker = {.next = reader->left_out};
  do {
    if (!cic_jpeg_next_marker(&marker, reader->input.bytes + reader->input.count)) return false;
  } while (is_left_out(reader, &marker) || cic_jpeg_is_restart(&marker));
  begin_part(reader, marker.start);
  return true;
}

// Returns the larger side, in pixels, of the area that libjpeg outputs for one block.
static int shown_size(const jpeg_component_info *component) {
#if JPEG_LIB_VERSION >= 70
  return component->DCT_h_scaled_size > component->DCT_v_scaled_size ? component->DCT_h_scaled_size : component->DCT_v_scaled_size;
#else
  return component->DCT_scaled_size;
#endif
}

// Updates `missing`, which has one bit for each coefficient of a component. A coefficient is missing until a scan contains its last bits.
// Returns false for a scan that libjpeg would refuse.
static bool note_scan(const struct jpeg_decompress_struct *jpeg, const struct jpeg_marker *scan, uint64_t *missing) {
  const size_t components = scan->length > 0 ? scan->body[0] : 0;
  if (scan->length != 4 + 2 * components) return false;
  const uint8_t *range = scan->body + 1 + 2 * components, first = range[0], last = range[1];
  if (first > last || last >= DCTSIZE2) return false;
  const uint64_t these = UINT64_MAX >> (DCTSIZE2 - 1 - last) & UINT64_MAX << first;
  const bool are_last_bits = (range[2] & 15) == 0;
  for (size_t k = 0; k < components; k++) {
    for (int i = 0; i < jpeg->num_components; i++) {
      if (jpeg->comp_info[i].component_id != scan->body[1 + 2 * k]) continue;
      missing[i] = are_last_bits ? missing[i] & ~these : missing[i] | these;
    }
  }
  return true;
}

// Whether the file has an end marker, and all data of each component precedes it. In other files, libjpeg fills in the missing data.
static bool is_complete(const struct jpeg_reader *reader) {
  const struct jpeg_decompress_struct *jpeg = &reader->jpeg;
  uint64_t missing[MAX_COMPONENTS] = {0}, any = 0;
  for (int i = 0; i < jpeg->num_components; i++) missing[i] = UINT64_MAX;
  struct jpeg_marker marker = {.next = reader->input.bytes};
  do {
    if (!cic_jpeg_next_marker(&marker, reader->input.bytes + reader->input.count)) return false;
    if (marker.code == JPEG_SOS && !note_scan(jpeg, &marker, missing)) return false;
  } while (marker.code != JPEG_EOI);
  for (int i = 0; i < jpeg->num_components; i++) any |= missing[i];
  return any == 0;
}

static uint64_t round_up(uint64_t value, uint64_t step) { return (value + step - 1) / step * step; }

uint64_t cic_jpeg_coefficient_bytes(struct jpeg_reader *reader) {
  struct jpeg_decompress_struct *jpeg = &reader->jpeg;
  if (!jpeg_has_multiple_scans(jpeg)) return 0;
  uint64_t coefficients = 0;
  for (int i = 0; i < jpeg->num_components; i++) {
    const jpeg_component_info *component = &jpeg->comp_info[i];
    coefficients += round_up(component->width_in_blocks, (uint64_t)component->h_samp_factor) *
                    round_up(component->height_in_blocks, (uint64_t)component->v_samp_factor) *
                    (reader->blocks.keeps_first[i] ? 1 : DCTSIZE2);
  }
  return coefficients * sizeof(JCOEF);
}

// If the coefficients that have to be stored need more bytes than this, the reader may keep only the first coefficient of each block of
// chroma.
static const uint64_t many_bytes = 8 << 20;

void cic_jpeg_leave_out(struct jpeg_reader *reader, const cic_target *target) {
  struct jpeg_decompress_struct *jpeg = &reader->jpeg;
  if (!is_complete(reader)) return;
  jpeg_calc_output_dimensions(jpeg);
  bool *keeps_first = reader->blocks.keeps_first;
  for (int i = 0; i < jpeg->num_components; i++) keeps_first[i] = shown_size(&jpeg->comp_info[i]) == 1;
  const bool is_tiny = (target->width - 1) * 4 < jpeg->output_width && (target->height - 1) * 4 < jpeg->output_height;
  if (keeps_first[0] && is_tiny && cic_jpeg_coefficient_bytes(reader) > many_bytes) memset(keeps_first, true, MAX_COMPONENTS);
  if (!jpeg->progressive_mode) return;
  // Smoothing would fill in the coefficients that are left out.
  jpeg->do_block_smoothing = FALSE;
  begin_part(reader, reader->source.next_input_byte);
}

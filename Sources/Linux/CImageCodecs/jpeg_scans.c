#include "jpeg_reader.h"

// Returns the number of blocks in the scan. A refining scan counts three times, because it reads each coefficient and takes about three
// times as long.
static uint64_t visits(const struct jpeg_decompress_struct *jpeg, const struct jpeg_marker *scan) {
  const uint8_t *header = scan->body;
  const size_t components = scan->length > 0 ? header[0] : 0;
  if (scan->length < 4 + 2 * components) return 0;
  const bool refines = jpeg->progressive_mode && header[1 + 2 * components] > 0 && header[3 + 2 * components] >> 4 > 0;
  uint64_t blocks = 0;
  for (size_t i = 0; i < components; i++) {
    for (int k = 0; k < jpeg->num_components; k++) {
      const jpeg_component_info *component = &jpeg->comp_info[k];
      if (component->component_id != header[1 + 2 * i]) continue;
      blocks += (uint64_t)component->width_in_blocks * component->height_in_blocks;
    }
  }
  return blocks * (refines ? 3 : 1);
}

void cic_jpeg_check_scans(struct jpeg_reader *reader, const cic_limits *limits) {
  // If the limit is a hundred million pixels, the scans of an image may have thirty million blocks in total. So many blocks take less than
  // a second, and encoders write far fewer.
  uint64_t left = limits->pixels * 3 / 10;
  uint32_t scans = 0;
  struct jpeg_marker marker = {.next = reader->input.bytes};
  while (cic_jpeg_next_marker(&marker, reader->input.bytes + reader->input.count) && marker.code != JPEG_EOI) {
    if (marker.code != JPEG_SOS) continue;
    if (++scans > limits->scans) cic_jpeg_fail(reader, CIC_TOO_LARGE, "a JPEG with more scans than allowed; save it again with fewer");
    const uint64_t needed = visits(&reader->jpeg, &marker);
    if (needed > left) {
      cic_jpeg_fail(
          reader, CIC_TOO_LARGE,
          "a JPEG whose scans pass over the image more often than allowed at its size; raise DecodingLimits.maxPixels");
    }
    left -= needed;
  }
}

// Whether the segment may occur between the scans of an image. The header of a scan has the number of its components, two bytes for each of
// them, and three more bytes (ITU-T T.81, B.2.3).
static bool is_between_scans(const struct jpeg_marker *marker) {
  enum { define_arithmetic = 0xCC, define_huffman = 0xC4, define_restarts = 0xDD };
  const uint8_t code = marker->code;
  if (code == JPEG_SOS) return marker->length > 0 && marker->length == 4 + 2 * (size_t)marker->body[0];
  const bool is_table = code == define_huffman || code == define_arithmetic || (code > JPEG_SOS && code <= define_restarts);
  return is_table || code == 0xFE || (code >= JPEG_APP0 && code < JPEG_APP0 + 16);
}

void cic_jpeg_leave_trailer(struct jpeg_reader *reader) {
  const uint8_t *end = reader->input.bytes + reader->input.count;
  struct jpeg_marker marker = {.next = reader->input.bytes};
  bool has_scan = false;
  while (cic_jpeg_next_marker(&marker, end) && marker.code != JPEG_EOI) {
    if (has_scan && !cic_jpeg_is_restart(&marker) && !is_between_scans(&marker)) {
      const size_t left_out = (size_t)(end - marker.start);
      reader->input.count -= left_out;
      reader->source.bytes_in_buffer -= left_out;
      return;
    }
    has_scan = has_scan || marker.code == JPEG_SOS;
  }
}

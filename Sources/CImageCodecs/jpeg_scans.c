#include <string.h>

#include "jpeg_reader.h"

// ITU-T T.81, annex B: a marker is 0xFF and a byte that is neither 0x00 nor 0xFF; most are followed by a length of two bytes that counts
// itself. What stands between a scan's header and the next marker are its codes.

static bool has_length(uint8_t marker) { return marker >= 0xC0 && (marker < JPEG_RST0 || marker > JPEG_EOI); }

// How many blocks the scan passes over. One that refines what there is looks at each coefficient, and takes about three times as long.
static uint64_t visits(const struct jpeg_decompress_struct *jpeg, const uint8_t *header, size_t length) {
  const size_t components = header[0];
  if (length < 4 + 2 * components) return 0;
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

void cic_jpeg_check_scans(struct jpeg_reader *reader, cic_input input, const cic_limits *limits) {
  // For a hundred million pixels thirty million blocks: less than a second, and some times what encoders write.
  uint64_t left = limits->pixels * 3 / 10;
  uint32_t scans = 0;
  const uint8_t *next = input.bytes, *end = input.bytes + input.count;
  while ((next = memchr(next, 0xFF, (size_t)(end - next))) != NULL && end - next > 5) {
    const uint8_t marker = next[1];
    next++;
    if (marker == JPEG_EOI) return;
    if (!has_length(marker) || marker == 0xFF) continue;
    const size_t length = (size_t)next[1] << 8 | next[2];
    if (length < 2 || (size_t)(end - next) <= length) return;
    if (marker == 0xDA && length > 2) {
      const uint64_t needed = visits(&reader->jpeg, next + 3, length - 2);
      if (++scans > limits->scans || needed > left) cic_jpeg_fail(reader, CIC_TOO_LARGE, "too large: more scans than allowed");
      left -= needed;
    }
    next += length;
  }
}

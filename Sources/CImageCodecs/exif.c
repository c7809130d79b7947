#include "CImageCodecs.h"

// TIFF 6.0, section 2: byte order, 42, offset of the first directory; a directory is a count and entries of 12 bytes.

struct tiff {
  const uint8_t *bytes;
  size_t count;
  bool big_endian;
};

static bool read_u16(const struct tiff *tiff, size_t offset, uint32_t *value) {
  if (tiff->count < 2 || offset > tiff->count - 2) return false;
  const uint8_t *p = tiff->bytes + offset;
  *value = tiff->big_endian ? (uint32_t)p[0] << 8 | p[1] : (uint32_t)p[1] << 8 | p[0];
  return true;
}

static bool read_u32(const struct tiff *tiff, size_t offset, uint32_t *value) {
  uint32_t first, second;
  if (!read_u16(tiff, offset, &first) || !read_u16(tiff, offset + 2, &second)) return false;
  *value = tiff->big_endian ? first << 16 | second : second << 16 | first;
  return true;
}

int cic_exif_orientation(const uint8_t *bytes, size_t count) {
  enum { orientation_tag = 0x0112, type_short = 3, type_long = 4, entry_size = 12 };
  struct tiff tiff = {bytes, count, false};
  if (count < 8) return 1;
  if (bytes[0] == 'M' && bytes[1] == 'M') {
    tiff.big_endian = true;
  } else if (bytes[0] != 'I' || bytes[1] != 'I') {
    return 1;
  }
  uint32_t magic, directory, entries;
  if (!read_u16(&tiff, 2, &magic) || magic != 42) return 1;
  if (!read_u32(&tiff, 4, &directory) || !read_u16(&tiff, directory, &entries)) return 1;
  for (uint32_t i = 0; i < entries; i++) {
    size_t entry = (size_t)directory + 2 + (size_t)i * entry_size;
    uint32_t tag, type, values, value;
    if (!read_u16(&tiff, entry, &tag)) return 1;
    if (tag != orientation_tag) continue;
    if (!read_u16(&tiff, entry + 2, &type) || !read_u32(&tiff, entry + 4, &values) || values != 1) return 1;
    // A SHORT stands at the left of its 4 bytes in either byte order. Some writers use LONG.
    bool known = type == type_short  ? read_u16(&tiff, entry + 8, &value)
                 : type == type_long ? read_u32(&tiff, entry + 8, &value)
                                     : false;
    return known && value >= 1 && value <= 8 ? (int)value : 1;
  }
  return 1;
}

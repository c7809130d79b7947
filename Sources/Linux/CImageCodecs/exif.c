#include "CImageCodecs.h"
#include "metadata.h"

// A TIFF structure (TIFF 6.0, section 2) begins with the byte order, the number 42, and the offset of the first directory. A directory
// consists of a count, and entries of 12 bytes.

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

// Reads the value of an entry from the last 4 bytes of the entry. In both byte orders, the value is left-aligned. The standard requires the
// type SHORT for an orientation, but writers use all types that are read here.
static bool read_value(const struct tiff *tiff, size_t offset, uint32_t type, uint32_t *value) {
  enum { byte = 1, short_ = 3, long_ = 4, signed_byte = 6, signed_short = 8, signed_long = 9 };
  switch (type) {
    case byte:
    case signed_byte:
      if (offset >= tiff->count) return false;
      *value = tiff->bytes[offset];
      return true;
    case short_:
    case signed_short: return read_u16(tiff, offset, value);
    case long_:
    case signed_long: return read_u32(tiff, offset, value);
    default: return false;
  }
}

int cic_exif_tag(const uint8_t *bytes, size_t count) {
  enum { orientation_tag = 0x0112, entry_size = 12 };
  struct tiff tiff = {bytes, count, false};
  if (count < 8) return 0;
  if (bytes[0] == 'M' && bytes[1] == 'M') {
    tiff.big_endian = true;
  } else if (bytes[0] != 'I' || bytes[1] != 'I') {
    return 0;
  }
  uint32_t magic, directory, entries;
  if (!read_u16(&tiff, 2, &magic) || magic != 42) return 0;
  if (!read_u32(&tiff, 4, &directory) || !read_u16(&tiff, directory, &entries)) return 0;
  for (uint32_t i = 0; i < entries; i++) {
    size_t entry = (size_t)directory + 2 + (size_t)i * entry_size;
    uint32_t tag, type, values, value;
    if (!read_u16(&tiff, entry, &tag)) return 0;
    if (tag != orientation_tag) continue;
    if (!read_u16(&tiff, entry + 2, &type) || !read_u32(&tiff, entry + 4, &values) || values != 1) return 0;
    return read_value(&tiff, entry + 8, type, &value) && value >= 1 && value <= 8 ? (int)value : 0;
  }
  return 0;
}

int cic_exif_orientation(const uint8_t *bytes, size_t count) { return cic_orientation(cic_exif_tag(bytes, count), 0); }

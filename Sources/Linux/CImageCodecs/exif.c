#include <string.h>

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

enum { orientation_tag = 0x0112, entry_size = 12 };

// A directory. Its entries, of 12 bytes each, begin at `start`.
struct directory {
  size_t start;
  uint32_t entries;
};

static bool read_header(struct tiff *tiff, uint32_t *directory) {
  if (tiff->count < 8) return false;
  tiff->big_endian = tiff->bytes[0] == 'M' && tiff->bytes[1] == 'M';
  uint32_t magic;
  if (!tiff->big_endian && (tiff->bytes[0] != 'I' || tiff->bytes[1] != 'I')) return false;
  return read_u16(tiff, 2, &magic) && magic == 42 && read_u32(tiff, 4, directory);
}

static bool read_directory(const struct tiff *tiff, uint32_t offset, struct directory *directory) {
  directory->start = (size_t)offset + 2;
  return read_u16(tiff, offset, &directory->entries);
}

int cic_exif_tag(const uint8_t *bytes, size_t count) {
  struct tiff tiff = {bytes, count, false};
  uint32_t offset;
  struct directory directory;
  if (!read_header(&tiff, &offset) || !read_directory(&tiff, offset, &directory)) return 0;
  for (uint32_t i = 0; i < directory.entries; i++) {
    const size_t entry = directory.start + (size_t)i * entry_size;
    uint32_t tag, type, values, value;
    if (!read_u16(&tiff, entry, &tag)) return 0;
    if (tag != orientation_tag) continue;
    if (!read_u16(&tiff, entry + 2, &type) || !read_u32(&tiff, entry + 4, &values) || values != 1) return 0;
    return read_value(&tiff, entry + 8, type, &value) && value >= 1 && value <= 8 ? (int)value : 0;
  }
  return 0;
}

// Sets the orientation to the number 1 of the type SHORT.
static void set_upright(const struct tiff *tiff, uint8_t *entry) {
  static const uint8_t big[] = {1, 0x12, 0, 3, 0, 0, 0, 1, 0, 1, 0, 0}, little[] = {0x12, 1, 3, 0, 1, 0, 0, 0, 1, 0, 0, 0};
  memcpy(entry, tiff->big_endian ? big : little, entry_size);
}

// Overwrites the JPEG to which the directory of the thumbnail refers (EXIF 2.32, 4.5.5).
static void clear_thumbnail(const struct tiff *tiff, uint8_t *bytes, uint32_t offset) {
  enum { start_tag = 0x0201, length_tag = 0x0202 };
  struct directory directory;
  uint32_t start = 0, length = 0;
  if (!read_directory(tiff, offset, &directory)) return;
  for (uint32_t i = 0; i < directory.entries; i++) {
    const size_t entry = directory.start + (size_t)i * entry_size;
    uint32_t tag;
    if (!read_u16(tiff, entry, &tag)) break;
    if (tag == start_tag && !read_u32(tiff, entry + 8, &start)) return;
    if (tag == length_tag && !read_u32(tiff, entry + 8, &length)) return;
  }
  if (start < tiff->count) memset(bytes + start, 0, length < tiff->count - start ? length : tiff->count - start);
}

bool cic_exif_make_upright(uint8_t *bytes, size_t count) {
  struct tiff tiff = {bytes, count, false};
  uint32_t offset, second = 0;
  struct directory directory;
  if (!read_header(&tiff, &offset) || !read_directory(&tiff, offset, &directory)) return false;
  const size_t end = directory.start + (size_t)directory.entries * entry_size;
  if (offset < 8 || end > count) return false;
  if (read_u32(&tiff, end, &second)) {
    if (second != 0) clear_thumbnail(&tiff, bytes, second);
    memset(bytes + end, 0, 4);
  }
  // In a hostile file, the thumbnail may overlap the header or the directory, so these may be overwritten now.
  uint32_t same;
  if (!read_header(&tiff, &same) || same != offset || !read_directory(&tiff, offset, &directory)) return false;
  if (directory.start + (size_t)directory.entries * entry_size != end) return false;
  for (uint32_t i = 0; i < directory.entries; i++) {
    const size_t entry = directory.start + (size_t)i * entry_size;
    uint32_t tag;
    if (read_u16(&tiff, entry, &tag) && tag == orientation_tag) set_upright(&tiff, bytes + entry);
  }
  return cic_exif_tag(bytes, count) <= 1;
}

int cic_exif_orientation(const uint8_t *bytes, size_t count) { return cic_orientation(cic_exif_tag(bytes, count), 0); }

#include "png_metadata.h"

#include <string.h>

#include "metadata.h"
#include "png_profile.h"

// A PNG consists of eight bytes and chunks (PNG, third edition, 5.3). A chunk is a length, four letters, data of this length, and a CRC.
// The chunks are read without libpng, which would return an eXIf chunk only if it precedes the pixels, and the other chunks only after
// decoding the pixels. XMP is an uncompressed iTXt chunk with its own keyword (XMP specification, part 3, 1.1.5).

// `most_bytes` is the largest chunk that is read. png.c sets the same limit for libpng.
enum { signature_bytes = 8, most_bytes = 1 << 20 };

static uint32_t u32(const uint8_t *p) { return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3]; }

// Returns the CRC of the bytes (PNG, annex D). It uses no table, because few chunks are read.
static uint32_t crc(const uint8_t *bytes, size_t count) {
  uint32_t value = 0xFFFFFFFF;
  for (size_t i = 0; i < count; i++) {
    value ^= bytes[i];
    for (int bit = 0; bit < 8; bit++) value = (value & 1) != 0 ? 0xEDB88320 ^ value >> 1 : value >> 1;
  }
  return ~value;
}

// Returns the orientation in the text of an iTXt chunk. The text consists of the keyword and a zero byte, two bytes that are zero if XMP is
// not compressed, two texts that end with a zero byte (a language, and the keyword in that language), and XMP.
static int xmp_tag(const uint8_t *text, size_t count) {
  // The keyword, its zero byte, and the first of the two bytes, which the compiler adds.
  static const char keyword[] = "XML:com.adobe.xmp\0";
  if (count < sizeof keyword + 1 || memcmp(text, keyword, sizeof keyword) != 0) return 0;
  const uint8_t *next = text + sizeof keyword + 1, *end = text + count;
  for (int i = 0; i < 2; i++) {
    next = memchr(next, 0, (size_t)(end - next));
    if (next == NULL) return 0;
    next++;
  }
  return cic_xmp_tag(next, (size_t)(end - next));
}

int cic_png_orientation(cic_input input) {
  int exif = 0, profile = 0, xmp = 0;
  size_t position = signature_bytes;
  while (exif == 0 && input.count > position && input.count - position >= 12) {
    const uint8_t *chunk = input.bytes + position;
    const uint32_t length = u32(chunk);
    if (length > input.count - position - 12) break;
    const bool is_exif = memcmp(chunk + 4, "eXIf", 4) == 0, is_text = memcmp(chunk + 4, "iTXt", 4) == 0;
    const bool is_compressed = memcmp(chunk + 4, "zTXt", 4) == 0, is_profile = is_compressed || memcmp(chunk + 4, "tEXt", 4) == 0;
    const bool is_read = length <= most_bytes && (is_exif || (is_text && xmp == 0) || (is_profile && profile == 0));
    if (is_read && crc(chunk + 4, (size_t)length + 4) == u32(chunk + 8 + length)) {
      if (is_exif) {
        exif = cic_exif_tag(chunk + 8, length);
      } else if (is_text) {
        xmp = xmp_tag(chunk + 8, length);
      } else {
        profile = cic_png_profile_tag(chunk + 8, length, is_compressed);
      }
    }
    position += 12 + (size_t)length;
  }
  return cic_orientation(exif != 0 ? exif : profile, xmp);
}

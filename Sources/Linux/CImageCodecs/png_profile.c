#include "png_profile.h"

#include <string.h>

#include <zlib.h>

#include "metadata.h"

// ImageMagick writes a profile as text (coders/png.c, Magick_png_write_raw_profile). The text is a line break, the name, a line break, the
// length, a line break, and the bytes in hexadecimal digits with line breaks anywhere.

// The largest sizes of EXIF and of its text that are read. They are enough because the first directory, which has the orientation, is at
// the beginning of EXIF in the files of all known writers.
enum { most_exif = 4096, most_text = 3 * most_exif };

static int digit(uint8_t letter) {
  if (letter >= '0' && letter <= '9') return letter - '0';
  const uint8_t lower = letter | 0x20;
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

static size_t inflate_some(const uint8_t *bytes, size_t count, uint8_t *text) {
  z_stream stream = {.next_in = (Bytef *)(uintptr_t)bytes, .avail_in = (uInt)count, .next_out = text, .avail_out = most_text};
  if (inflateInit(&stream) != Z_OK) return 0;
  inflate(&stream, Z_SYNC_FLUSH);
  inflateEnd(&stream);
  return most_text - stream.avail_out;
}

static size_t read_digits(const uint8_t *text, const uint8_t *end, uint8_t *bytes) {
  size_t digits = 0;
  for (; text < end && digits < 2 * most_exif; text++) {
    const int value = digit(*text);
    if (value < 0) continue;
    bytes[digits / 2] = (uint8_t)(digits % 2 == 0 ? value << 4 : bytes[digits / 2] | value);
    digits++;
  }
  return digits / 2;
}

static int tag_in_text(const uint8_t *text, size_t count) {
  static const char signature[] = "Exif\0";
  const uint8_t *end = text + count;
  for (int line = 0; line < 3; line++) {
    text = memchr(text, '\n', (size_t)(end - text));
    if (text == NULL) return 0;
    text++;
  }
  uint8_t exif[most_exif];
  count = read_digits(text, end, exif);
  const bool is_signed = count >= sizeof signature && memcmp(exif, signature, sizeof signature) == 0;
  return is_signed ? cic_exif_tag(exif + sizeof signature, count - sizeof signature) : cic_exif_tag(exif, count);
}

int cic_png_profile_tag(const uint8_t *chunk, size_t count, bool is_compressed) {
  static const char exif[] = "Raw profile type exif", app1[] = "Raw profile type APP1";
  if (count <= sizeof exif || (memcmp(chunk, exif, sizeof exif) != 0 && memcmp(chunk, app1, sizeof app1) != 0)) return 0;
  const uint8_t *text = chunk + sizeof exif;
  count -= sizeof exif;
  if (!is_compressed) return tag_in_text(text, count);
  uint8_t inflated[most_text];
  // Skips the byte for the compression method.
  return tag_in_text(inflated, inflate_some(text + 1, count - 1, inflated));
}

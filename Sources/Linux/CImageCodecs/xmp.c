#include "metadata.h"

#include <stdbool.h>
#include <string.h>

// In XMP (part 1, 7.5 and 7.9.2.2), a simple property is an element, such as tiff:Orientation, or an attribute of its description. The
// prefix "tiff" is only a convention, but all writers follow it.

static bool is_blank(uint8_t byte) { return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r'; }

static const uint8_t *behind_blanks(const uint8_t *next, const uint8_t *end) {
  while (next < end && is_blank(*next)) next++;
  return next;
}

// Returns the value that follows the name, or 0 if no valid value follows.
static int value(const uint8_t *next, const uint8_t *end) {
  next = behind_blanks(next, end);
  if (next == end || (*next != '=' && *next != '>')) return 0;
  uint8_t closing = '<';
  if (*next == '=') {
    next = behind_blanks(next + 1, end);
    if (next == end || (*next != '"' && *next != '\'')) return 0;
    closing = *next;
  }
  next = behind_blanks(next + 1, end);
  if (next == end || *next < '1' || *next > '8') return 0;
  const int found = *next - '0';
  next = behind_blanks(next + 1, end);
  return next < end && *next == closing ? found : 0;
}

int cic_xmp_tag(const uint8_t *packet, size_t count) {
  static const char name[] = "tiff:Orientation";
  const size_t length = sizeof name - 1;
  const uint8_t *next = packet, *end = packet + count;
  while ((size_t)(end - next) > length && (next = memchr(next, name[0], (size_t)(end - next) - length)) != NULL) {
    const int found = memcmp(next, name, length) == 0 ? value(next + length, end) : 0;
    if (found != 0) return found;
    next++;
  }
  return 0;
}

int cic_orientation(int exif, int xmp) { return exif != 0 ? exif : xmp != 0 ? xmp : 1; }

#include "jpeg_markers.h"

#include <stdio.h>
#include <string.h>

#include "libraries.h"

#include <jpeglib.h>

static bool has_length(uint8_t code) { return code >= 0xC0 && (code < JPEG_RST0 || code > JPEG_EOI); }

bool cic_jpeg_next_marker(struct jpeg_marker *marker, const uint8_t *end) {
  const uint8_t *start = marker->next;
  while ((start = memchr(start, 0xFF, (size_t)(end - start))) != NULL && end - start >= 2) {
    const uint8_t code = start[1];
    if (code != 0 && code != 0xFF) {
      *marker = (struct jpeg_marker){.code = code, .start = start, .body = start + 2, .next = start + 2};
      if (!has_length(code)) return true;
      if (end - start < 4) return false;
      const size_t length = (size_t)start[2] << 8 | start[3];
      if (length < 2 || (size_t)(end - start) - 2 < length) return false;
      marker->body = start + 4;
      marker->length = length - 2;
      marker->next = marker->body + marker->length;
      return true;
    }
    start++;
  }
  return false;
}

bool cic_jpeg_is_restart(const struct jpeg_marker *marker) { return marker->code >= JPEG_RST0 && marker->code < JPEG_RST0 + 8; }

#ifndef CIC_JPEG_MARKERS_H
#define CIC_JPEG_MARKERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A marker of a JPEG (ITU-T T.81, annex B). It consists of 0xFF and a code, which is a byte other than 0x00 and 0xFF. Most markers are
// followed by a length of two bytes, which includes these two bytes, and by a body. The coded pixels of a scan follow the body of its
// marker. Restart markers can separate them into parts.
struct jpeg_marker {
  uint8_t code;
  const uint8_t *start;  // the 0xFF of the marker
  const uint8_t *body;   // the bytes after the length
  size_t length;         // the size of the body
  const uint8_t *next;   // where the search for the next marker starts; cic_jpeg_next_marker reads only this field
};

enum { JPEG_SOS = 0xDA };

// Finds the next marker. Returns false if there is none, or if its body is incomplete.
bool cic_jpeg_next_marker(struct jpeg_marker *marker, const uint8_t *end);

bool cic_jpeg_is_restart(const struct jpeg_marker *marker);

#endif

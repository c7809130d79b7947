#ifndef CIC_JPEG_MARKERS_H
#define CIC_JPEG_MARKERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// ITU-T T.81, annex B: a marker is 0xFF and a byte that is neither 0x00 nor 0xFF; most are followed by a length of two bytes that counts
// itself. What stands between a scan's header and the next marker are its codes, and markers that restart them.
struct jpeg_marker {
  uint8_t code;
  const uint8_t *start;  // its 0xFF
  const uint8_t *body;   // what is behind its length
  size_t length;         // of the body
  const uint8_t *next;   // where to look for the next marker; the only field that is read
};

enum { JPEG_SOS = 0xDA };

// The next marker whose body is whole; false if there is none.
bool cic_jpeg_next_marker(struct jpeg_marker *marker, const uint8_t *end);

bool cic_jpeg_is_restart(const struct jpeg_marker *marker);

#endif

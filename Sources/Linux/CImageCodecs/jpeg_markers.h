#ifndef CIC_JPEG_MARKERS_H
#define CIC_JPEG_MARKERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// ITU-T T.81, annex B: a marker is 0xFF and a byte that is neither 0x00 nor 0xFF. Most markers are followed by a length of two bytes that
// counts itself. Between a scan's header and the next marker are the scan's codes, and markers that restart them.
struct jpeg_marker {
  uint8_t code;
  const uint8_t *start;  // the marker's 0xFF
  const uint8_t *body;   // the bytes after its length
  size_t length;         // the size of the body
  const uint8_t *next;   // where the search for the next marker starts; the only field that is read
};

enum { JPEG_SOS = 0xDA };

// Finds the next marker whose body is complete. Returns false if there is none.
bool cic_jpeg_next_marker(struct jpeg_marker *marker, const uint8_t *end);

bool cic_jpeg_is_restart(const struct jpeg_marker *marker);

#endif

#include "jpeg_process.h"

#include <stdio.h>

#include "jpeg_markers.h"

// The frame headers are those of ITU-T T.81, table B.1. JPEG-LS (T.87) has a frame header of its own.
static const char *name_of(uint8_t code) {
  switch (code) {
    case 0xC3: return "a lossless JPEG (SOF3)";
    case 0xC5: return "a hierarchical JPEG (SOF5)";
    case 0xC6: return "a hierarchical JPEG (SOF6)";
    case 0xC7: return "a hierarchical lossless JPEG (SOF7)";
    case 0xCB: return "a lossless JPEG in arithmetic coding (SOF11)";
    case 0xCD: return "a hierarchical JPEG in arithmetic coding (SOF13)";
    case 0xCE: return "a hierarchical JPEG in arithmetic coding (SOF14)";
    case 0xCF: return "a hierarchical lossless JPEG in arithmetic coding (SOF15)";
    case 0xDE: return "a hierarchical JPEG (DHP)";
    case 0xF7: return "a JPEG-LS (SOF55)";
    default: return NULL;
  }
}

static bool is_frame(uint8_t code) { return code >= 0xC0 && code <= 0xCF && code != 0xC4 && code != 0xC8 && code != 0xCC; }

bool cic_jpeg_has_known_process(cic_input input, char *message) {
  enum { end_of_image = 0xD9 };
  struct jpeg_marker marker = {.next = input.bytes};
  while (cic_jpeg_next_marker(&marker, input.bytes + input.count) && marker.code != JPEG_SOS && marker.code != end_of_image) {
    const char *name = name_of(marker.code);
    if (name != NULL) {
      snprintf(message, CIC_MESSAGE_SIZE, "%s", name);
      return false;
    }
    if (is_frame(marker.code)) return true;
  }
  return true;
}

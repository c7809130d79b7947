#include "jpeg_reader.h"

static bool is_frame(uint8_t code) { return (code >= 0xC0 && code <= 0xC2) || code == 0xC9 || code == 0xCA; }

void cic_jpeg_define_lines(struct jpeg_reader *reader) {
  enum { define_lines = 0xDC };
  const uint8_t *end = reader->input.bytes + reader->input.count, *height = NULL;
  struct jpeg_marker marker = {.next = reader->input.bytes};
  bool has_scan = false;
  while (cic_jpeg_next_marker(&marker, end) && marker.code != JPEG_EOI) {
    if (height == NULL && is_frame(marker.code)) {
      // The body begins with a byte for the precision, and then has the height.
      if (marker.length < 3 || marker.body[1] != 0 || marker.body[2] != 0) return;
      height = marker.body + 1;
    } else if (has_scan && !cic_jpeg_is_restart(&marker)) {
      if (height == NULL || marker.code != define_lines || marker.length != 2) return;
      reader->defined_lines = marker.body;
      reader->declared_lines = height;
      // Ends libjpeg's input before the height. When libjpeg then requests more bytes, cic_jpeg_next_lines supplies the defined height.
      reader->source.bytes_in_buffer = (size_t)(height - reader->source.next_input_byte);
      return;
    }
    has_scan = has_scan || marker.code == JPEG_SOS;
  }
}

bool cic_jpeg_next_lines(struct jpeg_reader *reader) {
  enum { bytes = 2 };
  if (reader->declared_lines == NULL) return false;
  const uint8_t *rest = reader->declared_lines + bytes;
  if (reader->defined_lines != NULL) {
    reader->source.next_input_byte = reader->defined_lines;
    reader->source.bytes_in_buffer = bytes;
    reader->defined_lines = NULL;
  } else {
    reader->source.next_input_byte = rest;
    reader->source.bytes_in_buffer = (size_t)(reader->input.bytes + reader->input.count - rest);
    reader->declared_lines = NULL;
  }
  return true;
}

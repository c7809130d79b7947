#include <stdlib.h>
#include <string.h>

#include "jpeg_reader.h"

// A profile is in APP2 segments. Each of them begins with a name, the number of the segment (from 1), and the count of these segments
// (ICC.1:2022, B.4).

enum { parts_most = 255, header_bytes = 14, most_bytes = 4 << 20 };

struct profile_parts {
  const uint8_t *bytes[parts_most];
  size_t counts[parts_most];
  size_t declared;  // the count in the segments; 0 if there is no segment
  size_t found, total;
};

// Finds the segments before the first scan. Returns false if they contradict each other.
static bool find_parts(cic_input input, struct profile_parts *parts) {
  static const char name[] = "ICC_PROFILE";
  struct jpeg_marker marker = {.next = input.bytes};
  while (cic_jpeg_next_marker(&marker, input.bytes + input.count) && marker.code != JPEG_SOS && marker.code != JPEG_EOI) {
    if (marker.code != JPEG_APP0 + 2 || marker.length < header_bytes || memcmp(marker.body, name, sizeof name) != 0) continue;
    const size_t number = marker.body[12], declared = marker.body[13];
    if (parts->declared == 0) parts->declared = declared;
    if (number < 1 || number > declared || declared != parts->declared || parts->bytes[number - 1] != NULL) return false;
    parts->bytes[number - 1] = marker.body + header_bytes;
    parts->counts[number - 1] = marker.length - header_bytes;
    parts->total += marker.length - header_bytes;
    parts->found++;
  }
  return true;
}

static enum color_model model_of(const struct jpeg_decompress_struct *jpeg) {
  switch (jpeg->jpeg_color_space) {
    case JCS_GRAYSCALE: return colors_gray;
    case JCS_CMYK:
    case JCS_YCCK: return colors_inks;
    default: return colors_rgb;
  }
}

const char *cic_jpeg_read_profile(struct jpeg_reader *reader, const cic_limits *limits, const cic_target *target) {
  struct profile_parts parts = {0};
  if (!find_parts(reader->input, &parts)) return "its parts contradict each other";
  if (parts.declared == 0) return NULL;
  if (parts.found < parts.declared) return "a part of it is missing";
  const enum color_model model = model_of(&reader->jpeg);
  const uint64_t pixels = (uint64_t)target->width * target->height;
  if (parts.declared == 1) {
    return cic_color_by_profile(&reader->color, (cic_input){parts.bytes[0], parts.counts[0], false}, model, pixels, limits);
  }
  if (parts.total > most_bytes || parts.total > limits->held_bytes) return "it takes more memory than allowed";
  uint8_t *profile = malloc(parts.total + 1);
  if (profile == NULL) return "memory does not suffice for it";
  size_t count = 0;
  for (size_t i = 0; i < parts.declared; i++) {
    memcpy(profile + count, parts.bytes[i], parts.counts[i]);
    count += parts.counts[i];
  }
  const char *problem = cic_color_by_profile(&reader->color, (cic_input){profile, count, false}, model, pixels, limits);
  free(profile);
  return problem;
}

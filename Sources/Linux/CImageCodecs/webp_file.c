#include "webp_file.h"

#include <string.h>

#include "metadata.h"

// The format is RFC 9649. A file consists of "RIFF", a length, "WEBP", and chunks. A chunk is four letters, a length, data of this length,
// and one more byte if the length is odd.

enum { riff_header = 12, chunk_header = 8, frame_header = 16 };

static uint32_t u24(const uint8_t *p) { return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16; }

static uint64_t u32(const uint8_t *p) { return u24(p) | (uint64_t)p[3] << 24; }

static int exif_tag(const uint8_t *exif, size_t count) {
  static const uint8_t prefix[] = {'E', 'x', 'i', 'f', 0, 0};
  // Some writers copy EXIF from a JPEG with the prefix that it has there.
  const bool has_prefix = count > sizeof prefix && memcmp(exif, prefix, sizeof prefix) == 0;
  return has_prefix ? cic_exif_tag(exif + sizeof prefix, count - sizeof prefix) : cic_exif_tag(exif, count);
}

static void read_frame(struct webp_file *file, const uint8_t *payload, size_t count) {
  const uint64_t width = (uint64_t)u24(payload + 6) + 1, height = (uint64_t)u24(payload + 9) + 1;
  if (file->frames++ > 0) return;
  file->first_frame = (cic_input){payload + frame_header, count - frame_header};
  file->first_frame_covers = u24(payload) == 0 && u24(payload + 3) == 0 && width == (uint64_t)file->features.width &&
                             height == (uint64_t)file->features.height;
}

static void read_chunks(struct webp_file *file) {
  size_t position = riff_header;
  int exif = 0, xmp = 0;
  while (file->input.count - position > chunk_header) {
    const uint8_t *chunk = file->input.bytes + position, *payload = chunk + chunk_header;
    const uint64_t length = u32(chunk + 4), left = file->input.count - position - chunk_header;
    if (length > left) return;
    if (memcmp(chunk, "ANMF", 4) == 0 && length >= frame_header) read_frame(file, payload, length);
    if (memcmp(chunk, "ANIM", 4) == 0 && length >= 6) file->plays = (uint32_t)payload[4] | (uint32_t)payload[5] << 8;
    if (memcmp(chunk, "EXIF", 4) == 0 && exif == 0) {
      exif = exif_tag(payload, length);
      file->has_exif = true;
    }
    if (memcmp(chunk, "ICCP", 4) == 0 && file->profile.bytes == NULL) file->profile = (cic_input){payload, length, false};
    if (memcmp(chunk, "XMP ", 4) == 0 && xmp == 0) xmp = cic_xmp_tag(payload, length);
    file->orientation = cic_orientation(exif, xmp);
    if (length + (length & 1) >= left) return;
    position += chunk_header + length + (length & 1);
  }
}

cic_status cic_webp_read(struct webp_file *file, cic_input input, char *message) {
  *file = (struct webp_file){.input = input, .plays = 1, .orientation = 1};
  const VP8StatusCode status = WebPGetFeatures(input.bytes, input.count, &file->features);
  if (input.count < riff_header || status == VP8_STATUS_NOT_ENOUGH_DATA) {
    cic_write_message(message, "the WebP data ends within its header");
    return CIC_TRUNCATED;
  }
  if (status != VP8_STATUS_OK || file->features.width < 1 || file->features.height < 1) {
    const bool is_unknown = status == VP8_STATUS_UNSUPPORTED_FEATURE;
    cic_write_message(message, is_unknown ? "a WebP that libwebp does not know" : "the WebP's header is broken");
    return is_unknown ? CIC_UNSUPPORTED : CIC_CORRUPT;
  }
  const uint64_t length = u32(input.bytes + 4) + 8;
  file->complete = length <= input.count;
  if (length < input.count && length >= riff_header) file->input.count = length;
  read_chunks(file);
  if (!file->features.has_animation || file->frames == 0) file->frames = 1;
  return CIC_OK;
}

bool cic_webp_promises_orientation(const struct webp_file *file) {
  enum { extended_flags_at = 20, has_exif = 8 };
  const cic_input input = file->input;
  return input.count > extended_flags_at && memcmp(input.bytes + riff_header, "VP8X", 4) == 0 &&
         (input.bytes[extended_flags_at] & has_exif) != 0 && !file->has_exif && !file->features.has_animation;
}

const char *cic_webp_read_profile(const struct webp_file *file, struct color *color, uint64_t pixels, const cic_limits *limits) {
  if (file->profile.bytes == NULL) return NULL;
  return cic_color_by_profile(color, file->profile, colors_rgb, pixels, limits);
}

uint64_t cic_webp_held(const WebPBitstreamFeatures *features) {
  const bool lossy = features->format == 1;
  return !lossy ? 4 : features->has_alpha ? 2 : 0;
}

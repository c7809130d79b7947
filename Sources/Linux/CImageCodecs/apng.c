#include "apng.h"

#include <string.h>

#include "support.h"

// The sizes of the data of IHDR, acTL, and fcTL, and of the sequence number with which the data of fdAT begins.
enum { header_bytes = 13, control_bytes = 8, frame_bytes = 26, sequence_bytes = 4 };

static uint32_t u16(const uint8_t *bytes) { return (uint32_t)bytes[0] << 8 | bytes[1]; }

// Reads a chunk before IDAT. `*first` is the position of the first fcTL, or 0. Returns false if the chunk is broken.
static bool read_chunk(struct apng *apng, const struct png_chunk *chunk, size_t position, size_t *first) {
  if (cic_png_is(chunk, "PLTE")) {
    if (!cic_png_is_intact(chunk)) return false;
    if (apng->palette.letters == NULL) apng->palette = *chunk;
  } else if (cic_png_is(chunk, "tRNS")) {
    if (apng->transparency.letters == NULL) apng->transparency = *chunk;
  } else if (cic_png_is(chunk, "acTL") && apng->declared == 0) {
    const uint32_t most = CIC_MAX_COUNTED_FRAMES;
    if (chunk->length != control_bytes || !cic_png_is_intact(chunk)) return false;
    const uint32_t declared = cic_png_u32(chunk->data);
    if (declared == 0) return false;
    apng->declared = declared < most ? declared : most;
    apng->plays = cic_png_u32(chunk->data + 4);
  } else if (cic_png_is(chunk, "fcTL")) {
    if (*first != 0) return false;
    *first = position;
  }
  return true;
}

// Whether a chunk IDAT begins at the position. Its data need not have arrived.
static bool has_pixels(cic_input input, size_t position) {
  return input.count > position && input.count - position >= 8 && memcmp(input.bytes + position + 4, "IDAT", 4) == 0;
}

bool cic_apng_open(struct apng *apng, cic_input input) {
  *apng = (struct apng){.input = input};
  struct png_chunk chunk;
  size_t position = png_signature_bytes, first = 0;
  if (!cic_png_read_chunk(input, position, &chunk) || !cic_png_is(&chunk, "IHDR") || chunk.length != header_bytes) return false;
  apng->header = chunk.data;
  apng->width = cic_png_u32(chunk.data);
  apng->height = cic_png_u32(chunk.data + 4);
  for (position = chunk.end; !has_pixels(input, position); position = chunk.end) {
    if (!cic_png_read_chunk(input, position, &chunk) || !read_chunk(apng, &chunk, position, &first)) return false;
  }
  apng->hides_default = first == 0;
  apng->position = first == 0 ? position : first;
  return apng->declared > 0;
}

// Reads fcTL: a sequence number, width, height, left, top, two numbers for the duration, the disposal, and whether to blend.
static bool read_frame(struct apng *apng, const struct png_chunk *chunk, struct apng_frame *frame) {
  if (chunk->length != frame_bytes || !cic_png_is_intact(chunk) || cic_png_u32(chunk->data) != apng->sequence) return false;
  const uint8_t *data = chunk->data;
  const uint32_t denominator = u16(data + 22);
  *frame = (struct apng_frame){
      .width = cic_png_u32(data + 4),
      .height = cic_png_u32(data + 8),
      .left = cic_png_u32(data + 12),
      .top = cic_png_u32(data + 16),
      .milliseconds = cic_shown_for_fraction(u16(data + 20), denominator == 0 ? 100 : denominator),
      .disposal = data[24],
      .is_blended = data[25] == 1,
      .is_default = apng->frames == 0 && !apng->hides_default,
  };
  apng->sequence++;
  if (data[24] > apng_restore || data[25] > 1 || frame->width == 0 || frame->height == 0) return false;
  if (frame->left > apng->width || frame->width > apng->width - frame->left) return false;
  if (frame->top > apng->height || frame->height > apng->height - frame->top) return false;
  // No frame precedes the first frame, so there is nothing to restore.
  if (apng->frames == 0 && frame->disposal == apng_restore) frame->disposal = apng_clear;
  return !frame->is_default || (frame->width == apng->width && frame->height == apng->height);
}

static bool ends_frame(const struct png_chunk *chunk) { return cic_png_is(chunk, "fcTL") || cic_png_is(chunk, "IEND"); }

// Reads the chunks of the frame up to the end of the frame. Returns false if they are broken, or if none has pixels.
static bool find_data(struct apng *apng, struct apng_frame *frame) {
  struct png_chunk chunk;
  for (; cic_png_read_chunk(apng->input, apng->position, &chunk); apng->position = chunk.end) {
    if (ends_frame(&chunk)) return frame->data != 0;
    const bool is_first = cic_png_is(&chunk, "IDAT"), is_later = cic_png_is(&chunk, "fdAT");
    if (!is_first && !is_later) continue;
    if (is_first != frame->is_default) return false;
    if (is_later && (chunk.length < sequence_bytes || cic_png_u32(chunk.data) != apng->sequence++)) return false;
    if (frame->data == 0) frame->data = apng->position;
  }
  return false;
}

bool cic_apng_next_frame(struct apng *apng, struct apng_frame *frame) {
  struct png_chunk chunk;
  while (apng->frames < apng->declared && cic_png_read_chunk(apng->input, apng->position, &chunk)) {
    apng->position = chunk.end;
    if (cic_png_is(&chunk, "fdAT") || cic_png_is(&chunk, "IEND")) break;
    if (!cic_png_is(&chunk, "fcTL")) continue;
    if (!read_frame(apng, &chunk, frame) || !find_data(apng, frame)) break;
    apng->frames++;
    return true;
  }
  apng->declared = apng->frames;
  return false;
}

bool cic_apng_is_complete(const struct apng *apng) {
  struct png_chunk chunk;
  for (size_t position = png_signature_bytes; cic_png_read_chunk(apng->input, position, &chunk); position = chunk.end) {
    if (cic_png_is(&chunk, "IEND")) return true;
  }
  return false;
}

static bool next_data(
    const struct apng *apng, const struct apng_frame *frame, size_t *position, struct png_chunk *chunk, cic_input *data) {
  while (cic_png_read_chunk(apng->input, *position, chunk) && !ends_frame(chunk)) {
    *position = chunk->end;
    if (!cic_png_is(chunk, frame->is_default ? "IDAT" : "fdAT")) continue;
    const uint32_t skipped = frame->is_default ? 0 : sequence_bytes;
    *data = (cic_input){chunk->data + skipped, chunk->length - skipped, false};
    return true;
  }
  return false;
}

bool cic_apng_next_data(const struct apng *apng, const struct apng_frame *frame, size_t *position, cic_input *data) {
  struct png_chunk chunk;
  return next_data(apng, frame, position, &chunk, data);
}

bool cic_apng_check_data(const struct apng *apng, const struct apng_frame *frame, uint64_t *count) {
  struct png_chunk chunk;
  cic_input data;
  *count = 0;
  for (size_t position = frame->data; next_data(apng, frame, &position, &chunk, &data);) {
    if (!cic_png_is_intact(&chunk)) return false;
    *count += data.count;
  }
  return true;
}

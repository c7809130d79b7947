#include "apng_encode.h"

#include <string.h>

#include <zlib.h>

#include "png_chunk.h"

// A chunk consists of a length, four letters, data of this length, and a CRC of the letters and the data.
enum { header_bytes = 8, crc_bytes = 4 };

static void put_u32(uint8_t *p, uint32_t value) {
  for (int i = 0; i < 4; i++) p[i] = (uint8_t)(value >> (24 - 8 * i));
}

// Appends a chunk whose content is `start` and `bytes`.
static bool put(cic_output *output, const char *letters, cic_input start, const uint8_t *bytes, size_t count) {
  const size_t first = output->count, content = start.count + count;
  if (!cic_output_reserve(output, header_bytes + content + crc_bytes)) return false;
  uint8_t *chunk = output->bytes + first;
  put_u32(chunk, (uint32_t)content);
  memcpy(chunk + 4, letters, 4);
  if (start.count > 0) memcpy(chunk + header_bytes, start.bytes, start.count);
  if (count > 0) memcpy(chunk + header_bytes + start.count, bytes, count);
  put_u32(chunk + header_bytes + content, (uint32_t)crc32(0, chunk + 4, (uInt)(content + 4)));
  output->count += header_bytes + content + crc_bytes;
  return true;
}

bool cic_png_put_chunk(cic_output *output, const char *letters, const uint8_t *bytes, size_t count) {
  return put(output, letters, (cic_input){0}, bytes, count);
}

static bool rows_differ(const uint8_t *former, const uint8_t *rgba, uint32_t width, uint32_t y) {
  return memcmp(former + (size_t)y * width * 4, rgba + (size_t)y * width * 4, (size_t)width * 4) != 0;
}

struct png_part cic_png_changed_part(const uint8_t *former, const uint8_t *rgba, uint32_t width, uint32_t height) {
  uint32_t top = 0, bottom = height, left = width, right = 0;
  while (top < height && !rows_differ(former, rgba, width, top)) top++;
  if (top == height) return (struct png_part){0, 0, 1, 1};
  while (!rows_differ(former, rgba, width, bottom - 1)) bottom--;
  for (uint32_t y = top; y < bottom; y++) {
    const uint8_t *a = former + (size_t)y * width * 4, *b = rgba + (size_t)y * width * 4;
    uint32_t x = 0;
    while (x < left && memcmp(a + (size_t)x * 4, b + (size_t)x * 4, 4) == 0) x++;
    left = x;
    x = width;
    while (x > right && memcmp(a + (size_t)(x - 1) * 4, b + (size_t)(x - 1) * 4, 4) == 0) x--;
    right = x;
  }
  return (struct png_part){left, top, right - left, bottom - top};
}

// Returns the duration in seconds as a fraction. The upper 16 bits are the numerator, and the lower 16 bits are the denominator. So the
// longest duration is 65,535 seconds.
static uint32_t fraction_of(uint32_t milliseconds) {
  uint32_t unit = 1000;
  for (; unit > 1 && milliseconds > UINT16_MAX; unit /= 10) milliseconds = milliseconds / 10 + (milliseconds % 10 >= 5);
  return (milliseconds < UINT16_MAX ? milliseconds : UINT16_MAX) << 16 | unit;
}

static bool put_control(struct png_frames *frames, cic_output *output, struct png_part part, uint32_t milliseconds) {
  // The last two bytes stay 0, which means that the frame is not disposed of, and that its pixels replace those of the canvas.
  uint8_t control[26] = {0};
  const uint32_t numbers[] = {frames->sequence++, part.width, part.height, part.x, part.y, fraction_of(milliseconds)};
  for (size_t i = 0; i < 6; i++) put_u32(control + 4 * i, numbers[i]);
  return cic_png_put_chunk(output, "fcTL", control, sizeof control);
}

bool cic_png_start_frames(struct png_frames *frames, cic_output *output, struct png_part part, uint32_t plays, uint32_t milliseconds) {
  frames->control = output->count;
  uint8_t control[8] = {0};
  put_u32(control + 4, plays);
  return cic_png_put_chunk(output, "acTL", control, sizeof control) && put_control(frames, output, part, milliseconds);
}

bool cic_png_add_frame(struct png_frames *frames, cic_output *output, struct png_part part, uint32_t milliseconds) {
  if (!put_control(frames, output, part, milliseconds)) return false;
  size_t length;
  for (size_t i = 0; i < frames->pixels.count; i += header_bytes + length + crc_bytes) {
    const uint8_t *chunk = frames->pixels.bytes + i;
    uint8_t sequence[4];
    length = cic_png_u32(chunk);
    put_u32(sequence, frames->sequence++);
    if (!put(output, "fdAT", (cic_input){sequence, sizeof sequence, false}, chunk + header_bytes, length)) return false;
  }
  return true;
}

void cic_png_end_frames(const struct png_frames *frames, cic_output *output, uint32_t count, uint32_t plays) {
  uint8_t *chunk = output->bytes + frames->control;
  put_u32(chunk + header_bytes, count);
  put_u32(chunk + header_bytes + 4, plays);
  put_u32(chunk + header_bytes + 8, (uint32_t)crc32(0, chunk + 4, 12));
}

#include "support.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

void cic_write_message(char *message, const char *text) { snprintf(message, CIC_MESSAGE_SIZE, "%s", text); }

bool cic_within_limits(const cic_limits *limits, uint64_t width, uint64_t height, char *message) {
  const bool fits = width <= limits->width && height <= limits->height && width <= CIC_MAX_SIDE && height <= CIC_MAX_SIDE &&
                    width * height <= limits->pixels;
  if (!fits) {
    snprintf(
        message, CIC_MESSAGE_SIZE, "%" PRIu64 " × %" PRIu64 " pixels; raise DecodingLimits.maxPixels or maxSide", width, height);
  }
  return fits;
}

cic_status cic_check_target(const cic_limits *limits, uint64_t width, uint64_t height, const cic_target *target, char *message) {
  if (!cic_within_limits(limits, width, height, message)) return CIC_TOO_LARGE;
  if (target->width >= 1 && target->height >= 1 && target->width <= width && target->height <= height) return CIC_OK;
  cic_write_message(message, "a size in pixels that exceeds the size of the image, or that is 0");
  return CIC_UNSUPPORTED;
}

bool cic_may_hold(const cic_limits *limits, uint64_t width, uint64_t height, uint64_t bytes_a_pixel, char *message) {
  return cic_may_hold_bytes(limits, width * height * bytes_a_pixel, width, height, message);
}

bool cic_may_hold_bytes(const cic_limits *limits, uint64_t bytes, uint64_t width, uint64_t height, char *message) {
  const bool may = bytes <= limits->held_bytes;
  if (!may) {
    snprintf(
        message, CIC_MESSAGE_SIZE,
        "%" PRIu64 " × %" PRIu64 " pixels that cannot be decoded row by row; raise DecodingLimits.maxBytes", width, height);
  }
  return may;
}

// Browsers show a frame of 10 ms or less for 100 ms (support.h).
uint32_t cic_shown_for(uint32_t milliseconds) { return milliseconds <= 10 ? 100 : milliseconds; }

uint32_t cic_shown_for_fraction(uint32_t numerator, uint32_t denominator) {
  if (denominator == 0) return cic_shown_for(0);
  const uint64_t thousandfold = (uint64_t)numerator * 1000, rounded = (thousandfold + denominator / 2) / denominator;
  if (thousandfold / denominator <= 10) return cic_shown_for(0);
  return rounded < UINT32_MAX ? (uint32_t)rounded : UINT32_MAX;
}

// The comment on cic_row_memory in support.h has the reason for this offset.
enum { row_offset = 8 };

uint8_t *cic_row_memory(size_t count) {
  uint8_t *memory = malloc(count + row_offset);
  return memory == NULL ? NULL : memory + row_offset;
}

void cic_free_row_memory(uint8_t *rows) {
  if (rows != NULL) free(rows - row_offset);
}

bool cic_output_reserve(cic_output *output, size_t more) {
  if (more <= output->capacity - output->count) return true;
  if (more > SIZE_MAX / 2 - output->count) return false;
  size_t capacity = output->capacity < 4096 ? 4096 : output->capacity;
  while (capacity - output->count < more) capacity *= 2;
  uint8_t *bytes = realloc(output->bytes, capacity);
  if (bytes == NULL) return false;
  output->bytes = bytes;
  output->capacity = capacity;
  return true;
}

bool cic_output_append(cic_output *output, const void *bytes, size_t count) {
  if (!cic_output_reserve(output, count)) return false;
  if (count > 0) memcpy(output->bytes + output->count, bytes, count);
  output->count += count;
  return true;
}

void cic_output_free(cic_output *output) {
  free(output->bytes);
  *output = (cic_output){0};
}

void cic_return_memory(void) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

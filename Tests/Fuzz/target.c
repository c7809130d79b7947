// Runs the decoder of one format in libFuzzer. The script `run` defines FORMAT, which is jpeg, png, gif, webp, avif, or heic. It defines
// ANIMATES as 1 if the format has animations. If the format has EXIF, it defines EXIF as the function that finds the EXIF.
#include <stdlib.h>
#include <string.h>

#include "CImageCodecs.h"

#define JOINED(a, b, c) a##b##c
#define ENTRY(format, name) JOINED(cic_, format, name)

static void decode(cic_input input, const cic_limits *limits, uint32_t width, uint32_t height, int orientation) {
  char message[CIC_MESSAGE_SIZE] = {0};
  cic_result result = {0};
  if (width < 1 || height < 1 || (uint64_t)width * height > limits->pixels) return;
  // The memory has exactly the size of the target, so that the address sanitizer detects an access beyond it.
  cic_target target = {malloc((size_t)width * height * 4), width, height, orientation};
  if (target.rgba != NULL) ENTRY(FORMAT, _decode)(input, limits, &target, &result, message);
  free(target.rgba);
}

#if ANIMATES
static void animate(cic_input input, const cic_limits *limits, uint32_t width, uint32_t height) {
  char message[CIC_MESSAGE_SIZE] = {0};
  cic_animation *animation = NULL;
  if (width < 1 || height < 1 || (uint64_t)width * height > limits->pixels) return;
  if (ENTRY(FORMAT, _animation)(input, limits, &animation, message) != CIC_OK) return;
  cic_target target = {malloc((size_t)width * height * 4), width, height, 1};
  bool ended = target.rgba == NULL;
  // Every third frame is drawn on the canvas, but is not written to the target.
  for (uint32_t frame = 0; !ended; frame++) {
    if (cic_animation_next(animation, frame % 3 == 2 ? NULL : &target, &ended, message) != CIC_OK) break;
  }
  for (uint32_t frame = 0; frame < cic_animation_frames(animation); frame++) cic_animation_milliseconds(animation, frame);
  free(target.rgba);
  cic_animation_close(animation);
}
#endif

#ifdef EXIF
static void check_exif(cic_input input) {
  cic_output exif;
  if (EXIF(input, &exif) != CIC_OK) return;
  // The sanitizer detects an access beyond memory that has exactly the size of the EXIF.
  uint8_t *tiff = malloc(exif.count);
  if (tiff != NULL && exif.count > 0) {
    memcpy(tiff, exif.bytes, exif.count);
    if (cic_exif_make_upright(tiff, exif.count) && cic_exif_orientation(tiff, exif.count) != 1) abort();
  }
  free(tiff);
  cic_output_free(&exif);
}
#endif

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
  const cic_limits limits = {
      .pixels = 1 << 20, .width = 65535, .height = 65535, .scans = 20, .coefficient_bytes = 8 << 20, .held_bytes = 8 << 20};
  const cic_input input = {bytes, count};
  char message[CIC_MESSAGE_SIZE] = {0};
  cic_info info = {0};
#ifdef EXIF
  check_exif(input);
#endif
  if (ENTRY(FORMAT, _info)(input, &info, message) != CIC_OK) return 0;
  // The last byte selects the reduced size, the orientation, and the length of the incomplete file.
  const uint8_t choice = count > 0 ? bytes[count - 1] : 0;
  const uint32_t width = info.width * (choice % 8 + 1) / 8, height = info.height * (choice / 8 % 8 + 1) / 8;
  decode(input, &limits, info.width, info.height, info.orientation);
  decode(input, &limits, width, height, choice % 9);
  const cic_input beginning = {bytes, count - count * (choice % 5) / 8, true};
  decode(beginning, &limits, info.width, info.height, info.orientation);
  decode(beginning, &limits, width, height, choice % 9);
#if ANIMATES
  animate(input, &limits, info.width, info.height);
  animate(input, &limits, width, height);
#endif
  return 0;
}

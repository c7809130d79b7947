#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gif_lib.h>

#include "CReference.h"
#include "gif_output.h"

// An animation that is mostly still, like most animations. A ball of six colors rolls over an image on a closed curve. Each frame after the
// first has only the rectangle that differs from the frame before.

enum { sectors = 6 };

struct place {
  double x, y, turn;
};

struct box {
  int left, top, right, bottom;
};

static struct place place_of(uint32_t number, uint32_t frames, uint32_t width, uint32_t height, double radius) {
  const double turn = 2 * 3.14159265358979 * number / frames;
  return (struct place){
      .x = width / 2.0 + (width / 2.0 - radius - 2) * sin(3 * turn),
      .y = height / 2.0 + (height / 2.0 - radius - 2) * sin(2 * turn),
      .turn = turn * 12,
  };
}

static struct box box_of(struct place place, double radius, uint32_t width, uint32_t height) {
  const int left = (int)(place.x - radius) - 1, top = (int)(place.y - radius) - 1;
  const int right = (int)(place.x + radius) + 2, bottom = (int)(place.y + radius) + 2;
  return (struct box){
      left < 0 ? 0 : left, top < 0 ? 0 : top,
      right > (int)width ? (int)width : right, bottom > (int)height ? (int)height : bottom};
}

static struct box both(struct box a, struct box b) {
  return (struct box){
      a.left < b.left ? a.left : b.left, a.top < b.top ? a.top : b.top,
      a.right > b.right ? a.right : b.right, a.bottom > b.bottom ? a.bottom : b.bottom};
}

static GifByteType color_at(reference_pixels ground, int x, int y, struct place ball, double radius) {
  // Indices into the palette of gif_output_levels.
  static const GifByteType colors[sectors] = {180, 185, 30, 5, 210, 35};
  const double right = x - ball.x, down = y - ball.y;
  if (right * right + down * down > radius * radius) {
    const uint8_t *pixel = ground.rgba + ((size_t)y % ground.height * ground.width + (size_t)x % ground.width) * 4;
    return (GifByteType)((pixel[0] + 25) / 51 * 36 + (pixel[1] + 25) / 51 * 6 + (pixel[2] + 25) / 51);
  }
  // The angle is measured in turns. The 100 turns that are added make it positive.
  const double angle = (atan2(down, right) + ball.turn) / (2 * 3.14159265358979) + 100;
  return colors[(int)(angle * sectors) % sectors];
}

uint8_t *reference_moving_gif(
    reference_pixels ground, uint32_t width, uint32_t height, uint32_t frames, uint32_t hundredths, size_t *count) {
  struct gif_output output = {NULL, 0};
  int fault;
  GifFileType *file = EGifOpen(&output, gif_output_write, &fault);
  ColorMapObject *map = gif_output_levels();
  GifByteType *row = malloc(width);
  EGifSetGifVersion(file, true);
  EGifPutScreenDesc(file, (int)width, (int)height, 8, 0, map);
  EGifPutExtensionLeader(file, APPLICATION_EXT_FUNC_CODE);
  EGifPutExtensionBlock(file, 11, "NETSCAPE2.0");
  EGifPutExtensionBlock(file, 3, "\1\0\0");  // repeats forever
  EGifPutExtensionTrailer(file);
  const double radius = height / 25.0;
  struct box before = {0, 0, (int)width, (int)height};
  for (uint32_t number = 0; number < frames; number++) {
    const struct place ball = place_of(number, frames, width, height, radius);
    const struct box now = box_of(ball, radius, width, height), changed = both(before, now);
    // In the first byte, 4 means that the frame stays in place below the next frame.
    const GifByteType control[4] = {4, (GifByteType)hundredths, (GifByteType)(hundredths >> 8), 0};
    EGifPutExtension(file, GRAPHICS_EXT_FUNC_CODE, 4, control);
    EGifPutImageDesc(file, changed.left, changed.top, changed.right - changed.left, changed.bottom - changed.top, false, NULL);
    for (int y = changed.top; y < changed.bottom; y++) {
      for (int x = changed.left; x < changed.right; x++) row[x - changed.left] = color_at(ground, x, y, ball, radius);
      EGifPutLine(file, row, changed.right - changed.left);
    }
    before = now;
  }
  EGifCloseFile(file, &fault);
  GifFreeMapObject(map);
  free(row);
  *count = output.count;
  return output.bytes;
}

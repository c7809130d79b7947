#include "color.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "lcms_library.h"

// An amount of light is a multiple of 1/2^18. The amounts for red, green, and blue are in one integer, 21 bits for each, so that one
// addition adds all three. Each of the three sums includes `offset`, which is 3.5, so that no sum is negative. The highest 16 of the 21
// bits of a sum select a level of sRGB. So light is distinguished in steps of 1/2^13. Where the curve is steepest, a step is 0.4 levels.
typedef uint64_t lights;

enum { light_bits = 18, step_bits = 5, lights_bits = 21, offset = 7 << (light_bits - 1) };

// Levels of sRGB for light from -3.5 to 4.5, so that no sum has to be clamped.
static uint8_t srgb_levels[1 << 16];

static double light_of(double level) { return level <= 0.04045 ? level / 12.92 : pow((level + 0.055) / 1.055, 2.4); }

static double level_of(double light) { return light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055; }

static double step_of(double light) { return (light + 3.5) * (1 << (light_bits - step_bits)); }

static void fill_levels(void) {
  int next = 0;
  for (int level = 0; level < 256; level++) {
    const double end = level < 255 ? step_of(light_of((level + 0.5) / 255)) : 1 << 16;
    for (; next < end; next++) srgb_levels[next] = (uint8_t)level;
  }
}

static void prepare_levels(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, fill_levels);
}

static lights lights_of(double red, double green, double blue) {
  const double one = 1 << light_bits;
  return (lights)lrint(red * one) + ((lights)lrint(green * one) << lights_bits) + ((lights)lrint(blue * one) << 2 * lights_bits);
}

static bool is_srgb(double matrix[3][3]) {
  for (int i = 0; i < 9; i++) {
    // The matrices of common sRGB profiles differ from each other by up to 0.0003. Ignoring a difference below 0.001 changes no level by
    // more than four.
    if (!(fabs(matrix[i / 3][i % 3] - (i % 4 == 0 ? 1 : 0)) < 0.001)) return false;
  }
  return true;
}

// Whether a curve is so different from that of sRGB that an average of its levels is not similar to an average of sRGB's levels. The result
// is false for exponents from 1.95 to 2.35.
static bool is_far(const color_curve curve) {
  enum { most = 12 };
  for (int i = 0; i < 256; i++) {
    const int level = srgb_levels[(int)(step_of(curve[i]) + 0.5)];
    if (level > i + most || level < i - most) return true;
  }
  return false;
}

static const char *out_of_memory = "memory does not suffice for it";

// Makes a table with the level of sRGB for each level of a channel. If no level differs by more than one, no conversion is necessary.
static const char *use_levels(struct color *color, double (*curves)[256], bool has_same_curves) {
  uint8_t(*levels)[256] = malloc(3 * 256);
  if (levels == NULL) return out_of_memory;
  color->kind = color_stored;
  color->table = levels;
  for (int channel = 0; channel < 3; channel++) {
    if (channel > 0 && has_same_curves) {
      memcpy(levels[channel], levels[0], 256);
      continue;
    }
    for (int i = 0; i < 256; i++) {
      const int level = (int)(level_of(curves[channel][i]) * 255 + 0.5);
      levels[channel][i] = (uint8_t)level;
      if (level > i + 1 || level < i - 1) color->kind = color_levels;
    }
  }
  return NULL;
}

// Whether the sums of light in all colors are between -3.5 and 4.5.
static bool is_in_range(double matrix[3][3]) {
  for (int i = 0; i < 3; i++) {
    double least = 0, most = 0;
    for (int k = 0; k < 3; k++) {
      least += matrix[i][k] < 0 ? matrix[i][k] : 0;
      most += matrix[i][k] > 0 ? matrix[i][k] : 0;
    }
    if (!(least > -3.49 && most < 4.49)) return false;
  }
  return true;
}

// Makes a table with the contribution of each level of a channel to the light of red, green, and blue.
static const char *use_lights(struct color *color, double (*curves)[256], bool has_same_curves, double matrix[3][3]) {
  if (!is_in_range(matrix)) return "its colors are out of range";
  lights *table = malloc(3 * 256 * sizeof(lights));
  if (table == NULL) return out_of_memory;
  color->kind = color_lights;
  color->table = table;
  // `added` is part of every sum. For each color, it is the offset and half a step, so that the sum is rounded to the nearest step.
  const lights least = offset + (1 << (step_bits - 1)), added = least + (least << lights_bits) + (least << 2 * lights_bits);
  double whole[3];
  for (int i = 0; i < 3; i++) whole[i] = matrix[i][0] + matrix[i][1] + matrix[i][2];
  for (int i = 0; i < 256; i++) {
    const double red = curves[0][i], green = curves[has_same_curves ? 0 : 1][i], blue = curves[has_same_curves ? 0 : 2][i];
    table[i] = lights_of(matrix[0][0] * red, matrix[1][0] * red, matrix[2][0] * red);
    table[256 + i] = lights_of(matrix[0][1] * green, matrix[1][1] * green, matrix[2][1] * green);
    table[512 + i] = lights_of(matrix[0][2] * blue, matrix[1][2] * blue, matrix[2][2] * blue);
    // The red, green, and blue of a gray pixel must be equal after rounding, too.
    if (has_same_curves) table[512 + i] = lights_of(whole[0] * red, whole[1] * red, whole[2] * red) - table[i] - table[256 + i];
    table[512 + i] += added;
  }
  return NULL;
}

static const char *use_curves(struct color *color, double (*curves)[256], bool has_same_curves, double colorants[3][3]) {
  double matrix[3][3];
  prepare_levels();
  color->comes_first = false;
  for (int i = 0; i < (has_same_curves ? 1 : 3); i++) color->comes_first = color->comes_first || is_far(curves[i]);
  cic_primaries_to_srgb(colorants, matrix);
  return is_srgb(matrix) ? use_levels(color, curves, has_same_curves) : use_lights(color, curves, has_same_curves, matrix);
}

const char *cic_color_by_primaries(struct color *color, color_primaries primaries, double exponent) {
  double colorants[3][3];
  color_curve curve;
  if (!cic_primaries_colorants(primaries, colorants)) return "its primaries describe no colors";
  for (int i = 0; i < 256; i++) curve[i] = exponent == 0 ? light_of(i / 255.0) : pow(i / 255.0, exponent);
  return use_curves(color, &curve, true, colorants);
}

const char *cic_color_by_numbers(struct color *color, int primaries, int transfer) {
  enum { unspecified = 2, srgb = 13, linear = 8, gamma_2_2 = 4, gamma_2_8 = 5, pq = 16, hlg = 18 };
  // The numbers of the curves of cameras, as a set of bits.
  static const uint32_t cameras = 1U << 1 | 1U << 6 | 1U << 7 | 1U << 11 | 1U << 12 | 1U << 14 | 1U << 15;
  color_primaries found;
  double exponent = 0;
  if (transfer == pq || transfer == hlg) return "it describes the levels of HDR, which are shown without conversion";
  if (transfer == linear) exponent = 1;
  else if (transfer == gamma_2_2) exponent = 2.2;
  else if (transfer == gamma_2_8) exponent = 2.8;
  else if (transfer != unspecified && transfer != srgb && (transfer < 0 || transfer > 31 || (cameras >> transfer & 1) == 0)) {
    return "it has an unknown number";
  }
  if (!cic_primaries_find(primaries, found)) return "it has an unknown number";
  const bool has_srgb_primaries = primaries == 1 || primaries == unspecified;
  return has_srgb_primaries && exponent == 0 ? NULL : cic_color_by_primaries(color, found, exponent);
}

// Little CMS copies the profile, expands its tables, and makes a table with three or four dimensions. A profile with a table of 3 MB took
// 22 MB.
static bool may_hold(size_t count, const cic_limits *limits) {
  enum { most_bytes = 4 << 20, table_bytes = 4 << 20 };
  return count <= most_bytes && 8 * (uint64_t)count + table_bytes <= limits->held_bytes;
}

// By default, little CMS computes one table from all steps of the conversion. This takes 20 ms, and each pixel then takes 30 ns. Without
// this table, each pixel takes 200 ns.
static void *start_transform(const struct lcms_library *lcms, cic_input profile, uint32_t from, uint32_t to, uint64_t pixels) {
  enum { few_pixels = 1 << 17 };
  void *source = lcms->open(profile.bytes, (uint32_t)profile.count), *srgb = lcms->open_srgb(), *transform = NULL;
  const uint32_t flags = pixels < few_pixels ? lcms_as_is : 0;
  if (source != NULL && srgb != NULL) transform = lcms->start(source, from, srgb, to, lcms_perceptual, flags);
  if (source != NULL) lcms->close(source);
  if (srgb != NULL) lcms->close(srgb);
  return transform;
}

// A gray pixel is stored as three equal levels, so a table of 256 colors converts it.
static const char *use_gray_transform(struct color *color, const struct lcms_library *lcms, void *transform) {
  uint8_t grays[256], colors[256][3], (*levels)[256] = malloc(3 * 256);
  if (levels == NULL) return out_of_memory;
  for (int i = 0; i < 256; i++) grays[i] = (uint8_t)i;
  lcms->convert(transform, grays, colors, 256);
  for (int i = 0; i < 3 * 256; i++) levels[i / 256][i % 256] = colors[i % 256][i / 256];
  color->kind = color_levels;
  color->table = levels;
  return NULL;
}

static const char *use_tables(
    struct color *color, enum color_model model, cic_input profile, uint64_t pixels, const cic_limits *limits) {
  const struct lcms_library *lcms = cic_lcms_library();
  if (lcms == NULL) {
    return model == colors_inks ? "profiles for CMYK need little CMS; install the Debian package liblcms2-2"
                                : "profiles with tables need little CMS; install the Debian package liblcms2-2";
  }
  if (!may_hold(profile.count, limits)) return "it takes more memory than allowed";
  const bool is_gray = model == colors_gray, has_inks = model == colors_inks;
  const uint32_t from = is_gray ? lcms_gray : has_inks ? lcms_light_of_inks : lcms_rgba;
  void *transform = start_transform(lcms, profile, from, is_gray ? lcms_rgb : lcms_rgba, is_gray ? 256 : pixels);
  if (transform == NULL) return "little CMS cannot read it";
  if (is_gray) {
    const char *problem = use_gray_transform(color, lcms, transform);
    lcms->end(transform);
    return problem;
  }
  color->kind = color_tables;
  color->has_inks = has_inks;
  color->transform = transform;
  return NULL;
}

const char *cic_color_by_profile(
    struct color *color, cic_input bytes, enum color_model model, uint64_t pixels, const cic_limits *limits) {
  struct color_profile profile;
  const char *problem = cic_profile_read(&profile, bytes.bytes, bytes.count);
  if (problem != NULL) return problem;
  if (profile.model != model && !(profile.model == colors_rgb && model == colors_gray)) {
    return "it is for another kind of color than the image's";
  }
  if (profile.has_tables) {
    problem = use_tables(color, profile.model, bytes, pixels, limits);
    if (problem == NULL || !profile.has_curves) return problem;
  }
  if (profile.model == colors_gray) {
    double colorants[3][3];
    color_primaries primaries;
    const bool is_known = cic_primaries_find(1, primaries) && cic_primaries_colorants(primaries, colorants);
    return is_known ? use_curves(color, profile.curves, true, colorants) : "it is broken";
  }
  return use_curves(color, profile.curves, profile.has_same_curves, profile.colorants);
}

static void convert_levels(const uint8_t (*levels)[256], uint8_t *rgba, size_t pixels) {
  for (; pixels > 0; pixels--, rgba += 4) {
    for (int i = 0; i < 3; i++) rgba[i] = levels[i][rgba[i]];
  }
}

static void convert_lights(const lights *table, uint8_t *rgba, size_t pixels) {
  for (; pixels > 0; pixels--, rgba += 4) {
    const lights sum = table[rgba[0]] + table[256 + rgba[1]] + table[512 + rgba[2]];
    rgba[0] = srgb_levels[sum >> step_bits & 0xFFFF];
    rgba[1] = srgb_levels[sum >> (lights_bits + step_bits) & 0xFFFF];
    rgba[2] = srgb_levels[sum >> (2 * lights_bits + step_bits) & 0xFFFF];
  }
}

void cic_color_convert(const struct color *color, uint8_t *rgba, size_t pixels) {
  switch (color->kind) {
    case color_stored: return;
    case color_levels: convert_levels(color->table, rgba, pixels); return;
    case color_lights: convert_lights(color->table, rgba, pixels); return;
    case color_tables: break;
  }
  // The number of pixels in one call must fit in 32 bits.
  for (size_t done = 0; done < pixels;) {
    const size_t left = pixels - done, count = left < CIC_MAX_SIDE ? left : CIC_MAX_SIDE;
    cic_lcms_library()->convert(color->transform, rgba + done * 4, rgba + done * 4, (uint32_t)count);
    done += count;
  }
  for (size_t i = 0; color->has_inks && i < pixels; i++) rgba[i * 4 + 3] = 0xFF;
}

void cic_color_end(struct color *color) {
  if (color->transform != NULL) cic_lcms_library()->end(color->transform);
  free(color->table);
  *color = (struct color){0};
}

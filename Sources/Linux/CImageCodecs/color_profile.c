#include "color_profile.h"

#include <math.h>
#include <string.h>

// A profile is a header of 128 bytes, the number of tags, an entry of 12 bytes for each tag (its letters, its position, and its size), and
// the contents of the tags.

// At most 100 tags are read. Profiles have about 20.
enum { header_bytes = 128, entry_bytes = 12, most_tags = 100 };

#define LETTERS(a, b, c, d) ((uint32_t)(a) << 24 | (uint32_t)(b) << 16 | (uint32_t)(c) << 8 | (uint32_t)(d))

struct part {
  const uint8_t *bytes;  // NULL if the profile does not have the tag
  size_t count;
};

static uint32_t u16(const uint8_t *p) { return (uint32_t)p[0] << 8 | p[1]; }
static uint32_t u32(const uint8_t *p) { return u16(p) << 16 | u16(p + 2); }
static double fixed(const uint8_t *p) { return (int32_t)u32(p) / 65536.0; }

// Returns the contents of a tag, which begin with its type. A tag with fewer than eight bytes counts as missing.
static struct part find(const uint8_t *bytes, size_t count, uint32_t letters) {
  const size_t listed = u32(bytes + header_bytes), room = (count - header_bytes - 4) / entry_bytes;
  const size_t entries = listed < room ? listed : room;
  const uint8_t *entry = bytes + header_bytes + 4;
  for (size_t i = 0; i < entries && i < most_tags; i++, entry += entry_bytes) {
    if (u32(entry) != letters) continue;
    const size_t start = u32(entry + 4), size = u32(entry + 8);
    if (start > count || size > count - start || size < 8) return (struct part){0};
    return (struct part){bytes + start, size};
  }
  return (struct part){0};
}

static double limited(double value) { return value > 0 ? (value < 1 ? value : 1) : 0; }  // 0 for NaN

// Reads a curve that is a table or an exponent (ICC.1:2022, 10.6). Levels between two entries of a table are interpolated. If the curve is
// empty, light equals the level.
static bool read_table(struct part part, color_curve curve) {
  if (part.count < 12) return false;
  const size_t entries = u32(part.bytes + 8);
  const uint8_t *table = part.bytes + 12;
  if (entries > (part.count - 12) / 2) return false;
  for (int i = 0; i < 256; i++) {
    const double level = i / 255.0;
    if (entries < 2) {
      curve[i] = entries == 0 ? level : limited(pow(level, u16(table) / 256.0));
      continue;
    }
    const double place = level * (double)(entries - 1);
    const size_t before = (size_t)place, after = before + 1 < entries ? before + 1 : before;
    const double low = u16(table + 2 * before), high = u16(table + 2 * after);
    curve[i] = (low + (high - low) * (place - (double)before)) / 65535;
  }
  return true;
}

// Reads a curve that is a formula (ICC.1:2022, 10.18, table 68).
static bool read_formula(struct part part, color_curve curve) {
  static const size_t counts[] = {1, 3, 4, 5, 7};
  if (part.count < 12 || u16(part.bytes + 8) > 4) return false;
  const uint32_t kind = u16(part.bytes + 8);
  if ((part.count - 12) / 4 < counts[kind]) return false;
  double p[7] = {1, 1, 0, 0, 0, 0, 0};
  for (size_t i = 0; i < counts[kind]; i++) p[i] = fixed(part.bytes + 12 + 4 * i);
  const double g = p[0], a = p[1], b = p[2], c = p[3];
  // The power applies to levels from `start`. In the kinds 1 and 2, this is the level at which the base of the power is 0. In the kinds 3
  // and 4, it is the fifth number. In kind 2, `c` is added to every result.
  if ((kind == 1 || kind == 2) && a == 0) return false;
  const double start = kind == 0 ? 0 : kind < 3 ? -b / a : p[4];
  const double added = kind == 2 ? c : p[5], slope = kind < 3 ? 0 : c, offset = kind == 2 ? c : p[6];
  for (int i = 0; i < 256; i++) {
    const double level = i / 255.0;
    curve[i] = limited(level >= start ? pow(a * level + b, g) + added : slope * level + offset);
  }
  return true;
}

static bool read_curve(const uint8_t *bytes, size_t count, uint32_t letters, color_curve curve) {
  const struct part part = find(bytes, count, letters);
  if (part.bytes == NULL) return false;
  switch (u32(part.bytes)) {
    case LETTERS('c', 'u', 'r', 'v'): return read_table(part, curve);
    case LETTERS('p', 'a', 'r', 'a'): return read_formula(part, curve);
    default: return false;
  }
}

// Copies the previous curve if it has the same bytes, because computing its powers takes most of the time.
static bool read_next_curve(struct color_profile *profile, const uint8_t *bytes, size_t count, int i, const uint32_t *letters) {
  const struct part part = find(bytes, count, letters[i]), before = find(bytes, count, letters[i - 1]);
  const bool is_same = part.bytes != NULL && part.count == before.count && memcmp(part.bytes, before.bytes, part.count) == 0;
  if (!is_same) {
    profile->has_same_curves = false;
    return read_curve(bytes, count, letters[i], profile->curves[i]);
  }
  memcpy(profile->curves[i], profile->curves[i - 1], sizeof(color_curve));
  return true;
}

static bool read_rgb(struct color_profile *profile, const uint8_t *bytes, size_t count) {
  static const uint32_t curves[] = {LETTERS('r', 'T', 'R', 'C'), LETTERS('g', 'T', 'R', 'C'), LETTERS('b', 'T', 'R', 'C')};
  static const uint32_t colorants[] = {LETTERS('r', 'X', 'Y', 'Z'), LETTERS('g', 'X', 'Y', 'Z'), LETTERS('b', 'X', 'Y', 'Z')};
  profile->has_same_curves = true;
  for (int i = 0; i < 3; i++) {
    const struct part part = find(bytes, count, colorants[i]);
    if (part.count < 20 || u32(part.bytes) != LETTERS('X', 'Y', 'Z', ' ')) return false;
    for (int k = 0; k < 3; k++) profile->colorants[k][i] = fixed(part.bytes + 8 + 4 * k);
    if (i == 0 && !read_curve(bytes, count, curves[0], profile->curves[0])) return false;
    if (i > 0 && !read_next_curve(profile, bytes, count, i, curves)) return false;
  }
  return true;
}

static bool read_model(struct color_profile *profile, uint32_t space) {
  switch (space) {
    case LETTERS('R', 'G', 'B', ' '): profile->model = colors_rgb; return true;
    case LETTERS('G', 'R', 'A', 'Y'): profile->model = colors_gray; return true;
    case LETTERS('C', 'M', 'Y', 'K'): profile->model = colors_inks; return true;
    default: return false;
  }
}

const char *cic_profile_read(struct color_profile *profile, const uint8_t *bytes, size_t count) {
  *profile = (struct color_profile){0};
  if (count < header_bytes + 4) return "it ends early";
  const size_t size = u32(bytes);
  if (u32(bytes + 36) != LETTERS('a', 'c', 's', 'p') || size < header_bytes + 4) return "it is broken";
  if (size > count) return "it ends early";
  count = size;
  const uint32_t kind = u32(bytes + 12), connection = u32(bytes + 20);
  const bool is_for_images =
      kind == LETTERS('s', 'c', 'n', 'r') || kind == LETTERS('m', 'n', 't', 'r') || kind == LETTERS('p', 'r', 't', 'r') ||
      kind == LETTERS('s', 'p', 'a', 'c');
  const bool is_lab = connection == LETTERS('L', 'a', 'b', ' ');
  if (!is_for_images || (!is_lab && connection != LETTERS('X', 'Y', 'Z', ' ')) || bytes[8] < 2 || bytes[8] > 4) {
    return "it is of a kind that images do not have";
  }
  if (!read_model(profile, u32(bytes + 16))) return "it is for another kind of color than the image's";
  // The tables of D2B0 are programs, whose steps can share their data. So even a small profile can have very many steps.
  if (find(bytes, count, LETTERS('D', '2', 'B', '0')).bytes != NULL) return "it has a kind of table that is not read";
  profile->has_tables = find(bytes, count, LETTERS('A', '2', 'B', '0')).bytes != NULL;
  if (profile->model == colors_rgb) {
    profile->has_curves = !is_lab && read_rgb(profile, bytes, count);
  } else if (profile->model == colors_gray) {
    profile->has_curves = read_curve(bytes, count, LETTERS('k', 'T', 'R', 'C'), profile->curves[0]);
    // If the profile uses Lab, the curve has lightness instead of light. Only little CMS converts such a curve, and it converts only
    // profiles with tables, so the curve counts as a table.
    if (profile->has_curves && is_lab) {
      profile->has_tables = true;
      profile->has_curves = false;
    }
  }
  return profile->has_tables || profile->has_curves ? NULL : "it is broken";
}

#ifndef CIC_COLOR_PROFILE_H
#define CIC_COLOR_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The kinds of colors that a profile describes.
enum color_model { colors_rgb, colors_gray, colors_inks };

// The light of each level of a channel, from 0 to 1.
typedef double color_curve[256];

// The contents of an ICC profile (ICC.1:2022, or ICC.1:2001-04 for version 2). A profile describes its colors by curves and a matrix, by
// tables with several dimensions, or by both.
struct color_profile {
  enum color_model model;
  bool has_tables;           // it has tables, which only little CMS reads
  bool has_curves;           // the fields below are valid
  color_curve curves[3];     // red, green, and blue; for grays, only the first
  bool has_same_curves;      // the three curves are equal
  double colorants[3][3];    // for each of X, Y, and Z (relative to D50), the amount in red, green, and blue; unused for grays
};

// Reads a profile. Returns NULL, or a clause that says why the profile cannot be used, such as "it ends early". Never reads beyond `count`
// bytes, and takes little time, whatever the profile contains.
const char *cic_profile_read(struct color_profile *profile, const uint8_t *bytes, size_t count);

#endif

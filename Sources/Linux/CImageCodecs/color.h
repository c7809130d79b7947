#ifndef CIC_COLOR_H
#define CIC_COLOR_H

#include "CImageCodecs.h"
#include "color_primaries.h"
#include "color_profile.h"

// The conversion of an image's colors to sRGB.
//
// Profiles with curves and a matrix, and PNG's and AVIF's numbers for colors, are converted with tables. If the primaries are those of
// sRGB, each channel has a table of levels. Otherwise, each channel has a table of light, and the sum of the light of all channels selects
// a level of sRGB. Little CMS, if it is installed, converts profiles with tables and profiles for CMYK, with the perceptual intent.
//
// Rows are converted after the image has been reduced, because there are fewer pixels then. So the filter averages levels of the profile
// instead of levels of sRGB. Both are averages of levels, not of light, and they are nearly the same if the profile's curves are similar to
// that of sRGB. On the photos of the demo at an eighth of their sides, the mean difference is 0.4 levels for Display P3, and 0.5 for Adobe
// RGB. For ProPhoto RGB, whose curves are very different from that of sRGB, it would be 1.4. For such curves, `comes_first` is true. The
// curves of a profile with tables are unknown, and count as similar.
struct color {
  enum { color_stored, color_levels, color_lights, color_tables } kind;  // color_stored: the colors are those of sRGB
  bool comes_first;  // rows must be converted before the image is reduced
  bool has_inks;     // the pixels are cyan, magenta, yellow, and black as amounts of light; the conversion makes them opaque RGB
  void *table;       // the table of levels or of light
  void *transform;   // of little CMS
};

// These functions prepare a conversion. They return NULL, or a clause that says why the colors stay as stored. Call cic_color_end at the
// end in either case.

// Reads an ICC profile. `model` is the kind of the stored pixels. Gray pixels, of which red, green, and blue are equal, can have a profile
// for RGB, too. `pixels` is the number of pixels that will be converted. It affects only how long the conversion takes.
const char *cic_color_by_profile(
    struct color *color, cic_input profile, enum color_model model, uint64_t pixels, const cic_limits *limits);

// The light of a level, from 0 to 1, is the level to the power of `exponent`. If the exponent is 0, the levels have the curve of sRGB.
const char *cic_color_by_primaries(struct color *color, color_primaries primaries, double exponent);

// Uses the numbers of ITU-T H.273. All curves of cameras, such as those of BT.709 and BT.2020, count as the curve of sRGB, as in browsers,
// because screens show such images by a curve that is similar to that of sRGB.
const char *cic_color_by_numbers(struct color *color, int primaries, int transfer);

// Converts straight RGBA pixels. Alpha does not change.
void cic_color_convert(const struct color *color, uint8_t *rgba, size_t pixels);

void cic_color_end(struct color *color);

#endif

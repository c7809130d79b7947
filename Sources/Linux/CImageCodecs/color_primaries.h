#ifndef CIC_COLOR_PRIMARIES_H
#define CIC_COLOR_PRIMARIES_H

#include <stdbool.h>
#include <stddef.h>

// The chromaticities x and y of red, green, blue, and white.
typedef double color_primaries[4][2];

// Computes the amount of X, Y, and Z in red, green, and blue, relative to D50, as in color_profile.h. Returns false if the primaries
// describe no colors.
bool cic_primaries_colorants(color_primaries primaries, double colorants[3][3]);

// Computes the matrix that converts light from these colorants to the primaries of sRGB.
void cic_primaries_to_srgb(double colorants[3][3], double matrix[3][3]);

// Finds the primaries with a number of ITU-T H.273, table 2. The number 2 (unspecified) means sRGB. Returns false for an unknown number.
bool cic_primaries_find(int number, color_primaries primaries);

#endif

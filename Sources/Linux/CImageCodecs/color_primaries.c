#include "color_primaries.h"

#include <math.h>
#include <string.h>

static void multiply(double a[3][3], double b[3][3], double product[3][3]) {
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++) product[i][k] = a[i][0] * b[0][k] + a[i][1] * b[1][k] + a[i][2] * b[2][k];
  }
}

// Inverts by cofactors.
static bool invert(double m[3][3], double inverse[3][3]) {
  double determinant = 0;
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++) {
      const int a = (i + 1) % 3, b = (i + 2) % 3, c = (k + 1) % 3, d = (k + 2) % 3;
      inverse[k][i] = m[a][c] * m[b][d] - m[a][d] * m[b][c];
    }
    determinant += m[0][i] * inverse[i][0];
  }
  if (!(fabs(determinant) > 1e-6)) return false;
  for (int i = 0; i < 9; i++) inverse[i / 3][i % 3] /= determinant;
  return true;
}

static bool to_xyz(const double xy[2], double xyz[3]) {
  if (!(xy[1] > 1e-3)) return false;
  xyz[0] = xy[0] / xy[1];
  xyz[1] = 1;
  xyz[2] = (1 - xy[0] - xy[1]) / xy[1];
  return true;
}

// Adapts colorants from their white to D50 by the method of Bradford, as ICC.1:2022 (annex E) recommends.
static bool adapt(const double white[3], double colorants[3][3]) {
  static const double d50[3] = {0.9642, 1, 0.8249};
  double cones[3][3] = {{0.8951, 0.2664, -0.1614}, {-0.7502, 1.7135, 0.0367}, {0.0389, -0.0685, 1.0296}};
  double back[3][3], scaled[3][3], change[3][3], adapted[3][3];
  for (int i = 0; i < 3; i++) {
    const double from = cones[i][0] * white[0] + cones[i][1] * white[1] + cones[i][2] * white[2];
    const double to = cones[i][0] * d50[0] + cones[i][1] * d50[1] + cones[i][2] * d50[2];
    if (!(from > 1e-3)) return false;
    for (int k = 0; k < 3; k++) scaled[i][k] = cones[i][k] * to / from;
  }
  if (!invert(cones, back)) return false;
  multiply(back, scaled, change);
  multiply(change, colorants, adapted);
  memcpy(colorants, adapted, sizeof adapted);
  return true;
}

bool cic_primaries_colorants(color_primaries primaries, double colorants[3][3]) {
  double white[3], inverse[3][3];
  for (int i = 0; i < 3; i++) {
    double xyz[3];
    if (!to_xyz(primaries[i], xyz)) return false;
    for (int k = 0; k < 3; k++) colorants[k][i] = xyz[k];
  }
  if (!to_xyz(primaries[3], white) || !invert(colorants, inverse)) return false;
  for (int i = 0; i < 3; i++) {
    const double amount = inverse[i][0] * white[0] + inverse[i][1] * white[1] + inverse[i][2] * white[2];
    for (int k = 0; k < 3; k++) colorants[k][i] *= amount;
  }
  return adapt(white, colorants);
}

void cic_primaries_to_srgb(double colorants[3][3], double matrix[3][3]) {
  // The inverse of sRGB's colorants (IEC 61966-2-1, adapted to D50).
  double from_xyz[3][3] = {
      {3.1338561, -1.6168667, -0.4906146}, {-0.9787684, 1.9161415, 0.0334540}, {0.0719453, -0.2289914, 1.4052427}};
  multiply(from_xyz, colorants, matrix);
  for (int i = 0; i < 3; i++) {
    // White must stay white. The rounded numbers of a profile add up to white with an error of a thousandth or less.
    const double sum = matrix[i][0] + matrix[i][1] + matrix[i][2];
    if (fabs(sum - 1) > 0.01) continue;
    for (int k = 0; k < 3; k++) matrix[i][k] /= sum;
  }
}

bool cic_primaries_find(int number, color_primaries primaries) {
#define D65 {0.3127, 0.3290}
#define C {0.310, 0.316}
  static const struct {
    int number;
    color_primaries primaries;
  } known[] = {
      {1, {{0.640, 0.330}, {0.300, 0.600}, {0.150, 0.060}, D65}},               // BT.709, sRGB
      {2, {{0.640, 0.330}, {0.300, 0.600}, {0.150, 0.060}, D65}},               // unspecified
      {4, {{0.67, 0.33}, {0.21, 0.71}, {0.14, 0.08}, C}},                       // BT.470 M
      {5, {{0.64, 0.33}, {0.29, 0.60}, {0.15, 0.06}, D65}},                     // BT.601, 625 lines
      {6, {{0.630, 0.340}, {0.310, 0.595}, {0.155, 0.070}, D65}},               // BT.601, 525 lines
      {7, {{0.630, 0.340}, {0.310, 0.595}, {0.155, 0.070}, D65}},               // SMPTE 240
      {8, {{0.681, 0.319}, {0.243, 0.692}, {0.145, 0.049}, C}},                 // film
      {9, {{0.708, 0.292}, {0.170, 0.797}, {0.131, 0.046}, D65}},               // BT.2020
      {11, {{0.680, 0.320}, {0.265, 0.690}, {0.150, 0.060}, {0.314, 0.351}}},   // DCI P3
      {12, {{0.680, 0.320}, {0.265, 0.690}, {0.150, 0.060}, D65}},              // Display P3
      {22, {{0.630, 0.340}, {0.295, 0.605}, {0.155, 0.077}, D65}},              // EBU 3213
  };
#undef D65
#undef C
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    if (known[i].number != number) continue;
    memcpy(primaries, known[i].primaries, sizeof(color_primaries));
    return true;
  }
  return false;
}

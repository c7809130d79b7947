#ifndef CIC_AVIF_ENCODER_H
#define CIC_AVIF_ENCODER_H

#include "avif_library.h"

// The functions of libavif that encode, if it is installed and was built with libaom's encoder. As in avif_library.h, the structures are
// the beginnings of libavif's structures in the versions 0.11 and 1.x.

enum { avif_aom = 1, avif_can_encode = 1 << 1 };
enum { avif_single = 1 << 1 };
enum { avif_full_range = 1 };
enum { avif_bt709 = 1, avif_srgb = 13, avif_bt601 = 6 };  // primaries, transfer, and matrix as in ITU-T H.273

struct avif_encoder {
  int codec, threads, speed, keyframe_interval;
  uint64_t timescale;  // units of time in a second
};

struct avif_encoding {
  const struct avif_library *library;
  struct avif_encoder *(*create)(void);
  void (*destroy)(struct avif_encoder *);
  int (*add)(struct avif_encoder *, const struct avif_picture *, uint64_t, uint32_t);
  int (*finish)(struct avif_encoder *, struct avif_data *);
  void (*free_data)(struct avif_data *);
  struct avif_picture *(*create_picture)(uint32_t, uint32_t, uint32_t, int);
  int (*from_rgb)(struct avif_picture *, const struct avif_rgb *);
  const char *(*codec_name)(int, uint32_t);
  void (*set_exif)(struct avif_picture *, const uint8_t *, size_t);
  void (*set_option)(struct avif_encoder *, const char *, const char *);  // NULL if libavif does not have it
};

// Returns the functions, or NULL if libavif is not installed, does not have them, or cannot encode with libaom.
const struct avif_encoding *cic_avif_encoding(void);

// These functions set the qualities, from 1 to 100, and the number of plays, where 0 means forever. Version 0.11 does not store the number
// of plays.
void cic_avif_set_quality(const struct avif_encoding *encoding, struct avif_encoder *encoder, int quality, int alpha_quality);
void cic_avif_set_plays(const struct avif_encoding *encoding, struct avif_encoder *encoder, uint32_t plays);

// Sets an option of libaom. May only be called if libavif has `set_option`. If libaom does not have the option, `add` returns
// `avif_invalid_option`. Returns false if memory runs out.
bool cic_avif_set_option(const struct avif_encoding *encoding, struct avif_encoder *encoder, const char *name, const char *value);

// Returns false if memory runs out, or if libavif refuses the EXIF.
bool cic_avif_set_exif(const struct avif_encoding *encoding, struct avif_picture *picture, const uint8_t *exif, size_t count);

#endif

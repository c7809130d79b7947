#include "avif_encoder.h"

#include <limits.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

#include "functions.h"

// A quantizer is a number from 0, for the best quality, to 63.
struct encoder_0_11 {
  struct avif_encoder encoder;
  int least_quantizer, most_quantizer, least_alpha_quantizer, most_alpha_quantizer, tile_rows, tile_columns, tiles_itself;
};

struct encoder_1 {
  struct avif_encoder encoder;
  int more_plays;
  uint32_t layers;
  int quality, alpha_quality;
  int least_quantizer, most_quantizer, least_alpha_quantizer, most_alpha_quantizer, tile_rows, tile_columns, tiles_itself;
};

#if UINTPTR_MAX == UINT64_MAX
_Static_assert(offsetof(struct encoder_0_11, least_quantizer) == 24, "as in avif.h of 0.11");
_Static_assert(offsetof(struct encoder_1, more_plays) == 24, "as in avif.h of 1.0");
_Static_assert(offsetof(struct encoder_1, quality) == 32, "as in avif.h of 1.0");
#endif

static struct avif_encoding encoding;
static const struct avif_encoding *found;

// Whether the library's structure matches its declaration here. It matches if its default values are at the expected positions.
static bool fits(void) {
  struct avif_encoder *encoder = encoding.create();
  if (encoder == NULL) return false;
  const bool begins = encoder->codec == 0 && encoder->threads == 1 && encoder->speed == -1 && encoder->keyframe_interval == 0 &&
                      encoder->timescale == 1;
  const struct encoder_0_11 *first = (const struct encoder_0_11 *)encoder;
  const struct encoder_1 *second = (const struct encoder_1 *)encoder;
  const bool continues =
      encoding.library->is_first
          ? first->least_quantizer == 0 && first->most_quantizer >= 0 && first->most_quantizer <= 63 && first->least_alpha_quantizer == 0 &&
                first->most_alpha_quantizer >= 0 && first->most_alpha_quantizer <= 63 && first->tile_rows == 0 && first->tile_columns == 0
          : second->more_plays == -1 && second->layers == 0 && second->quality == -1 && second->alpha_quality == -1 &&
                second->least_quantizer == 0 && second->most_quantizer == 63 && second->tile_rows == 0 && second->tile_columns == 0;
  encoding.destroy(encoder);
  return begins && continues;
}

static void find(void) {
  encoding.library = cic_avif_library();
  if (encoding.library == NULL) return;
  const struct cic_function functions[] = {
      {"avifEncoderCreate", &encoding.create},       {"avifEncoderDestroy", &encoding.destroy},
      {"avifEncoderAddImage", &encoding.add},        {"avifEncoderFinish", &encoding.finish},
      {"avifRWDataFree", &encoding.free_data},       {"avifImageCreate", &encoding.create_picture},
      {"avifImageRGBToYUV", &encoding.from_rgb},     {"avifCodecName", &encoding.codec_name},
      {"avifImageSetMetadataExif", &encoding.set_exif},
  };
  if (!cic_find_functions(encoding.library->handle, functions, sizeof functions / sizeof *functions)) return;
  const struct cic_function option = {"avifEncoderSetCodecSpecificOption", &encoding.set_option};
  (void)cic_find_functions(encoding.library->handle, &option, 1);
  if (encoding.codec_name(avif_aom, avif_can_encode) != NULL && fits()) found = &encoding;
}

const struct avif_encoding *cic_avif_encoding(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, find);
  return found;
}

// Returns the quantizer for a quality, as libavif 1.x does.
static int quantizer_of(int quality) { return ((100 - quality) * 63 + 50) / 100; }

void cic_avif_set_quality(const struct avif_encoding *avif, struct avif_encoder *encoder, int quality, int alpha_quality) {
  if (avif->library->is_first) {
    struct encoder_0_11 *first = (struct encoder_0_11 *)encoder;
    first->least_quantizer = first->most_quantizer = quantizer_of(quality);
    first->least_alpha_quantizer = first->most_alpha_quantizer = quantizer_of(alpha_quality);
  } else {
    struct encoder_1 *second = (struct encoder_1 *)encoder;
    second->quality = quality;
    second->alpha_quality = alpha_quality;
  }
}

void cic_avif_set_plays(const struct avif_encoding *avif, struct avif_encoder *encoder, uint32_t plays) {
  if (avif->library->is_first || plays == 0) return;
  ((struct encoder_1 *)encoder)->more_plays = plays < INT_MAX ? (int)plays - 1 : INT_MAX;
}

bool cic_avif_set_option(const struct avif_encoding *avif, struct avif_encoder *encoder, const char *name, const char *value) {
  if (avif->library->is_first) {
    avif->set_option(encoder, name, value);
    return true;
  }
  // In 1.x, the function has a result.
  int (*set_option)(struct avif_encoder *, const char *, const char *);
  memcpy(&set_option, &avif->set_option, sizeof set_option);
  return set_option(encoder, name, value) == avif_ok;
}

bool cic_avif_set_exif(const struct avif_encoding *avif, struct avif_picture *picture, const uint8_t *exif, size_t count) {
  if (avif->library->is_first) {
    avif->set_exif(picture, exif, count);
    return true;
  }
  // In 1.x, the function has a result.
  int (*set_exif)(struct avif_picture *, const uint8_t *, size_t);
  memcpy(&set_exif, &avif->set_exif, sizeof set_exif);
  return set_exif(picture, exif, count) == avif_ok;
}

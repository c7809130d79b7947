#include "avif_library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

#include "functions.h"

struct picture_0_11 {
  struct avif_picture picture;
  struct avif_transforms transforms;
};

struct picture_1 {
  struct avif_picture picture;
  uint16_t light_levels[2];
  struct avif_transforms transforms;
};

struct rgb_tail_0_11 {
  uint8_t *pixels;
  uint32_t row_bytes;
};

struct rgb_tail_1 {
  int threads;
  uint8_t *pixels;
  uint32_t row_bytes;
};

#if UINTPTR_MAX == UINT64_MAX
_Static_assert(offsetof(struct picture_0_11, transforms) == 112, "as in avif.h of 0.11");
_Static_assert(offsetof(struct picture_1, transforms) == 116, "as in avif.h of 1.0");
_Static_assert(offsetof(struct avif_decoder, picture) == 48, "as in avif.h of 0.11 and 1.0");
_Static_assert(offsetof(struct avif_rgb, tail) == 40, "as in avif.h of 0.11 and 1.0");
#endif

static struct avif_library library;
static const struct avif_library *found;

// Whether the library's structures match their declarations in avif_library.h. They match if their default values are at the expected
// positions.
static bool fits(void) {
  struct avif_decoder *decoder = library.decoder_create();
  if (decoder == NULL) return false;
  const bool decoder_fits = decoder->threads == 1 && decoder->most_pixels == 16384 * 16384 && decoder->longest_side == 32768 &&
                            decoder->most_frames == 12 * 3600 * 60 && decoder->strictness == 7 && decoder->picture == NULL;
  library.decoder_destroy(decoder);
  struct avif_picture *picture = library.picture_create();
  if (picture == NULL) return false;
  const bool picture_fits = picture->width == 0 && picture->height == 0 && picture->planes[0] == NULL && picture->primaries == 2 &&
                            picture->transfer == 2 && picture->matrix == 2 && cic_avif_transforms(&library, picture).flags == 0;
  library.picture_destroy(picture);
  return decoder_fits && picture_fits;
}

static bool load(const char *name, const char *version) {
  void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (handle == NULL) return false;
  const char *(*version_of)(void) = NULL;
  const struct cic_function functions[] = {
      {"avifVersion", &version_of},
      {"avifDecoderCreate", &library.decoder_create},
      {"avifDecoderDestroy", &library.decoder_destroy},
      {"avifDecoderSetIOMemory", &library.set_memory},
      {"avifDecoderParse", &library.parse},
      {"avifDecoderNextImage", &library.next_image},
      {"avifDecoderNthImage", &library.image_at},
      {"avifImageCreateEmpty", &library.picture_create},
      {"avifImageDestroy", &library.picture_destroy},
      {"avifImageSetViewRect", &library.view},
      {"avifRGBImageSetDefaults", &library.rgb_defaults},
      {"avifImageYUVToRGB", &library.to_rgb},
      {"avifResultToString", &library.describe},
  };
  const bool is_complete = cic_find_functions(handle, functions, sizeof functions / sizeof *functions);
  library.handle = handle;
  if (is_complete && strncmp(version_of(), version, strlen(version)) == 0 && fits()) return true;
  dlclose(handle);
  return false;
}

static void find(void) {
  if (load("libavif.so.16", "1.")) {
    found = &library;
    return;
  }
  library.is_first = true;
  if (load("libavif.so.15", "0.11.")) found = &library;
}

const struct avif_library *cic_avif_library(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, find);
  return found;
}

struct avif_transforms cic_avif_transforms(const struct avif_library *avif, const struct avif_picture *picture) {
  return avif->is_first ? ((const struct picture_0_11 *)picture)->transforms : ((const struct picture_1 *)picture)->transforms;
}

void cic_avif_set_pixels(const struct avif_library *avif, struct avif_rgb *rgb, uint8_t *pixels, uint32_t row_bytes) {
  // `tail` begins where the integers before it end. The compiler inserts the same padding into the structures of this file as into those of
  // libavif.
  if (avif->is_first) {
    const struct rgb_tail_0_11 tail = {pixels, row_bytes};
    memcpy(rgb->tail, &tail, sizeof tail);
  } else {
    struct rgb_tail_1 tail;
    memcpy(&tail, rgb->tail, sizeof tail);
    tail.threads = 1;
    tail.pixels = pixels;
    tail.row_bytes = row_bytes;
    memcpy(rgb->tail, &tail, sizeof tail);
  }
}

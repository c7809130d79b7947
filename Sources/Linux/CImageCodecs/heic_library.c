#include "heic_library.h"

#include <dlfcn.h>
#include <pthread.h>

#include "functions.h"

static struct heic_library library;
static const struct heic_library *found;

static void find(void) {
  void *handle = dlopen("libheif.so.1", RTLD_NOW | RTLD_LOCAL);
  if (handle == NULL) return;
  const struct cic_function functions[] = {
      {"heif_init", &library.start},
      {"heif_have_decoder_for_format", &library.has_decoder},
      {"heif_context_alloc", &library.context_create},
      {"heif_context_free", &library.context_destroy},
      {"heif_context_read_from_memory_without_copy", &library.read},
      {"heif_context_get_primary_image_handle", &library.find_primary},
      {"heif_image_handle_release", &library.handle_destroy},
      {"heif_decode_image", &library.decode},
      {"heif_image_release", &library.picture_destroy},
      {"heif_image_get_width", &library.width},
      {"heif_image_get_height", &library.height},
      {"heif_image_get_bits_per_pixel_range", &library.depth},
      {"heif_image_get_plane_readonly", &library.plane},
      {"heif_image_get_nclx_color_profile", &library.read_colors},
      {"heif_nclx_color_profile_free", &library.colors_destroy},
  };
  const bool is_complete = cic_find_functions(handle, functions, sizeof functions / sizeof *functions);
  // `start` loads the decoders that are in separate files.
  if (is_complete && library.start(NULL).code == heif_ok && library.has_decoder(heif_hevc) != 0) found = &library;
  if (found == NULL) dlclose(handle);
}

const struct heic_library *cic_heic_library(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, find);
  return found;
}

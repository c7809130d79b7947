#include "lcms_library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "functions.h"

static struct lcms_library library;
static const struct lcms_library *found;

static void find(void) {
  void *handle = dlopen("liblcms2.so.2", RTLD_NOW | RTLD_LOCAL);
  if (handle == NULL) return;
  const struct cic_function functions[] = {
      {"cmsOpenProfileFromMem", &library.open},
      {"cmsCreate_sRGBProfile", &library.open_srgb},
      {"cmsCloseProfile", &library.close},
      {"cmsCreateTransform", &library.start},
      {"cmsDoTransform", &library.convert},
      {"cmsDeleteTransform", &library.end},
  };
  const bool is_complete = cic_find_functions(handle, functions, sizeof functions / sizeof *functions);
  if (is_complete) found = &library; else dlclose(handle);
}

const struct lcms_library *cic_lcms_library(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, find);
  return found;
}

#include "lcms_library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static struct lcms_library library;
static const struct lcms_library *found;

static void find(void) {
  void *handle = dlopen("liblcms2.so.2", RTLD_NOW | RTLD_LOCAL);
  if (handle == NULL) return;
  const struct {
    const char *name;
    void *place;
  } functions[] = {
      {"cmsOpenProfileFromMem", &library.open},
      {"cmsCreate_sRGBProfile", &library.open_srgb},
      {"cmsCloseProfile", &library.close},
      {"cmsCreateTransform", &library.start},
      {"cmsDoTransform", &library.convert},
      {"cmsDeleteTransform", &library.end},
  };
  bool is_complete = true;
  for (size_t i = 0; i < sizeof functions / sizeof *functions && is_complete; i++) {
    void *function = dlsym(handle, functions[i].name);
    is_complete = function != NULL;
    // POSIX guarantees that pointers to functions and pointers to data have the same representation.
    memcpy(functions[i].place, &function, sizeof function);
  }
  if (is_complete) found = &library; else dlclose(handle);
}

const struct lcms_library *cic_lcms_library(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, find);
  return found;
}

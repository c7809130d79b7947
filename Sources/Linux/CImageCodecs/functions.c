#include "functions.h"

#include <dlfcn.h>
#include <string.h>

bool cic_find_functions(void *library, const struct cic_function *functions, size_t count) {
  for (size_t i = 0; i < count; i++) {
    void *function = dlsym(library, functions[i].name);
    if (function == NULL) return false;
    // POSIX guarantees that pointers to functions and pointers to data have the same representation.
    memcpy(functions[i].pointer, &function, sizeof function);
  }
  return true;
}

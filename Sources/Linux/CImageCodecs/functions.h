#ifndef CIC_FUNCTIONS_H
#define CIC_FUNCTIONS_H

#include <stdbool.h>
#include <stddef.h>

// A function of a library that is loaded at run time, and the pointer to it that is to be set.
struct cic_function {
  const char *name;
  void *pointer;
};

// Sets the pointers. Returns false if the library lacks a function, and then the pointers are not to be used.
bool cic_find_functions(void *library, const struct cic_function *functions, size_t count);

#endif

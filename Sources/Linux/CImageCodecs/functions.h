#ifndef CIC_FUNCTIONS_H
#define CIC_FUNCTIONS_H

#include <stdbool.h>
#include <stddef.h>

// A function of a library that is loaded at run time. `pointer` is the address of the function pointer to set.
struct cic_function {
  const char *name;
  void *pointer;
};

// Sets the function pointers. Returns false if the library lacks a function. In this case, do not use the function pointers.
bool cic_find_functions(void *library, const struct cic_function *functions, size_t count);

#endif

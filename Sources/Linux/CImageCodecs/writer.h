#ifndef CIC_WRITER_H
#define CIC_WRITER_H

#include "support.h"

struct writer_format {
  const char *name;        // with an article, such as "a JPEG"
  uint32_t longest_side;   // pixels
  bool is_still;           // whether a file has one image only
  size_t size;             // the size of the format's writer structure in bytes
  cic_status (*start)(cic_writer *writer, char *message);
  cic_status (*add)(cic_writer *writer, const uint8_t *rgba, uint32_t milliseconds, char *message);
  cic_status (*finish)(cic_writer *writer, char *message);
  void (*end)(cic_writer *writer);  // frees what the other functions allocated
};

// Each format has a writer structure, whose first field is a `cic_writer`. The format's other fields are zero until `start` is called.
// `start`, `finish`, and `end` may be NULL.
struct cic_writer {
  const struct writer_format *format;
  cic_writing writing;  // `exif` is a copy
  uint8_t *exif;
  cic_output output;
  uint32_t images;      // the number of images that have been added
  bool is_done;         // whether the file has been finished, or a call has failed
};

// Checks the size, and creates a writer.
cic_status cic_writer_open(const struct writer_format *format, const cic_writing *writing, cic_writer **writer, char *message);

cic_status cic_out_of_memory(char *message);

bool cic_is_opaque(const uint8_t *rgba, size_t pixels);

#endif

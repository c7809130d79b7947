#ifndef CIC_JPEG_READER_H
#define CIC_JPEG_READER_H

#include <setjmp.h>
#include <stdio.h>

#include <jpeglib.h>

#include "rows.h"
#include "support.h"

// Lives in the caller of the function that calls setjmp, so that what it holds is defined after the jump.
struct jpeg_reader {
  struct jpeg_decompress_struct jpeg;
  struct jpeg_error_mgr errors;
  struct jpeg_source_mgr source;
  jmp_buf escape;
  cic_status status;
  char *message;
  bool in_image;  // the header is read
  bool ended;     // libjpeg asked for more than there is
  bool suspends;  // the rest is still to come: libjpeg waits for it
  struct rows rows;
};

// Everything here but cic_jpeg_finish may leave by a jump to `escape`.
_Noreturn void cic_jpeg_fail(struct jpeg_reader *reader, cic_status status, const char *text);
_Noreturn void cic_jpeg_fail_truncated(struct jpeg_reader *reader);

// Sets up errors and source and reads up to the first scan. EXIF markers are kept.
void cic_jpeg_read_header(struct jpeg_reader *reader, cic_input input);

// Fails where the file has more scans than allowed, of which even one that is nearly empty passes over the whole picture; or where those
// that it has pass over too much. A look at the markers: all of a file of some megabytes in a millisecond.
void cic_jpeg_check_scans(struct jpeg_reader *reader, cic_input input, const cic_limits *limits);

// Frees what the reader holds and returns its status.
cic_status cic_jpeg_finish(struct jpeg_reader *reader);

#endif

#ifndef CIC_JPEG_READER_H
#define CIC_JPEG_READER_H

#include <setjmp.h>
#include <stdio.h>

#include "libraries.h"

#include <jpeglib.h>

#include "jpeg_blocks.h"
#include "jpeg_markers.h"
#include "rows.h"
#include "support.h"

// Lives in the caller of the function that calls setjmp, so that what it holds is defined after the jump.
struct jpeg_reader {
  struct jpeg_decompress_struct jpeg;
  struct jpeg_error_mgr errors;
  struct jpeg_source_mgr source;
  cic_input input;
  const uint8_t *left_out;  // the next scan that libjpeg does not get
  struct jpeg_blocks blocks;
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

// Sets up errors and source and reads up to the first scan.
void cic_jpeg_read_header(struct jpeg_reader *reader, cic_input input);

// Fails where the file has more scans than allowed, of which even one that is nearly empty passes over the whole picture; or where those
// that it has pass over too much. A look at the markers: all of a file of some megabytes in a millisecond.
void cic_jpeg_check_scans(struct jpeg_reader *reader, const cic_limits *limits);

// Has libjpeg neither keep nor even read coefficients that make no difference at the scale that is set: at an eighth a block is one pixel,
// for which its first coefficient is enough. Chroma that is stored at half the size makes four pixels of a block; but where they would take
// many megabytes, and the target is so small that it has hardly a pixel for each block, its first coefficient must do, too. Does nothing
// for files that lack a scan or their end.
void cic_jpeg_leave_out(struct jpeg_reader *reader, const cic_target *target);

// The bytes of the coefficients that are kept of a picture of several scans.
uint64_t cic_jpeg_coefficient_bytes(struct jpeg_reader *reader);

// Goes on behind the scans that are left out; false at the end of the input.
bool cic_jpeg_next_part(struct jpeg_reader *reader);

// Frees what the reader holds and returns its status.
cic_status cic_jpeg_finish(struct jpeg_reader *reader);

#endif

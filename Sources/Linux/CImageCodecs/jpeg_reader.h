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

// The rows of MCUs whose data is damaged or missing, in the scan that has the most of them. libjpeg makes them up, and only warns.
struct jpeg_damage {
  int scan;         // the scan that is being read
  uint32_t rows;    // rows in this scan
  uint32_t next;    // the row after the last one that counts
  uint32_t most;    // rows in any scan
  uint32_t absent;  // rows at the end of a first scan for which there is nothing at all
  bool has_excess;  // coded bytes are left behind the last block of a scan, or of the part before a restart
};

// Lives in the caller of the function that calls setjmp, so that its contents are defined after the jump.
struct jpeg_reader {
  struct jpeg_decompress_struct jpeg;
  struct jpeg_error_mgr errors;
  struct jpeg_source_mgr source;
  cic_input input;
  const uint8_t *left_out;  // the next scan that is withheld from libjpeg
  const uint8_t *declared_lines, *defined_lines;  // the frame's height that is replaced, and the one that replaces it
  struct jpeg_blocks blocks;
  jmp_buf escape;
  cic_status status;
  char *message;
  bool in_image;  // the header has been read
  bool has_rows;  // all rows have been read; no fault is a failure any more
  bool ended;     // libjpeg asked for more bytes than there are
  bool suspends;  // more bytes will follow: libjpeg waits for them
  struct jpeg_damage damage;
  struct rows rows;
};

// All functions here except cic_jpeg_finish may jump to `escape`.
_Noreturn void cic_jpeg_fail(struct jpeg_reader *reader, cic_status status, const char *text);
_Noreturn void cic_jpeg_fail_truncated(struct jpeg_reader *reader);

// Sets up errors and the source, and reads up to the first scan.
void cic_jpeg_read_header(struct jpeg_reader *reader, cic_input input);

// Fails if the file has more scans than allowed, because even a nearly empty scan passes over the whole image, or if its scans pass over
// too many blocks. Reads only the markers: all those of a file of some megabytes in a millisecond.
void cic_jpeg_check_scans(struct jpeg_reader *reader, const cic_limits *limits);

// Ends the input before bytes that do not belong to the image, if the end marker is missing and they follow a scan: a video, another image.
// libjpeg would read them as segments before it returns the first row.
void cic_jpeg_leave_trailer(struct jpeg_reader *reader);

// Prevents libjpeg from storing, or even reading, coefficients that make no difference at the chosen scale: at an eighth, a block is one
// pixel, for which its first coefficient is enough. Chroma that is stored at half the size makes four pixels of a block. But if its
// coefficients would take many megabytes, and the target is so small that it has hardly a pixel for each block, the first coefficient must
// be enough, too. Does nothing for files that lack a scan or their end.
void cic_jpeg_leave_out(struct jpeg_reader *reader, const cic_target *target);

// The bytes of the stored coefficients of an image of several scans.
uint64_t cic_jpeg_coefficient_bytes(struct jpeg_reader *reader);

// Gives libjpeg the height that a DNL segment behind the first scan defines, if that of the frame is 0 (ITU-T T.81, B.2.5). libjpeg would
// refuse the frame.
void cic_jpeg_define_lines(struct jpeg_reader *reader);

// Continues with the height, or behind it. Returns false if the height is not replaced.
bool cic_jpeg_next_lines(struct jpeg_reader *reader);

// Continues after the scans that are left out. Returns false at the end of the input.
bool cic_jpeg_next_part(struct jpeg_reader *reader);

// Computes the share of rows that are damaged or missing, at most 0.9. Returns CIC_CORRUPT if half of the rows or more are missing at the
// end.
cic_status cic_jpeg_check_damage(const struct jpeg_reader *reader, double *missing);

// Frees what the reader holds and returns its status.
cic_status cic_jpeg_finish(struct jpeg_reader *reader);

#endif

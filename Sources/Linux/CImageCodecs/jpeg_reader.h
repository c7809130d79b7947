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

// The number of rows with damaged or missing data, in the scan that has the most such rows. A row consists of minimum coded units (MCUs),
// not of pixels. libjpeg fills in these rows, and only warns.
struct jpeg_damage {
  int scan;         // the scan that is being read
  uint32_t rows;    // damaged rows in this scan
  uint32_t next;    // the row after the last damaged row
  uint32_t most;    // the largest number of damaged rows in a scan
  uint32_t absent;  // rows without any data at the end of a first scan
  bool has_excess;  // unused coded bytes follow the last block of a scan, or the last block before a restart
};

// After longjmp, local variables of the function that called setjmp may be undefined. So the caller of that function owns this structure.
struct jpeg_reader {
  struct jpeg_decompress_struct jpeg;
  struct jpeg_error_mgr errors;
  struct jpeg_source_mgr source;
  cic_input input;
  const uint8_t *left_out;  // the next scan that is left out, so that libjpeg does not read it
  const uint8_t *declared_lines, *defined_lines;  // the height in the frame header, and the height that replaces it
  struct jpeg_blocks blocks;
  jmp_buf escape;
  cic_status status;
  char *message;
  bool in_image;  // the header has been read
  bool has_rows;  // all rows have been read, so an error is no longer a failure
  bool ended;     // libjpeg requested bytes beyond the end of the input
  bool suspends;  // more bytes will follow, so libjpeg waits for them
  struct jpeg_damage damage;
  struct color color;
  struct rows rows;
};

// All functions here except cic_jpeg_check_damage and cic_jpeg_finish may jump to `escape`.
_Noreturn void cic_jpeg_fail(struct jpeg_reader *reader, cic_status status, const char *text);
_Noreturn void cic_jpeg_fail_truncated(struct jpeg_reader *reader);

// Sets up the error handlers and the source, and reads the header up to the first scan.
void cic_jpeg_read_header(struct jpeg_reader *reader, cic_input input);

// Reads the color profile, whose parts may have any order, and prepares the conversion of colors. Returns NULL, or a clause that says why
// the profile is ignored.
const char *cic_jpeg_read_profile(struct jpeg_reader *reader, const cic_limits *limits, const cic_target *target);

// Fails if the file has more scans than allowed, or if its scans have too many blocks in total. The number of scans is limited because even
// a nearly empty scan takes a pass over the whole image. Reads only the markers, which takes a millisecond for a file of some megabytes.
void cic_jpeg_check_scans(struct jpeg_reader *reader, const cic_limits *limits);

// Ends the input before a trailer, such as a video, another image, or the broken header of a scan, if the trailer follows a scan and the end
// marker is missing. Otherwise, libjpeg would read the trailer as segments of the image before it returns the first row.
void cic_jpeg_leave_trailer(struct jpeg_reader *reader);

// Prevents libjpeg from storing, or even reading, coefficients that have no effect at the chosen scale. At an eighth, a block becomes one
// pixel, which depends only on the first coefficient of the block. A block of chroma that is stored at half the size becomes four pixels,
// which depend on more coefficients. Nevertheless, only the first coefficients of such chroma are used if its other coefficients would take
// many megabytes, and if each side of the target has at most about a quarter as many pixels as the same side of the image has blocks. Does
// nothing for files that lack a scan or the end marker.
void cic_jpeg_leave_out(struct jpeg_reader *reader, const cic_target *target);

// Returns the size of the stored coefficients of an image with several scans, in bytes.
uint64_t cic_jpeg_coefficient_bytes(struct jpeg_reader *reader);

// Prepares to replace the height in the frame header if it is 0. The replacement is the height that a DNL segment defines after the first
// scan (ITU-T T.81, B.2.5). libjpeg would refuse a frame with a height of 0.
void cic_jpeg_define_lines(struct jpeg_reader *reader);

// The first call makes the source continue with the height that replaces the height in the frame header. The second call makes the source
// continue with the bytes after the header's height. Returns false if no height is replaced.
bool cic_jpeg_next_lines(struct jpeg_reader *reader);

// Makes the source continue after the scans that are left out. Returns false at the end of the input.
bool cic_jpeg_next_part(struct jpeg_reader *reader);

// Computes the share of rows that are damaged or missing, at most 0.9. Returns CIC_CORRUPT if half of the rows or more are missing at the
// end of the image.
cic_status cic_jpeg_check_damage(const struct jpeg_reader *reader, double *missing);

// Frees the memory of the reader, and returns its status.
cic_status cic_jpeg_finish(struct jpeg_reader *reader);

#endif

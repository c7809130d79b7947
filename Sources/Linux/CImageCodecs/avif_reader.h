#ifndef CIC_AVIF_READER_H
#define CIC_AVIF_READER_H

#include "avif_library.h"
#include "rows.h"

// The bytes that a decoder of AV1 takes in addition to its images, as measured with dav1d.
enum { avif_decoder_bytes = 1 << 19 };

// The decoder of one file, and the conversion of its images to RGBA.
struct avif_reader {
  const struct avif_library *library;
  struct avif_decoder *decoder;
  struct avif_picture *view;
  struct color color;
  struct rows rows;
  uint8_t *band;
  uint8_t *copy;  // a copy of the input, if its tiles had to be reordered
  struct avif_reader *alpha;  // reads the alpha as the brightness of an image, if each tile of a grid has its own alpha
  uint8_t *alpha_copy;
  char *message;
};

// Reads the file's description of the image, without its pixels. libavif refuses images of more pixels than `most_pixels`. Call
// cic_avif_close in any case.
cic_status cic_avif_open(struct avif_reader *reader, cic_input input, uint64_t most_pixels);
void cic_avif_close(struct avif_reader *reader);

// These functions write a message, and return the status for an error of libavif, or for the case that memory runs out.
cic_status cic_avif_fail(const struct avif_reader *reader, int result);
cic_status cic_avif_out_of_memory(const struct avif_reader *reader);

// Returns the orientation that follows from the properties of the AVIF, from 1 to 8 as in EXIF. A viewer first turns the image, and then
// mirrors it. The tag in the file's EXIF has no effect.
int cic_avif_orientation(const struct avif_reader *reader);

// Returns the part of the stored image that is shown.
struct heif_rectangle cic_avif_shown_part(const struct avif_reader *reader);

// Returns the number of bytes that one pixel takes in all planes together, including an alpha plane. The number is rounded up.
uint64_t cic_avif_bytes_a_pixel(const struct avif_picture *picture);

// Converts the image that libavif has decoded, and writes it to the target.
cic_status cic_avif_convert(struct avif_reader *reader, struct heif_rectangle part, const cic_target *target);

// Prepares the conversion of colors. It uses the file's profile, or the numbers of the file's primaries and transfer function (ITU-T H.273)
// if the file has no profile that can be used. Returns NULL, or a clause that says why the profile or the numbers are ignored.
const char *cic_avif_read_colors(struct avif_reader *reader, uint64_t pixels, const cic_limits *limits);

#endif

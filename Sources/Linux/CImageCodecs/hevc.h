#ifndef CIC_HEVC_H
#define CIC_HEVC_H

#include "CImageCodecs.h"

// The limits on the time for decoding. A slice may have the data of all pixels from its beginning to the end of the picture, even if other
// slices have the same pixels. So each slice counts with all of these pixels.
struct hevc_budget {
  uint64_t pixels;        // the number left for all slices
  uint64_t split_pixels;  // the number left for slices whose rows or tiles have data of their own; a byte of data adds split_pixels_a_byte
};

// Photos have at least about one byte of data for each 40 pixels. Images without detail have less, so the number is higher.
enum { split_pixels_a_byte = 256 };

// The headers of an HEVC picture (ITU-T H.265, 7.3), as far as they determine how much a decoder allocates, and how much it decodes. The
// decoders of the system check little of this.

enum { most_hevc_sets = 16, most_hevc_slices = 600 };

struct hevc_unit {
  const uint8_t *bytes;
  size_t count;
};

struct hevc_configuration {
  const uint8_t *header;  // the first bytes of hvcC, without its arrays
  struct hevc_unit sets[most_hevc_sets];  // the parameter sets, in their order
  int set_count;
  size_t length_size;                   // the number of bytes in the length of each unit of the picture
  uint32_t width, height;               // samples as decoded
  uint32_t shown_width, shown_height;   // the part of these samples that belongs to the image
  int chroma;                           // 0: none, 1: 4:2:0, 2: 4:2:2, 3: 4:4:4
  int depth;                            // bits in one sample
  uint64_t blocks, block_pixels;        // a slice begins at a block, whose number is its address
  uint8_t picture_sets[64];             // for each PPS: 0 if it is missing, otherwise hevc_present and its flags
};

// The number of bytes of hvcC before the arrays of parameter sets (ISO/IEC 14496-15, 8.3.3.1.2).
enum { hevc_header_size = 22 };

// Reads the content of hvcC. Returns CIC_UNSUPPORTED for pictures that are valid, but not read here.
cic_status cic_hevc_read(const uint8_t *bytes, size_t count, struct hevc_configuration *configuration, char *message);

// Copies the picture's slices, with lengths of four bytes. All slices must be of one picture, and none may refer to other pictures. Leaves
// out all other units, such as messages. `copy` has room for `count` bytes and hevc_room more.
//
// After the data of each slice, writes hevc_tail bytes in which all bits are 1. libde265 continues beyond the end of the data, where it
// reads zeros, and may decode all pixels of a large picture from them. So eight bytes of data took as long as a megabyte. The ones end the
// slice. They do not affect a valid slice, which ends before them.
enum { hevc_tail = 1024, hevc_room = (3 + hevc_tail) * most_hevc_slices };
cic_status cic_hevc_copy_picture(const struct hevc_configuration *configuration, const uint8_t *bytes, size_t count, uint8_t *copy,
                                 size_t *copied, struct hevc_budget *budget, char *message);

#endif

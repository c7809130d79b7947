#ifndef CIC_HEIF_SEQUENCE_H
#define CIC_HEIF_SEQUENCE_H

#include "heif_items.h"

// The times of an image sequence, as its boxes describe them (ISO/IEC 14496-12, 8.3 to 8.6). libavif before 1.0 does not read how often a
// sequence plays, and every version of libavif reads the whole table of durations for each image.
struct heif_sequence {
  uint32_t plays;      // 0 means forever
  uint32_t timescale;  // the number of units of time in a second
  uint32_t entries;    // the number of entries in the table of durations
  struct heif_part durations;
  uint64_t all_entries;  // the number of entries in the tables of all tracks
};

// Reads the first track of AV1 images that are not auxiliary images, which is the track whose images libavif shows. If there is none,
// everything but `all_entries` is 0.
struct heif_sequence cic_heif_read_sequence(cic_input input);

// Writes the durations for which browsers show the images.
void cic_heif_write_durations(cic_input input, const struct heif_sequence *sequence, uint32_t *milliseconds, uint32_t count);

// Turns the tables of durations in a copy of the file into free space. Without them, libavif gives all images the same duration.
void cic_heif_hide_durations(uint8_t *copy, size_t count);

#endif

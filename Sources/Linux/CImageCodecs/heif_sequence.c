#include "heif_sequence.h"

#include <string.h>

#include "support.h"

static const uint64_t indefinite = UINT64_MAX;

struct track {
  struct heif_sequence sequence;
  uint64_t duration;  // of the track
  uint64_t segment;   // the duration of one play
  bool has_edits, repeats;
  bool has_images, is_auxiliary;
  int depth;      // of the boxes around the current box
  uint64_t all_entries;  // the number of entries in all tables of durations; `sequence` refers to the last of these tables
  uint8_t *copy;  // the bytes in which tables of durations are replaced by unused boxes; NULL if no table is replaced
};

// Reads a number, which has four bytes in version 0 of a box, and eight bytes in version 1. If all of its bits are 1, it is `indefinite`.
static uint64_t take_long(const uint8_t *bytes, struct heif_part *part, uint32_t version) {
  const uint64_t high = cic_heif_take(bytes, part, 4);
  if (version == 0) return high == UINT32_MAX ? indefinite : high;
  return high << 32 | cic_heif_take(bytes, part, 4);
}

static void read_box(const uint8_t *bytes, struct track *track, uint32_t letters, struct heif_part box);

static void read_boxes(const uint8_t *bytes, struct track *track, struct heif_part part) {
  enum { deepest = 5 };
  uint32_t letters;
  struct heif_part box;
  if (track->depth == deepest) return;
  track->depth++;
  for (size_t start = part.next; cic_heif_next_box(bytes, &part, &letters, &box); start = part.next) {
    if (letters == LETTERS('s', 't', 't', 's') && track->copy != NULL) memcpy(track->copy + start + 4, "free", 4);
    read_box(bytes, track, letters, box);
  }
  track->depth--;
}

// Reads the first edit. A sequence that repeats has only one edit (ISO/IEC 23000-22, 7.5.4).
static void read_edits(const uint8_t *bytes, struct track *track, struct heif_part box) {
  const uint32_t header = cic_heif_take(bytes, &box, 4), count = cic_heif_take(bytes, &box, 4);
  track->has_edits = true;
  track->repeats = (header & 1) != 0 && count == 1;
  track->segment = take_long(bytes, &box, header >> 24);
}

// The boxes nest in this order: trak contains tkhd, tref, edts, and mdia; mdia contains mdhd and minf; minf contains stbl.
static void read_box(const uint8_t *bytes, struct track *track, uint32_t letters, struct heif_part box) {
  uint32_t found;
  struct heif_part part = box;
  const uint32_t version = cic_heif_take(bytes, &part, 4) >> 24;
  const size_t times = version == 0 ? 2 : 4;
  switch (letters) {
    case LETTERS('e', 'd', 't', 's'):
    case LETTERS('m', 'i', 'n', 'f'):
    case LETTERS('s', 't', 'b', 'l'):
    case LETTERS('m', 'd', 'i', 'a'): read_boxes(bytes, track, box); break;
    case LETTERS('e', 'l', 's', 't'): read_edits(bytes, track, box); break;
    case LETTERS('t', 'k', 'h', 'd'):
      // The times of the creation and of the latest change, the identifier, and a reserved number precede the duration.
      for (size_t i = 0; i < times + 2; i++) cic_heif_take(bytes, &part, 4);
      track->duration = take_long(bytes, &part, version);
      break;
    case LETTERS('m', 'd', 'h', 'd'):
      for (size_t i = 0; i < times; i++) cic_heif_take(bytes, &part, 4);
      track->sequence.timescale = cic_heif_take(bytes, &part, 4);
      break;
    case LETTERS('t', 'r', 'e', 'f'):
      while (cic_heif_next_box(bytes, &box, &found, &part)) {
        if (found == LETTERS('a', 'u', 'x', 'l')) track->is_auxiliary = true;
      }
      break;
    case LETTERS('s', 't', 's', 'd'):
      cic_heif_take(bytes, &part, 4);
      while (cic_heif_next_box(bytes, &part, &found, &box)) {
        if (found == LETTERS('a', 'v', '0', '1')) track->has_images = true;
      }
      break;
    case LETTERS('s', 't', 't', 's'):
      track->sequence.entries = cic_heif_take(bytes, &part, 4);
      track->sequence.durations = part;
      track->all_entries += track->sequence.entries;
      break;
    default: break;
  }
}

// A sequence without edits plays forever, as in browsers.
static uint32_t plays_of(const struct track *track) {
  if (!track->has_edits) return 0;
  if (!track->repeats) return 1;
  if (track->duration == indefinite || track->segment == 0) return 0;
  const uint64_t plays = track->duration / track->segment + (track->duration % track->segment != 0);
  return plays == 0 ? 1 : plays < UINT32_MAX ? (uint32_t)plays : 0;
}

static struct heif_sequence read_tracks(cic_input input, uint8_t *copy) {
  struct heif_part file = {0, input.count, false}, movie, box;
  struct heif_sequence found = {0};
  bool has_found = false;
  uint64_t all_entries = 0;
  uint32_t letters;
  while (cic_heif_next_box(input.bytes, &file, &letters, &movie)) {
    if (letters != LETTERS('m', 'o', 'o', 'v')) continue;
    while (cic_heif_next_box(input.bytes, &movie, &letters, &box)) {
      if (letters != LETTERS('t', 'r', 'a', 'k')) continue;
      struct track track = {.copy = copy};
      read_boxes(input.bytes, &track, box);
      all_entries += track.all_entries;
      if (has_found || !track.has_images || track.is_auxiliary) continue;
      has_found = true;
      found = track.sequence;
      found.plays = plays_of(&track);
    }
  }
  found.all_entries = all_entries;
  return found;
}

struct heif_sequence cic_heif_read_sequence(cic_input input) { return read_tracks(input, NULL); }

void cic_heif_hide_durations(uint8_t *copy, size_t count) { read_tracks((cic_input){copy, count, false}, copy); }

// Each entry of the table has a number of images, and the duration of each of these images. If the table ends early, its last duration
// applies to all other images.
void cic_heif_write_durations(cic_input input, const struct heif_sequence *sequence, uint32_t *milliseconds, uint32_t count) {
  struct heif_part part = sequence->durations;
  uint32_t written = 0, shown = cic_shown_for(0);
  for (uint32_t entry = 0; entry < sequence->entries && written < count; entry++) {
    const uint32_t images = cic_heif_take(input.bytes, &part, 4), duration = cic_heif_take(input.bytes, &part, 4);
    if (part.is_short) break;
    shown = cic_shown_for_fraction(duration, sequence->timescale);
    for (uint32_t i = 0; i < images && written < count; i++) milliseconds[written++] = shown;
  }
  while (written < count) milliseconds[written++] = shown;
}

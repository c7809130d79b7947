#ifndef CIC_AVIF_ITEMS_H
#define CIC_AVIF_ITEMS_H

#include "CImageCodecs.h"

// The items of an AVIF, as its boxes describe them (ISO/IEC 14496-12, 8.11). For each item, iloc has the position of its data, iinf its
// type, iref the items to which it refers, and ipma (ISO/IEC 23008-12, 9.3) its properties.

enum { item_count = 1 << 16 };

struct avif_items {
  const uint8_t *bytes;              // the bytes of the file, or of its copy once that exists
  uint8_t *copy;
  uint32_t mentioned[item_count];    // the rank of the item's first mention, from 1; 0 if the file does not mention it
  uint32_t mentions;
  uint32_t tiles;                    // the number of tiles in all grids
  bool is_grid[item_count];
  bool is_tile[item_count];
  bool is_alpha[item_count];
  uint32_t primary;
  uint16_t auxiliary[item_count];    // the item that refers to this item by auxl; 0 if there is none
  size_t place[item_count];          // the position of the item's iloc entry
  uint32_t place_length[item_count]; // the length of the item's iloc entry; 0 if it has none
};

struct avif_part {
  size_t next, end;  // positions in the bytes
  bool is_short;
};

#define LETTERS(a, b, c, d) ((uint32_t)(a) << 24 | (b) << 16 | (c) << 8 | (d))

// Reads the tables. Returns the box of references.
struct avif_part cic_avif_read_items(struct avif_items *items, cic_input input);

// Handles the references from the item `from`. `ids` is the position of the identifiers of the items to which `from` refers. Each
// identifier has two bytes.
typedef cic_status (*avif_visit)(struct avif_items *items, uint32_t letters, uint32_t from, size_t ids, uint32_t count);

// Calls `visit` for each reference until `visit` returns a status other than CIC_OK. Skips references with identifiers of more than two
// bytes, which few files need.
cic_status cic_avif_visit_references(struct avif_items *items, struct avif_part part, avif_visit visit);

// Returns the identifier at the position `place`.
uint16_t cic_avif_id(const uint8_t *bytes, size_t place);

#endif

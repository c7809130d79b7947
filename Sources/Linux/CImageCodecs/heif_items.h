#ifndef CIC_HEIF_ITEMS_H
#define CIC_HEIF_ITEMS_H

#include "CImageCodecs.h"

// The items of an AVIF or a HEIC, as its boxes describe them (ISO/IEC 14496-12, 8.11). For each item, iloc has the position of its data,
// iinf its type, iref the items to which it refers, and ipma (ISO/IEC 23008-12, 9.3) its properties, which are in ipco.

enum { item_count = 1 << 16, property_count = 1 << 15 };

struct heif_part {
  size_t next, end;  // positions in the bytes
  bool is_short;     // a number was read that is not completely in the part
};

struct heif_items {
  const uint8_t *bytes;              // the bytes of the file, or of its copy once that exists
  size_t count;
  uint8_t *copy;
  uint32_t mentioned[item_count];    // the rank of the item's first mention, from 1; 0 if the file does not mention it
  uint32_t mentions;
  uint32_t tiles;                    // the number of tiles in all grids
  bool is_tile[item_count];
  uint32_t type[item_count];         // the letters of the item's type; 0 if it has none
  uint32_t primary;                  // 0 if the file does not name it
  bool has_sequence;                 // whether the file has a sequence of images, which are not items
  uint16_t auxiliary[item_count];    // the item that refers to this item by auxl; 0 if there is none
  size_t place[item_count];          // the position of the item's iloc entry, after the identifier
  uint32_t place_length[item_count]; // the length of the item's iloc entry; 0 if it has none
  uint32_t place_version, place_sizes;  // the version of iloc, and the lengths of the numbers in its entries
  struct heif_part data;             // the content of idat
  size_t property[property_count];   // the positions of the properties' boxes; the first property has the number 1
  uint32_t properties;
  size_t properties_end;
  size_t list[item_count];           // the position of the item's list of properties, after the identifier; 0 if it has none
  bool is_wide[item_count];          // whether each number in the list has two bytes
};

#define LETTERS(a, b, c, d) ((uint32_t)(a) << 24 | (b) << 16 | (c) << 8 | (d))

// Reads the tables. Returns the references, which are boxes. Returns no references if their identifiers have more than two bytes, which few
// files need.
struct heif_part cic_heif_read_items(struct heif_items *items, cic_input input);

// The references of one kind from one item. `ids` is the position of the identifiers of the items to which it refers. Each identifier has
// two bytes.
struct heif_reference {
  uint32_t letters, from;
  size_t ids;
  uint32_t count;
};

// Reads the next reference. Returns false at the end. Skips a reference that declares more identifiers than it has.
bool cic_heif_next_reference(const struct heif_items *items, struct heif_part *references, struct heif_reference *reference);

// Handles a reference.
typedef cic_status (*heif_visit)(struct heif_items *items, uint32_t letters, uint32_t from, size_t ids, uint32_t count);

// Calls `visit` for each reference until `visit` returns a status other than CIC_OK.
cic_status cic_heif_visit_references(struct heif_items *items, struct heif_part references, heif_visit visit);

// Returns the identifier at the position `place`.
uint16_t cic_heif_id(const uint8_t *bytes, size_t place);

// Reads a number of `count` bytes, most significant byte first. If the part has fewer bytes, returns 0 and sets `is_short`.
uint32_t cic_heif_take(const uint8_t *bytes, struct heif_part *part, size_t count);

// Reads the letters and the content of the next box in the part. The content is a part, too. Returns false at the end, and if the next box
// is broken or incomplete.
bool cic_heif_next_box(const uint8_t *bytes, struct heif_part *part, uint32_t *letters, struct heif_part *content);

// The properties of an item, in the order of its list.
struct heif_properties {
  struct heif_part list;
  uint32_t left;
  bool is_wide;
};

struct heif_properties cic_heif_properties(const struct heif_items *items, uint32_t id);

// Reads the letters and the content of the next property. Returns false at the end of the list.
bool cic_heif_next_property(const struct heif_items *items, struct heif_properties *list, uint32_t *letters, struct heif_part *content);

// Finds the first property of the item that has these letters.
bool cic_heif_find_property(const struct heif_items *items, uint32_t id, uint32_t letters, struct heif_part *content);

// Whether a property marks the item as alpha (ISO/IEC 23000-22, 7.3.5.2).
bool cic_heif_is_alpha(const struct heif_items *items, uint32_t id);

#endif

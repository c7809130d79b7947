#include "avif_items.h"

#include <string.h>

static uint32_t take(const uint8_t *bytes, struct avif_part *part, size_t count) {
  if (part->end - part->next < count) {
    part->is_short = true;
    part->next = part->end;
    return 0;
  }
  uint32_t value = 0;
  for (size_t i = 0; i < count; i++) value = value << 8 | bytes[part->next++];
  return value;
}

static void skip(struct avif_part *part, uint64_t count) {
  part->is_short = part->is_short || part->end - part->next < count;
  part->next = part->is_short ? part->end : part->next + (size_t)count;
}

// Reads the next box in `part`. Sets `*letters` to its four letters, and `*content` to the range of its content.
static bool next_box(const uint8_t *bytes, struct avif_part *part, uint32_t *letters, struct avif_part *content) {
  const size_t start = part->next, left = part->end - start;
  uint64_t length = take(bytes, part, 4);
  *letters = take(bytes, part, 4);
  if (length == 1) {
    length = (uint64_t)take(bytes, part, 4) << 32;
    length |= take(bytes, part, 4);
  }
  if (length == 0) length = left;
  if (part->is_short || length < part->next - start || length > left) return false;
  *content = (struct avif_part){part->next, start + (size_t)length, false};
  part->next = content->end;
  return true;
}

// Records the order in which the file first mentions its items. libavif before 1.1.1 composes the tiles of a grid in this order
// (avif_grid.h).
static void mention(struct avif_items *items, uint32_t id) {
  if (id < item_count && items->mentioned[id] == 0) items->mentioned[id] = ++items->mentions;
}

static void read_locations(struct avif_items *items, struct avif_part part) {
  const uint8_t *bytes = items->bytes;
  const uint32_t version = take(bytes, &part, 4) >> 24, sizes = take(bytes, &part, 2);
  const size_t id_size = version == 2 ? 4 : 2, count_size = id_size;
  // `sizes` consists of four numbers of four bits. They are the sizes of an extent's offset, of an extent's length, of an item's base
  // offset, and, from version 1 on, of an extent's index.
  const uint32_t extent_size = (sizes >> 12) + (sizes >> 8 & 15) + (version > 0 ? sizes & 15 : 0);
  const uint32_t count = take(bytes, &part, count_size);
  for (uint32_t i = 0; i < count && !part.is_short; i++) {
    const uint32_t id = take(bytes, &part, id_size);
    const size_t start = part.next;
    // Skips the construction method (from version 1 on), the data reference index, and the base offset.
    skip(&part, (version > 0 ? 4 : 2) + (sizes >> 4 & 15));
    // Reads the number of extents, and skips the extents.
    skip(&part, (uint64_t)take(bytes, &part, 2) * extent_size);
    if (part.is_short) return;
    mention(items, id);
    if (id >= item_count) continue;
    items->place[id] = start;
    items->place_length[id] = (uint32_t)(part.next - start);
  }
}

static void read_types(struct avif_items *items, struct avif_part part) {
  const uint32_t version = take(items->bytes, &part, 4) >> 24;
  take(items->bytes, &part, version == 0 ? 2 : 4);
  uint32_t letters;
  struct avif_part entry;
  while (next_box(items->bytes, &part, &letters, &entry)) {
    if (letters != LETTERS('i', 'n', 'f', 'e')) continue;
    const uint32_t kind = take(items->bytes, &entry, 4) >> 24, id = take(items->bytes, &entry, kind > 2 ? 4 : 2);
    take(items->bytes, &entry, 2);
    const uint32_t type = take(items->bytes, &entry, 4);
    if (entry.is_short) continue;
    mention(items, id);
    if (id < item_count) items->is_grid[id] = type == LETTERS('g', 'r', 'i', 'd');
  }
}

// Returns the properties that mark an item as alpha (ISO/IEC 23000-22, 7.3.5.2), as a set of bits. Bit n represents property number n, from
// 1 to 63.
static uint64_t alpha_properties(const struct avif_items *items, struct avif_part part) {
  static const char *const names[] = {"urn:mpeg:mpegB:cicp:systems:auxiliary:alpha", "urn:mpeg:hevc:2015:auxid:1"};
  uint32_t letters;
  struct avif_part property;
  uint64_t found = 0;
  for (int number = 1; number < 64 && next_box(items->bytes, &part, &letters, &property); number++) {
    take(items->bytes, &property, 4);
    if (letters != LETTERS('a', 'u', 'x', 'C') || property.is_short) continue;
    for (int i = 0; i < 2; i++) {
      const size_t length = strlen(names[i]) + 1;
      const bool is_named = property.end - property.next >= length && memcmp(items->bytes + property.next, names[i], length) == 0;
      if (is_named) found |= 1ULL << number;
    }
  }
  return found;
}

static void read_properties(struct avif_items *items, struct avif_part part) {
  uint32_t letters;
  struct avif_part table;
  uint64_t alpha = 0;
  while (next_box(items->bytes, &part, &letters, &table)) {
    if (letters == LETTERS('i', 'p', 'c', 'o')) alpha = alpha_properties(items, table);
    if (letters != LETTERS('i', 'p', 'm', 'a')) continue;
    const uint32_t header = take(items->bytes, &table, 4), count = take(items->bytes, &table, 4);
    const size_t size = (header & 1) != 0 ? 2 : 1;
    for (uint32_t i = 0; i < count && !table.is_short; i++) {
      const uint32_t id = take(items->bytes, &table, header >> 24 > 0 ? 4 : 2);
      mention(items, id);
      for (uint32_t left = take(items->bytes, &table, 1); left > 0; left--) {
        // Clears the highest bit. This bit means that a reader must support the property to read the item.
        const uint32_t number = take(items->bytes, &table, size) & (size == 2 ? 0x7FFF : 0x7F);
        if (id < item_count && number < 64 && (alpha >> number & 1) != 0) items->is_alpha[id] = true;
      }
    }
  }
}

uint16_t cic_avif_id(const uint8_t *bytes, size_t place) { return (uint16_t)(bytes[place] << 8 | bytes[place + 1]); }

cic_status cic_avif_visit_references(struct avif_items *items, struct avif_part part, avif_visit visit) {
  if (take(items->bytes, &part, 4) >> 24 != 0) return CIC_OK;
  uint32_t letters;
  struct avif_part reference;
  while (next_box(items->bytes, &part, &letters, &reference)) {
    const uint32_t from = take(items->bytes, &reference, 2), count = take(items->bytes, &reference, 2);
    if (reference.is_short || reference.end - reference.next < (size_t)count * 2) continue;
    const cic_status status = visit(items, letters, from, reference.next, count);
    if (status != CIC_OK) return status;
  }
  return CIC_OK;
}

static cic_status note_reference(struct avif_items *items, uint32_t letters, uint32_t from, size_t ids, uint32_t count) {
  mention(items, from);
  for (uint32_t i = 0; i < count; i++) {
    const uint16_t to = cic_avif_id(items->bytes, ids + 2 * i);
    if (letters == LETTERS('d', 'i', 'm', 'g')) mention(items, to);
    if (letters == LETTERS('a', 'u', 'x', 'l')) items->auxiliary[to] = (uint16_t)from;
  }
  return CIC_OK;
}

// Reads the items in the order in which libavif reads them.
static void read_meta(struct avif_items *items, struct avif_part meta, struct avif_part *references) {
  uint32_t letters;
  struct avif_part box;
  take(items->bytes, &meta, 4);
  while (next_box(items->bytes, &meta, &letters, &box)) {
    switch (letters) {
      case LETTERS('p', 'i', 't', 'm'): {
        const uint32_t version = take(items->bytes, &box, 4) >> 24;
        items->primary = take(items->bytes, &box, version == 0 ? 2 : 4);
        break;
      }
      case LETTERS('i', 'l', 'o', 'c'): read_locations(items, box); break;
      case LETTERS('i', 'i', 'n', 'f'): read_types(items, box); break;
      case LETTERS('i', 'p', 'r', 'p'): read_properties(items, box); break;
      case LETTERS('i', 'r', 'e', 'f'):
        *references = box;
        cic_avif_visit_references(items, box, note_reference);
        break;
      default: break;
    }
  }
}

struct avif_part cic_avif_read_items(struct avif_items *items, cic_input input) {
  struct avif_part file = {0, input.count, false}, box, references = {0};
  uint32_t letters;
  items->bytes = input.bytes;
  while (next_box(items->bytes, &file, &letters, &box)) {
    if (letters == LETTERS('m', 'e', 't', 'a')) read_meta(items, box, &references);
  }
  return references;
}

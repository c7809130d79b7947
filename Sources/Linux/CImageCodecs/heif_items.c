#include "heif_items.h"

#include <string.h>

uint32_t cic_heif_take(const uint8_t *bytes, struct heif_part *part, size_t count) {
  if (part->end - part->next < count) {
    part->is_short = true;
    part->next = part->end;
    return 0;
  }
  uint32_t value = 0;
  for (size_t i = 0; i < count; i++) value = value << 8 | bytes[part->next++];
  return value;
}

static void skip(struct heif_part *part, uint64_t count) {
  part->is_short = part->is_short || part->end - part->next < count;
  part->next = part->is_short ? part->end : part->next + (size_t)count;
}

bool cic_heif_next_box(const uint8_t *bytes, struct heif_part *part, uint32_t *letters, struct heif_part *content) {
  const size_t start = part->next, left = part->end - start;
  uint64_t length = cic_heif_take(bytes, part, 4);
  *letters = cic_heif_take(bytes, part, 4);
  if (length == 1) {
    length = (uint64_t)cic_heif_take(bytes, part, 4) << 32;
    length |= cic_heif_take(bytes, part, 4);
  }
  if (length == 0) length = left;
  if (part->is_short || length < part->next - start || length > left) return false;
  *content = (struct heif_part){part->next, start + (size_t)length, false};
  part->next = content->end;
  return true;
}

// Records the order in which the file first mentions its items. libavif before 1.1.1 composes the tiles of a grid in this order
// (avif_grid.h).
static void mention(struct heif_items *items, uint32_t id) {
  if (id < item_count && items->mentioned[id] == 0) items->mentioned[id] = ++items->mentions;
}

static void read_locations(struct heif_items *items, struct heif_part part) {
  const uint8_t *bytes = items->bytes;
  const uint32_t version = cic_heif_take(bytes, &part, 4) >> 24, sizes = cic_heif_take(bytes, &part, 2);
  const size_t id_size = version == 2 ? 4 : 2, count_size = id_size;
  const uint32_t extent_size = (sizes >> 12) + (sizes >> 8 & 15) + (version > 0 ? sizes & 15 : 0);
  const uint32_t count = cic_heif_take(bytes, &part, count_size);
  items->place_version = version;
  items->place_sizes = sizes;
  for (uint32_t i = 0; i < count && !part.is_short; i++) {
    const uint32_t id = cic_heif_take(bytes, &part, id_size);
    const size_t start = part.next;
    skip(&part, (version > 0 ? 4 : 2) + (sizes >> 4 & 15));
    skip(&part, (uint64_t)cic_heif_take(bytes, &part, 2) * extent_size);
    if (part.is_short) return;
    mention(items, id);
    if (id >= item_count) continue;
    items->place[id] = start;
    items->place_length[id] = (uint32_t)(part.next - start);
  }
}

static void read_types(struct heif_items *items, struct heif_part part) {
  const uint32_t version = cic_heif_take(items->bytes, &part, 4) >> 24;
  cic_heif_take(items->bytes, &part, version == 0 ? 2 : 4);
  uint32_t letters;
  struct heif_part entry;
  while (cic_heif_next_box(items->bytes, &part, &letters, &entry)) {
    if (letters != LETTERS('i', 'n', 'f', 'e')) continue;
    const uint32_t kind = cic_heif_take(items->bytes, &entry, 4) >> 24, id = cic_heif_take(items->bytes, &entry, kind > 2 ? 4 : 2);
    cic_heif_take(items->bytes, &entry, 2);
    const uint32_t type = cic_heif_take(items->bytes, &entry, 4);
    if (entry.is_short) continue;
    mention(items, id);
    if (id < item_count) items->type[id] = type;
  }
}

static void index_properties(struct heif_items *items, struct heif_part part) {
  uint32_t letters;
  struct heif_part property;
  size_t start = part.next;
  items->properties_end = part.end;
  while (items->properties + 1 < property_count && cic_heif_next_box(items->bytes, &part, &letters, &property)) {
    items->property[++items->properties] = start;
    start = part.next;
  }
}

static void read_properties(struct heif_items *items, struct heif_part part) {
  uint32_t letters;
  struct heif_part table;
  while (cic_heif_next_box(items->bytes, &part, &letters, &table)) {
    if (letters == LETTERS('i', 'p', 'c', 'o') && items->properties == 0) index_properties(items, table);
    if (letters != LETTERS('i', 'p', 'm', 'a')) continue;
    const uint32_t header = cic_heif_take(items->bytes, &table, 4), count = cic_heif_take(items->bytes, &table, 4);
    const bool is_wide = (header & 1) != 0;
    for (uint32_t i = 0; i < count && !table.is_short; i++) {
      const uint32_t id = cic_heif_take(items->bytes, &table, header >> 24 > 0 ? 4 : 2);
      const size_t start = table.next;
      skip(&table, (uint64_t)cic_heif_take(items->bytes, &table, 1) * (is_wide ? 2 : 1));
      mention(items, id);
      if (id >= item_count || table.is_short || items->list[id] != 0) continue;
      items->list[id] = start;
      items->is_wide[id] = is_wide;
    }
  }
}

struct heif_properties cic_heif_properties(const struct heif_items *items, uint32_t id) {
  struct heif_properties list = {0};
  if (id >= item_count || items->list[id] == 0) return list;
  list.is_wide = items->is_wide[id];
  list.left = items->bytes[items->list[id]];
  list.list.next = items->list[id] + 1;
  list.list.end = list.list.next + list.left * (list.is_wide ? 2 : 1);
  return list;
}

bool cic_heif_next_property(const struct heif_items *items, struct heif_properties *list, uint32_t *letters, struct heif_part *content) {
  while (list->left > 0) {
    list->left--;
    // Clears the highest bit. If it is set, a reader that does not support the property must not read the item.
    const uint32_t number = cic_heif_take(items->bytes, &list->list, list->is_wide ? 2 : 1) & (list->is_wide ? 0x7FFF : 0x7F);
    if (number == 0 || number > items->properties) continue;
    struct heif_part box = {items->property[number], items->properties_end, false};
    if (cic_heif_next_box(items->bytes, &box, letters, content)) return true;
  }
  return false;
}

bool cic_heif_find_property(const struct heif_items *items, uint32_t id, uint32_t letters, struct heif_part *content) {
  struct heif_properties list = cic_heif_properties(items, id);
  uint32_t found;
  while (cic_heif_next_property(items, &list, &found, content)) {
    if (found == letters) return true;
  }
  return false;
}

bool cic_heif_is_alpha(const struct heif_items *items, uint32_t id) {
  static const char *const names[] = {"urn:mpeg:mpegB:cicp:systems:auxiliary:alpha", "urn:mpeg:hevc:2015:auxid:1"};
  struct heif_part property;
  if (!cic_heif_find_property(items, id, LETTERS('a', 'u', 'x', 'C'), &property)) return false;
  cic_heif_take(items->bytes, &property, 4);
  for (int i = 0; i < 2; i++) {
    const size_t length = strlen(names[i]) + 1;
    if (property.end - property.next >= length && memcmp(items->bytes + property.next, names[i], length) == 0) return true;
  }
  return false;
}

uint16_t cic_heif_id(const uint8_t *bytes, size_t place) { return (uint16_t)(bytes[place] << 8 | bytes[place + 1]); }

bool cic_heif_next_reference(const struct heif_items *items, struct heif_part *references, struct heif_reference *found) {
  uint32_t letters;
  struct heif_part box;
  while (cic_heif_next_box(items->bytes, references, &letters, &box)) {
    const uint32_t from = cic_heif_take(items->bytes, &box, 2), count = cic_heif_take(items->bytes, &box, 2);
    if (box.is_short || box.end - box.next < (size_t)count * 2) continue;
    *found = (struct heif_reference){letters, from, box.next, count};
    return true;
  }
  return false;
}

cic_status cic_heif_visit_references(struct heif_items *items, struct heif_part references, heif_visit visit) {
  struct heif_reference found;
  while (cic_heif_next_reference(items, &references, &found)) {
    const cic_status status = visit(items, found.letters, found.from, found.ids, found.count);
    if (status != CIC_OK) return status;
  }
  return CIC_OK;
}

static cic_status note_reference(struct heif_items *items, uint32_t letters, uint32_t from, size_t ids, uint32_t count) {
  mention(items, from);
  for (uint32_t i = 0; i < count; i++) {
    const uint16_t to = cic_heif_id(items->bytes, ids + 2 * i);
    if (letters == LETTERS('d', 'i', 'm', 'g')) mention(items, to);
    if (letters == LETTERS('a', 'u', 'x', 'l')) items->auxiliary[to] = (uint16_t)from;
  }
  return CIC_OK;
}

// Reads the boxes in their order, so that the items are mentioned in the order in which libavif reads them.
static void read_meta(struct heif_items *items, struct heif_part meta, struct heif_part *references) {
  uint32_t letters;
  struct heif_part box;
  cic_heif_take(items->bytes, &meta, 4);
  while (cic_heif_next_box(items->bytes, &meta, &letters, &box)) {
    switch (letters) {
      case LETTERS('p', 'i', 't', 'm'): {
        const uint32_t version = cic_heif_take(items->bytes, &box, 4) >> 24;
        items->primary = cic_heif_take(items->bytes, &box, version == 0 ? 2 : 4);
        break;
      }
      case LETTERS('i', 'd', 'a', 't'): items->data = box; break;
      case LETTERS('i', 'l', 'o', 'c'): read_locations(items, box); break;
      case LETTERS('i', 'i', 'n', 'f'): read_types(items, box); break;
      case LETTERS('i', 'p', 'r', 'p'): read_properties(items, box); break;
      case LETTERS('i', 'r', 'e', 'f'):
        // Only version 0 is read. In later versions, which few files need, identifiers have four bytes.
        if (cic_heif_take(items->bytes, &box, 4) >> 24 != 0) break;
        *references = box;
        cic_heif_visit_references(items, box, note_reference);
        break;
      default: break;
    }
  }
}

struct heif_part cic_heif_read_items(struct heif_items *items, cic_input input) {
  struct heif_part file = {0, input.count, false}, box, references = {0};
  uint32_t letters;
  items->bytes = input.bytes;
  items->count = input.count;
  while (cic_heif_next_box(items->bytes, &file, &letters, &box)) {
    if (letters == LETTERS('m', 'e', 't', 'a')) read_meta(items, box, &references);
    if (letters == LETTERS('m', 'o', 'o', 'v')) items->has_sequence = true;
  }
  return references;
}

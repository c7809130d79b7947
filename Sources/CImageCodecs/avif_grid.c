#include "avif_grid.h"

#include <stdlib.h>
#include <string.h>

#include "support.h"

// ISO/IEC 14496-12, 8.11: iloc says where the data of each item are, iinf of which type it is, iref which items it refers to, and ipma (ISO/IEC
// 23008-12, 9.3) which properties it has. A grid refers to its tiles by dimg, and composes them in that order (23008-12, 6.6.2.3). The tiles'
// alpha is a grid too, or an item for each tile, which refers to the tile by auxl.
//
// Data change places: the item that is mentioned first gets those of the first tile, and so on. References are then sorted likewise, so that
// the order of references and that of items are the same to whoever reads the copy.

enum { item_count = 1 << 16, most_tiles = 4096 };

struct items {
  const uint8_t *bytes;              // of the file, then of the copy
  uint8_t *copy;
  uint32_t mentioned[item_count];    // 1 for the item that is mentioned first; 0 for none
  uint32_t mentions;
  bool is_grid[item_count];
  bool is_tile[item_count];
  uint16_t auxiliary[item_count];    // the item that refers to this one by auxl; 0 for none
  size_t place[item_count];          // of what iloc says of the item
  uint32_t place_length[item_count]; // 0 where it says nothing
};

struct part {
  size_t next, end;  // in the bytes
  bool is_short;
};

static uint32_t take(const uint8_t *bytes, struct part *part, size_t count) {
  if (part->end - part->next < count) {
    part->is_short = true;
    part->next = part->end;
    return 0;
  }
  uint32_t value = 0;
  for (size_t i = 0; i < count; i++) value = value << 8 | bytes[part->next++];
  return value;
}

static void skip(struct part *part, uint64_t count) {
  part->is_short = part->is_short || part->end - part->next < count;
  part->next = part->is_short ? part->end : part->next + (size_t)count;
}

// The next box in the part: its letters, and its content as a part.
static bool next_box(const uint8_t *bytes, struct part *part, uint32_t *letters, struct part *content) {
  const size_t start = part->next, left = part->end - start;
  uint64_t length = take(bytes, part, 4);
  *letters = take(bytes, part, 4);
  if (length == 1) {
    length = (uint64_t)take(bytes, part, 4) << 32;
    length |= take(bytes, part, 4);
  }
  if (length == 0) length = left;
  if (part->is_short || length < part->next - start || length > left) return false;
  *content = (struct part){part->next, start + (size_t)length, false};
  part->next = content->end;
  return true;
}

#define LETTERS(a, b, c, d) ((uint32_t)(a) << 24 | (b) << 16 | (c) << 8 | (d))

static void mention(struct items *items, uint32_t id) {
  if (id < item_count && items->mentioned[id] == 0) items->mentioned[id] = ++items->mentions;
}

static void read_locations(struct items *items, struct part part) {
  const uint8_t *bytes = items->bytes;
  const uint32_t version = take(bytes, &part, 4) >> 24, sizes = take(bytes, &part, 2);
  const size_t id_size = version == 2 ? 4 : 2, count_size = id_size;
  const uint32_t extent_size = (sizes >> 12) + (sizes >> 8 & 15) + (version > 0 ? sizes & 15 : 0);
  const uint32_t count = take(bytes, &part, count_size);
  for (uint32_t i = 0; i < count && !part.is_short; i++) {
    const uint32_t id = take(bytes, &part, id_size);
    const size_t start = part.next;
    skip(&part, (version > 0 ? 4 : 2) + (sizes >> 4 & 15));
    skip(&part, (uint64_t)take(bytes, &part, 2) * extent_size);
    if (part.is_short) return;
    mention(items, id);
    if (id >= item_count) continue;
    items->place[id] = start;
    items->place_length[id] = (uint32_t)(part.next - start);
  }
}

static void read_types(struct items *items, struct part part) {
  const uint32_t version = take(items->bytes, &part, 4) >> 24;
  take(items->bytes, &part, version == 0 ? 2 : 4);
  uint32_t letters;
  struct part entry;
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

static void read_properties(struct items *items, struct part part) {
  uint32_t letters;
  struct part table;
  while (next_box(items->bytes, &part, &letters, &table)) {
    if (letters != LETTERS('i', 'p', 'm', 'a')) continue;
    const uint32_t header = take(items->bytes, &table, 4), count = take(items->bytes, &table, 4);
    for (uint32_t i = 0; i < count && !table.is_short; i++) {
      mention(items, take(items->bytes, &table, header >> 24 > 0 ? 4 : 2));
      skip(&table, (uint64_t)take(items->bytes, &table, 1) * ((header & 1) != 0 ? 2 : 1));
    }
  }
}

static uint16_t id_at(const uint8_t *bytes, size_t place) { return (uint16_t)(bytes[place] << 8 | bytes[place + 1]); }

// Calls `visit` for each reference in a box of identifiers of two bytes. Larger ones, which few files need, are left as they are.
static cic_status read_references(
    struct items *items, struct part part, cic_status (*visit)(struct items *, uint32_t letters, uint32_t from, size_t ids, uint32_t count)) {
  if (take(items->bytes, &part, 4) >> 24 != 0) return CIC_OK;
  uint32_t letters;
  struct part reference;
  while (next_box(items->bytes, &part, &letters, &reference)) {
    const uint32_t from = take(items->bytes, &reference, 2), count = take(items->bytes, &reference, 2);
    if (reference.is_short || reference.end - reference.next < (size_t)count * 2) continue;
    const cic_status status = visit(items, letters, from, reference.next, count);
    if (status != CIC_OK) return status;
  }
  return CIC_OK;
}

static cic_status note_reference(struct items *items, uint32_t letters, uint32_t from, size_t ids, uint32_t count) {
  mention(items, from);
  for (uint32_t i = 0; i < count; i++) {
    const uint16_t to = id_at(items->bytes, ids + 2 * i);
    if (letters == LETTERS('d', 'i', 'm', 'g')) mention(items, to);
    if (letters == LETTERS('a', 'u', 'x', 'l')) items->auxiliary[to] = (uint16_t)from;
  }
  return CIC_OK;
}

// In the order in which libavif meets the items.
static void read_meta(struct items *items, struct part meta, struct part *references) {
  uint32_t letters;
  struct part box;
  take(items->bytes, &meta, 4);
  while (next_box(items->bytes, &meta, &letters, &box)) {
    switch (letters) {
      case LETTERS('i', 'l', 'o', 'c'): read_locations(items, box); break;
      case LETTERS('i', 'i', 'n', 'f'): read_types(items, box); break;
      case LETTERS('i', 'p', 'r', 'p'): read_properties(items, box); break;
      case LETTERS('i', 'r', 'e', 'f'):
        *references = box;
        read_references(items, box, note_reference);
        break;
      default: break;
    }
  }
}

static void sort(const struct items *items, uint16_t *ids, uint32_t count) {
  for (uint32_t i = 1; i < count; i++) {
    const uint16_t id = ids[i];
    uint32_t place = i;
    for (; place > 0 && items->mentioned[ids[place - 1]] > items->mentioned[id]; place--) ids[place] = ids[place - 1];
    ids[place] = id;
  }
}

// Each item of `sorted` gets the data of the one in its place among `ids`. False if what iloc says of them differs in length.
static bool move_data(struct items *items, const uint16_t *ids, const uint16_t *sorted, uint32_t count) {
  const size_t length = items->place_length[ids[0]];
  for (uint32_t i = 0; i < count; i++) {
    if (length == 0 || items->place_length[ids[i]] != length) return false;
  }
  uint8_t *moved = malloc(count * length);
  if (moved == NULL) return false;
  for (uint32_t i = 0; i < count; i++) memcpy(moved + i * length, items->bytes + items->place[ids[i]], length);
  for (uint32_t i = 0; i < count; i++) memcpy(items->copy + items->place[sorted[i]], moved + i * length, length);
  free(moved);
  return true;
}

// The tiles' own alpha, if each has one. False if its order would be another one than the tiles'.
static bool order_alpha(struct items *items, const uint16_t *ids, const uint16_t *sorted, uint32_t count) {
  uint16_t alpha[most_tiles], sorted_alpha[most_tiles];
  for (uint32_t i = 0; i < count; i++) {
    alpha[i] = items->auxiliary[ids[i]];
    sorted_alpha[i] = items->auxiliary[sorted[i]];
    if (alpha[i] == 0) return true;
  }
  for (uint32_t i = 1; i < count; i++) {
    if (items->mentioned[sorted_alpha[i]] <= items->mentioned[sorted_alpha[i - 1]]) return false;
  }
  return move_data(items, alpha, sorted_alpha, count);
}

static bool is_in_order(const struct items *items, size_t place, uint32_t count) {
  for (uint32_t i = 1; i < count; i++) {
    const uint16_t id = id_at(items->bytes, place + 2 * i), before = id_at(items->bytes, place + 2 * i - 2);
    if (items->mentioned[id] <= items->mentioned[before]) return false;
  }
  return true;
}

static bool order_grid(struct items *items, size_t place, uint32_t count) {
  uint16_t ids[most_tiles], sorted[most_tiles];
  if (is_in_order(items, place, count)) return true;
  if (count > most_tiles) return false;
  for (uint32_t i = 0; i < count; i++) {
    ids[i] = id_at(items->bytes, place + 2 * i);
    // A tile of two grids, or twice of one.
    if (items->is_tile[ids[i]]) return false;
    items->is_tile[ids[i]] = true;
  }
  memcpy(sorted, ids, count * sizeof *ids);
  sort(items, sorted, count);
  if (!move_data(items, ids, sorted, count) || !order_alpha(items, ids, sorted, count)) return false;
  for (uint32_t i = 0; i < count; i++) {
    items->copy[place + 2 * i] = (uint8_t)(sorted[i] >> 8);
    items->copy[place + 2 * i + 1] = (uint8_t)sorted[i];
  }
  return true;
}

static bool is_grid(const struct items *items, uint32_t letters, uint32_t from) {
  return letters == LETTERS('d', 'i', 'm', 'g') && items->is_grid[from];
}

static cic_status check_reference(struct items *items, uint32_t letters, uint32_t from, size_t ids, uint32_t count) {
  return !is_grid(items, letters, from) || is_in_order(items, ids, count) ? CIC_OK : CIC_UNSUPPORTED;
}

static cic_status order_reference(struct items *items, uint32_t letters, uint32_t from, size_t ids, uint32_t count) {
  return !is_grid(items, letters, from) || order_grid(items, ids, count) ? CIC_OK : CIC_UNSUPPORTED;
}

static cic_status order(struct items *items, cic_input *input, uint8_t **copy, char *message) {
  struct part file = {0, input->count, false}, box, references = {0};
  uint32_t letters;
  items->bytes = input->bytes;
  while (next_box(items->bytes, &file, &letters, &box)) {
    if (letters == LETTERS('m', 'e', 't', 'a')) read_meta(items, box, &references);
  }
  if (read_references(items, references, check_reference) == CIC_OK) return CIC_OK;
  *copy = malloc(input->count);
  if (*copy == NULL) {
    cic_write_message(message, "out of memory");
    return CIC_NO_MEMORY;
  }
  memcpy(*copy, input->bytes, input->count);
  input->bytes = items->bytes = items->copy = *copy;
  const cic_status status = read_references(items, references, order_reference);
  if (status != CIC_OK) cic_write_message(message, "unsupported: the AVIF's tiles are in another order than its grid has them");
  return status;
}

cic_status cic_avif_order_tiles(cic_input *input, uint8_t **copy, char *message) {
  struct items *items = calloc(1, sizeof *items);
  if (items == NULL) {
    cic_write_message(message, "out of memory");
    return CIC_NO_MEMORY;
  }
  const cic_status status = order(items, input, copy, message);
  free(items);
  return status;
}

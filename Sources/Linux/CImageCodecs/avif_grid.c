#include "avif_grid.h"

#include <stdlib.h>
#include <string.h>

#include "heif_items.h"
#include "support.h"

// A grid refers to its tiles by dimg references, and composes the tiles in the order of these references (ISO/IEC 23008-12, 6.6.2.3). The
// alpha of a grid is either another grid, or consists of one item for each tile, which refers to the tile by an auxl reference.
//
// To reorder the tiles, the items exchange their data. The item that the file mentions first gets the data of the first tile, and so on.
// Then the references are sorted by the order in which the file first mentions their items. So every reader of the copy composes the same
// image, whether it uses the order of the references or the order in which the file first mentions the items.

// This is enough for every valid file, because heif_tables.h limits the size of a file's tables.
enum { most_tiles = 4096 };

static void sort(const struct heif_items *items, uint16_t *ids, uint32_t count) {
  for (uint32_t i = 1; i < count; i++) {
    const uint16_t id = ids[i];
    uint32_t place = i;
    for (; place > 0 && items->mentioned[ids[place - 1]] > items->mentioned[id]; place--) ids[place] = ids[place - 1];
    ids[place] = id;
  }
}

// Gives each item in `sorted` the data of the item at the same position in `ids`, by copying the iloc entry of the item in `ids`. Returns
// CIC_UNSUPPORTED if the entries differ in length.
static cic_status move_data(struct heif_items *items, const uint16_t *ids, const uint16_t *sorted, uint32_t count) {
  const size_t length = items->place_length[ids[0]];
  for (uint32_t i = 0; i < count; i++) {
    if (length == 0 || items->place_length[ids[i]] != length) return CIC_UNSUPPORTED;
  }
  uint8_t *moved = malloc(count * length);
  if (moved == NULL) return CIC_NO_MEMORY;
  for (uint32_t i = 0; i < count; i++) memcpy(moved + i * length, items->bytes + items->place[ids[i]], length);
  for (uint32_t i = 0; i < count; i++) memcpy(items->copy + items->place[sorted[i]], moved + i * length, length);
  free(moved);
  return CIC_OK;
}

// Reorders the alpha items of the tiles, if each tile has one. Returns CIC_UNSUPPORTED if the file mentions the tiles in one order, and
// their alpha items in another order.
static cic_status order_alpha(struct heif_items *items, const uint16_t *ids, const uint16_t *sorted, uint32_t count) {
  uint16_t alpha[most_tiles], sorted_alpha[most_tiles];
  for (uint32_t i = 0; i < count; i++) {
    alpha[i] = items->auxiliary[ids[i]];
    sorted_alpha[i] = items->auxiliary[sorted[i]];
    if (alpha[i] == 0) return CIC_OK;
  }
  for (uint32_t i = 1; i < count; i++) {
    if (items->mentioned[sorted_alpha[i]] <= items->mentioned[sorted_alpha[i - 1]]) return CIC_UNSUPPORTED;
  }
  return move_data(items, alpha, sorted_alpha, count);
}

static bool is_in_order(const struct heif_items *items, size_t place, uint32_t count) {
  for (uint32_t i = 1; i < count; i++) {
    const uint16_t id = cic_heif_id(items->bytes, place + 2 * i), before = cic_heif_id(items->bytes, place + 2 * i - 2);
    if (items->mentioned[id] <= items->mentioned[before]) return false;
  }
  return true;
}

static cic_status order_grid(struct heif_items *items, size_t place, uint32_t count) {
  uint16_t ids[most_tiles], sorted[most_tiles];
  if (is_in_order(items, place, count)) return CIC_OK;
  if (count > most_tiles) return CIC_UNSUPPORTED;
  for (uint32_t i = 0; i < count; i++) {
    ids[i] = cic_heif_id(items->bytes, place + 2 * i);
    // The item is a tile of two grids, or occurs twice in the same grid.
    if (items->is_tile[ids[i]]) return CIC_UNSUPPORTED;
    items->is_tile[ids[i]] = true;
  }
  memcpy(sorted, ids, count * sizeof *ids);
  sort(items, sorted, count);
  cic_status status = move_data(items, ids, sorted, count);
  if (status == CIC_OK) status = order_alpha(items, ids, sorted, count);
  if (status != CIC_OK) return status;
  for (uint32_t i = 0; i < count; i++) {
    items->copy[place + 2 * i] = (uint8_t)(sorted[i] >> 8);
    items->copy[place + 2 * i + 1] = (uint8_t)sorted[i];
  }
  return CIC_OK;
}

static bool is_grid(const struct heif_items *items, uint32_t letters, uint32_t from) {
  return letters == LETTERS('d', 'i', 'm', 'g') && items->type[from] == LETTERS('g', 'r', 'i', 'd');
}

static cic_status check_reference(struct heif_items *items, uint32_t letters, uint32_t from, size_t ids, uint32_t count) {
  return !is_grid(items, letters, from) || is_in_order(items, ids, count) ? CIC_OK : CIC_UNSUPPORTED;
}

static cic_status order_reference(struct heif_items *items, uint32_t letters, uint32_t from, size_t ids, uint32_t count) {
  return is_grid(items, letters, from) ? order_grid(items, ids, count) : CIC_OK;
}

static cic_status out_of_memory(char *message) {
  cic_write_message(message, "out of memory");
  return CIC_NO_MEMORY;
}

static bool make_copy(struct heif_items *items, cic_input input, uint8_t **copy) {
  *copy = malloc(input.count);
  if (*copy == NULL) return false;
  memcpy(*copy, input.bytes, input.count);
  items->bytes = items->copy = *copy;
  return true;
}

static cic_status order(struct heif_items *items, cic_input *input, uint8_t **copy, char *message) {
  const struct heif_part references = cic_heif_read_items(items, *input);
  if (cic_heif_visit_references(items, references, check_reference) == CIC_OK) return CIC_OK;
  if (!make_copy(items, *input, copy)) return out_of_memory(message);
  input->bytes = *copy;
  const cic_status status = cic_heif_visit_references(items, references, order_reference);
  if (status == CIC_NO_MEMORY) return out_of_memory(message);
  if (status != CIC_OK) cic_write_message(message, "an AVIF with tiles in another order than in its grid");
  return status;
}

cic_status cic_avif_order_tiles(cic_input *input, uint8_t **copy, char *message) {
  struct heif_items *items = calloc(1, sizeof *items);
  if (items == NULL) return out_of_memory(message);
  const cic_status status = order(items, input, copy, message);
  free(items);
  return status;
}

static cic_status count_tiles(struct heif_items *items, uint32_t letters, uint32_t from, size_t ids, uint32_t count) {
  (void)ids;
  if (is_grid(items, letters, from)) items->tiles += count;
  return CIC_OK;
}

uint32_t cic_avif_tiles(cic_input input) {
  struct heif_items *items = calloc(1, sizeof *items);
  if (items == NULL) return UINT32_MAX;
  cic_heif_visit_references(items, cic_heif_read_items(items, input), count_tiles);
  const uint32_t tiles = items->tiles;
  free(items);
  return tiles;
}

static bool is_picture(const struct heif_items *items, uint32_t letters, uint32_t from) {
  return from == items->primary && is_grid(items, letters, from);
}

// Returns CIC_UNSUPPORTED if `from` is the image's grid, and each tile of this grid has its own alpha item. Otherwise returns CIC_OK.
static cic_status check_alpha(struct heif_items *items, uint32_t letters, uint32_t from, size_t ids, uint32_t count) {
  if (!is_picture(items, letters, from) || count == 0 || items->auxiliary[from] != 0) return CIC_OK;
  for (uint32_t i = 0; i < count; i++) {
    const uint16_t alpha = items->auxiliary[cic_heif_id(items->bytes, ids + 2 * i)];
    if (alpha == 0 || !cic_heif_is_alpha(items, alpha)) return CIC_OK;
  }
  return CIC_UNSUPPORTED;
}

// Replaces the tiles with their alpha items, and removes the references that mark these items as alpha.
static cic_status put_alpha(struct heif_items *items, uint32_t letters, uint32_t from, size_t ids, uint32_t count) {
  enum { letters_before = 8 };
  if (letters == LETTERS('a', 'u', 'x', 'l')) memcpy(items->copy + ids - letters_before, "free", 4);
  if (!is_picture(items, letters, from)) return CIC_OK;
  for (uint32_t i = 0; i < count; i++) {
    const uint16_t alpha = items->auxiliary[cic_heif_id(items->bytes, ids + 2 * i)];
    items->copy[ids + 2 * i] = (uint8_t)(alpha >> 8);
    items->copy[ids + 2 * i + 1] = (uint8_t)alpha;
  }
  return CIC_OK;
}

cic_status cic_avif_grid_of_alpha(cic_input input, uint8_t **copy, char *message) {
  struct heif_items *items = calloc(1, sizeof *items);
  if (items == NULL) return out_of_memory(message);
  const struct heif_part references = cic_heif_read_items(items, input);
  cic_status status = CIC_OK;
  if (cic_heif_visit_references(items, references, check_alpha) != CIC_OK) {
    status = make_copy(items, input, copy) ? cic_heif_visit_references(items, references, put_alpha) : out_of_memory(message);
  }
  free(items);
  return status;
}

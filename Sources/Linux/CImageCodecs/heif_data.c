#include "heif_data.h"

#include <string.h>

#include "support.h"

struct extents {
  struct heif_part entry, file;
  uint32_t left;
  size_t base_size, offset_size, length_size, index_size;
  uint64_t base;
  cic_status status;
};

static uint64_t take_long(const uint8_t *bytes, struct heif_part *part, size_t count) {
  if (count <= 4) return cic_heif_take(bytes, part, count);
  const uint64_t high = cic_heif_take(bytes, part, count - 4);
  return high << 32 | cic_heif_take(bytes, part, 4);
}

static struct extents extents_of(const struct heif_items *items, uint32_t id) {
  enum { in_file = 0, in_data = 1 };
  struct extents extents = {.status = CIC_CORRUPT};
  if (id >= item_count || items->place_length[id] == 0) return extents;
  const uint32_t sizes = items->place_sizes;
  extents.entry = (struct heif_part){items->place[id], items->place[id] + items->place_length[id], false};
  extents.offset_size = sizes >> 12 & 15;
  extents.length_size = sizes >> 8 & 15;
  extents.base_size = sizes >> 4 & 15;
  extents.index_size = items->place_version > 0 ? sizes & 15 : 0;
  if (extents.offset_size > 8 || extents.length_size > 8 || extents.base_size > 8 || extents.index_size > 8) return extents;
  const uint32_t method = items->place_version > 0 ? cic_heif_take(items->bytes, &extents.entry, 2) & 15 : in_file;
  const uint32_t other_file = cic_heif_take(items->bytes, &extents.entry, 2);
  extents.base = take_long(items->bytes, &extents.entry, extents.base_size);
  extents.left = cic_heif_take(items->bytes, &extents.entry, 2);
  extents.file = method == in_data ? items->data : (struct heif_part){0, items->count, false};
  extents.status = method > in_data || other_file != 0 ? CIC_UNSUPPORTED : extents.entry.is_short ? CIC_CORRUPT : CIC_OK;
  return extents;
}

// Finds the next part of the data. Returns false at the end, and if the part is not in the file.
static bool next_extent(const struct heif_items *items, struct extents *extents, size_t *start, size_t *count) {
  if (extents->status != CIC_OK || extents->left == 0) return false;
  extents->left--;
  take_long(items->bytes, &extents->entry, extents->index_size);
  const uint64_t offset = take_long(items->bytes, &extents->entry, extents->offset_size);
  const uint64_t length = take_long(items->bytes, &extents->entry, extents->length_size);
  const uint64_t available = extents->file.end - extents->file.next;
  if (extents->entry.is_short || offset > UINT64_MAX - extents->base) {
    extents->status = CIC_CORRUPT;
  } else if (extents->base + offset > available || length > available - extents->base - offset) {
    extents->status = CIC_TRUNCATED;
  } else {
    *start = extents->file.next + (size_t)(extents->base + offset);
    *count = (size_t)length;
    return true;
  }
  return false;
}

cic_status cic_heif_measure_data(const struct heif_items *items, uint32_t id, uint64_t *sum, char *message) {
  struct extents extents = extents_of(items, id);
  size_t start, count;
  *sum = 0;
  while (next_extent(items, &extents, &start, &count)) *sum += count;
  if (extents.status == CIC_OK && *sum == 0) extents.status = CIC_CORRUPT;
  switch (extents.status) {
    case CIC_OK: break;
    case CIC_TRUNCATED: cic_write_message(message, "the file ends before the image does"); break;
    case CIC_UNSUPPORTED: cic_write_message(message, "an image whose data is in another file or item"); break;
    default: cic_write_message(message, "the position of the image's data is broken"); break;
  }
  return extents.status;
}

void cic_heif_copy_data(const struct heif_items *items, uint32_t id, uint8_t *bytes) {
  struct extents extents = extents_of(items, id);
  size_t start, count;
  while (next_extent(items, &extents, &start, &count)) {
    memcpy(bytes, items->bytes + start, count);
    bytes += count;
  }
}

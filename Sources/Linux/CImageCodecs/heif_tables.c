#include "heif_tables.h"

#include <string.h>

// A box consists of a length that includes itself, four letters, and content (ISO/IEC 14496-12, 4.2). A length of 1 means that a length of
// eight bytes follows. A length of 0 means that the box has all remaining bytes. The tables of chunks are described in 8.7.4 and 8.7.5, and
// those of items in 8.11.3, 8.11.6, 8.11.12, and 8.11.14.

// `most_table_bytes` is enough for thousands of entries. A grid of hundreds of tiles takes a tenth of it.
enum { most_table_bytes = 64 << 10, deepest = 6 };

struct box {
  const uint8_t *letters;
  const uint8_t *content;
  size_t content_length;
  size_t length;  // the whole box
};

static uint64_t number(const uint8_t *bytes, int count) {
  uint64_t value = 0;
  for (int i = 0; i < count; i++) value = value << 8 | bytes[i];
  return value;
}

static bool read_box(const uint8_t *bytes, size_t left, struct box *box) {
  if (left < 8) return false;
  uint64_t length = number(bytes, 4);
  size_t header = 8;
  if (length == 1) {
    if (left < 16) return false;
    length = number(bytes + 8, 8);
    header = 16;
  }
  if (length == 0) length = left;
  if (length < header) return false;
  // A truncated box counts, too, because a library may read some of its tables.
  const size_t present = length < left ? (size_t)length : left;
  *box = (struct box){bytes + 4, bytes + header, present - header, present};
  return true;
}

static bool is_any(const uint8_t *letters, const char *names) {
  for (; *names != 0; names += 4) {
    if (memcmp(letters, names, 4) == 0) return true;
  }
  return false;
}

static size_t table_bytes(const uint8_t *bytes, size_t count, int depth) {
  size_t sum = 0, position = 0;
  struct box box;
  while (sum <= most_table_bytes && read_box(bytes + position, count - position, &box)) {
    position += box.length;
    if (is_any(box.letters, "ilociinfirefipmastscstcoco64")) {
      sum += box.length;
    } else if (depth < deepest && is_any(box.letters, "metaiprpmoovtrakmdiaminfstbl")) {
      // Only meta has a version and flags before its boxes.
      const size_t skipped = is_any(box.letters, "meta") ? 4 : 0;
      if (box.content_length > skipped) sum += table_bytes(box.content + skipped, box.content_length - skipped, depth + 1);
    }
  }
  return sum;
}

bool cic_heif_has_small_tables(cic_input input) { return table_bytes(input.bytes, input.count, 0) <= most_table_bytes; }

#include "hevc.h"

#include <string.h>

#include "support.h"

enum { vps = 32, sps = 33, pps = 34, first_intra = 16, last_intra = 21, first_parameter = 32, intra_slice = 2 };
enum { hevc_present = 128, hevc_dependent = 64, hevc_split = 32, hevc_extra_bits = 7 };

// The bits of a unit. A byte of 3 after two zero bytes is skipped (7.3.1.1).
struct bits {
  const uint8_t *bytes;
  size_t next, count;
  uint32_t zeros;
  uint8_t byte;
  int left;
  bool is_short;
};

static uint32_t bit(struct bits *bits) {
  if (bits->left == 0) {
    if (bits->zeros >= 2 && bits->next < bits->count && bits->bytes[bits->next] == 3) {
      bits->next++;
      bits->zeros = 0;
    }
    if (bits->next >= bits->count) {
      bits->is_short = true;
      return 0;
    }
    bits->byte = bits->bytes[bits->next++];
    bits->zeros = bits->byte == 0 ? bits->zeros + 1 : 0;
    bits->left = 8;
  }
  return bits->byte >> --bits->left & 1;
}

static uint32_t number(struct bits *bits, int count) {
  uint32_t value = 0;
  for (int i = 0; i < count; i++) value = value << 1 | bit(bits);
  return value;
}

static void skip(struct bits *bits, int count) {
  for (int i = 0; i < count; i++) bit(bits);
}

// Reads an Exp-Golomb number (9.2). Numbers of more than 32 bits end the unit.
static uint32_t golomb(struct bits *bits) {
  int zeros = 0;
  while (!bits->is_short && bit(bits) == 0) zeros++;
  bits->is_short = bits->is_short || zeros > 31;
  return bits->is_short ? 0 : (1U << zeros) - 1 + number(bits, zeros);
}

static struct bits bits_of(const uint8_t *unit, size_t count) { return (struct bits){.bytes = unit, .next = 2, .count = count}; }

static int kind_of(const uint8_t *unit) { return unit[0] >> 1 & 63; }

// Whether the unit belongs to the layer that every decoder shows.
static bool is_base(const uint8_t *unit) { return (unit[0] & 1) == 0 && unit[1] >> 3 == 0; }

static void skip_profile(struct bits *bits, uint32_t more_layers) {
  enum { profile = 88, level = 8 };
  skip(bits, profile + level);
  const uint32_t flags = number(bits, more_layers > 0 ? 16 : 0);
  for (uint32_t i = 0; i < more_layers; i++) {
    if ((flags >> (15 - 2 * i) & 1) != 0) skip(bits, profile);
    if ((flags >> (14 - 2 * i) & 1) != 0) skip(bits, level);
  }
}

static cic_status corrupt(char *message, const char *text) {
  cic_write_message(message, text);
  return CIC_CORRUPT;
}

static cic_status unsupported(char *message, const char *text) {
  cic_write_message(message, text);
  return CIC_UNSUPPORTED;
}

// Returns the number of samples of one side that belong to the image. `before` and `after` are the numbers of units to cut off at the two
// ends of the side. A unit has `unit` samples.
static uint32_t shown_side(uint32_t side, uint32_t unit, uint32_t before, uint32_t after) {
  const uint64_t cut = ((uint64_t)before + after) * unit;
  return cut < side ? side - (uint32_t)cut : 0;
}

static int bits_for(uint64_t count) {
  int bits = 0;
  while ((1ULL << bits) < count) bits++;
  return bits;
}

// Whether the sizes of blocks and transforms are valid (7.4.3.2.1). libde265 prints a message if they are not.
static bool has_valid_blocks(const struct hevc_configuration *found, struct bits *bits, uint32_t least_block, uint32_t block) {
  const uint32_t least = golomb(bits) + 2, most = least + golomb(bits), inter_depth = golomb(bits), intra_depth = golomb(bits);
  const uint32_t mask = (1U << least_block) - 1;
  return !bits->is_short && least >= 2 && least < least_block && most >= least && most <= (block < 5 ? block : 5) &&
         inter_depth <= block - least && intra_depth <= block - least && (found->width & mask) == 0 && (found->height & mask) == 0;
}

static cic_status read_sequence(struct hevc_configuration *found, const uint8_t *unit, size_t count, char *message) {
  struct bits bits = bits_of(unit, count);
  skip(&bits, 4);
  const uint32_t more_layers = number(&bits, 3);
  skip(&bits, 1);
  skip_profile(&bits, more_layers);
  golomb(&bits);
  const uint32_t chroma = golomb(&bits);
  const bool has_separate_planes = chroma == 3 && bit(&bits) != 0;
  found->width = golomb(&bits);
  found->height = golomb(&bits);
  uint32_t window[4] = {0};
  if (bit(&bits) != 0) {
    for (int i = 0; i < 4; i++) window[i] = golomb(&bits);
  }
  const uint32_t depth = golomb(&bits), chroma_depth = golomb(&bits);
  golomb(&bits);
  const uint32_t orders = bit(&bits) != 0 ? more_layers + 1 : 1;
  for (uint32_t i = 0; i < 3 * orders; i++) golomb(&bits);
  const uint32_t least_block = golomb(&bits) + 3, block = least_block + golomb(&bits);
  const bool is_valid = !bits.is_short && chroma <= 3 && block >= 4 && block <= 6 && least_block >= 3 && least_block <= block &&
                        chroma_depth <= 8 && found->width <= CIC_MAX_SIDE && found->height <= CIC_MAX_SIDE &&
                        has_valid_blocks(found, &bits, least_block, block);
  if (!is_valid) return corrupt(message, "the HEIC's SPS is broken");
  if (has_separate_planes || depth > 4) return unsupported(message, "a HEIC with separate planes, or with more than 12 bits");
  if (chroma != 0 && depth != chroma_depth) return unsupported(message, "a HEIC whose brightness and color differ in bits");
  found->shown_width = shown_side(found->width, chroma == 1 || chroma == 2 ? 2 : 1, window[0], window[1]);
  found->shown_height = shown_side(found->height, chroma == 1 ? 2 : 1, window[2], window[3]);
  found->chroma = (int)chroma;
  found->depth = 8 + (int)depth;
  const uint64_t across = (found->width + (1U << block) - 1) >> block, down = (found->height + (1U << block) - 1) >> block;
  found->blocks = across * down;
  found->block_pixels = 1ULL << 2 * block;
  return found->shown_width > 0 && found->shown_height > 0 ? CIC_OK : corrupt(message, "the HEIC's SPS is broken");
}

static cic_status read_pictures(struct hevc_configuration *found, const uint8_t *unit, size_t count, char *message) {
  struct bits bits = bits_of(unit, count);
  const uint32_t id = golomb(&bits);
  golomb(&bits);
  const uint32_t is_dependent = bit(&bits);
  bit(&bits);
  const uint32_t extra = number(&bits, 3);
  skip(&bits, 2);
  for (int i = 0; i < 3; i++) golomb(&bits);
  skip(&bits, 2);
  if (bit(&bits) != 0) golomb(&bits);
  for (int i = 0; i < 2; i++) golomb(&bits);
  skip(&bits, 4);
  const bool is_split = number(&bits, 2) != 0;
  if (bits.is_short || id > 63 || found->picture_sets[id] != 0) return corrupt(message, "the HEIC's PPS is broken");
  found->picture_sets[id] = (uint8_t)(hevc_present | (is_dependent != 0 ? hevc_dependent : 0) | (is_split ? hevc_split : 0) | extra);
  return CIC_OK;
}

static cic_status add_set(struct hevc_configuration *found, const uint8_t *unit, size_t count, char *message) {
  if (count < 2) return corrupt(message, "the HEIC's hvcC is broken");
  const int kind = kind_of(unit);
  if (!is_base(unit) || (kind != vps && kind != sps && kind != pps)) return CIC_OK;
  if (found->set_count == most_hevc_sets) return unsupported(message, "a HEIC with many parameter sets");
  found->sets[found->set_count++] = (struct hevc_unit){unit, count};
  if (kind == pps) return read_pictures(found, unit, count, message);
  if (kind == vps) return CIC_OK;
  if (found->width != 0) return unsupported(message, "a HEIC with several SPS");
  return read_sequence(found, unit, count, message);
}

cic_status cic_hevc_read(const uint8_t *bytes, size_t count, struct hevc_configuration *found, char *message) {
  memset(found, 0, sizeof *found);
  if (count <= hevc_header_size) return corrupt(message, "the HEIC's hvcC is broken");
  found->header = bytes;
  found->length_size = (size_t)(bytes[hevc_header_size - 1] & 3) + 1;
  size_t next = hevc_header_size + 1;
  for (int arrays = bytes[hevc_header_size]; arrays > 0; arrays--) {
    if (count - next < 3) return corrupt(message, "the HEIC's hvcC is broken");
    uint32_t units = (uint32_t)bytes[next + 1] << 8 | bytes[next + 2];
    for (next += 3; units > 0; units--) {
      if (count - next < 2) return corrupt(message, "the HEIC's hvcC is broken");
      const size_t length = (size_t)bytes[next] << 8 | bytes[next + 1];
      next += 2;
      if (count - next < length) return corrupt(message, "the HEIC's hvcC is broken");
      const cic_status status = add_set(found, bytes + next, length, message);
      if (status != CIC_OK) return status;
      next += length;
    }
  }
  return found->width != 0 ? CIC_OK : corrupt(message, "the HEIC has no SPS");
}

// Subtracts the pixels of a slice from the budget. Returns false if the budget is too small.
static bool spend(struct hevc_budget *budget, uint64_t pixels, bool is_split, size_t count) {
  if (pixels > budget->pixels) return false;
  budget->pixels -= pixels;
  if (!is_split) return true;
  budget->split_pixels += (uint64_t)split_pixels_a_byte * count;
  if (pixels > budget->split_pixels) return false;
  budget->split_pixels -= pixels;
  return true;
}

// Reads the address of a slice. Returns whether the slice may be given to the decoder. Decoders do not check whether the slices of a still
// image refer to other pictures. They would decode a second picture in the data, too.
static bool read_slice(const struct hevc_configuration *configuration, const uint8_t *unit, size_t count, bool is_first,
                       uint32_t *address, bool *is_split) {
  const int kind = kind_of(unit);
  struct bits bits = bits_of(unit, count);
  const bool begins_picture = bit(&bits) != 0;
  if (kind < first_intra || kind > last_intra || begins_picture != is_first) return false;
  skip(&bits, 1);
  const uint32_t id = golomb(&bits);
  if (bits.is_short || id > 63 || configuration->picture_sets[id] == 0) return false;
  const uint8_t flags = configuration->picture_sets[id];
  *is_split = (flags & hevc_split) != 0;
  const bool is_dependent = !begins_picture && (flags & hevc_dependent) != 0 && bit(&bits) != 0;
  const uint32_t previous = *address;
  *address = begins_picture ? 0 : number(&bits, bits_for(configuration->blocks));
  if (*address >= configuration->blocks || (!begins_picture && *address <= previous)) return false;
  if (is_dependent) return !bits.is_short;
  skip(&bits, flags & hevc_extra_bits);
  return golomb(&bits) == intra_slice && !bits.is_short;
}

cic_status cic_hevc_copy_picture(const struct hevc_configuration *configuration, const uint8_t *bytes, size_t count, uint8_t *copy,
                                 size_t *copied, struct hevc_budget *budget, char *message) {
  size_t next = 0;
  int slices = 0;
  uint32_t address = 0;
  *copied = 0;
  while (next < count) {
    if (count - next < configuration->length_size) return corrupt(message, "the HEIC's image is broken");
    size_t length = 0;
    for (size_t i = 0; i < configuration->length_size; i++) length = length << 8 | bytes[next++];
    if (count - next < length || length < 2) return corrupt(message, "the HEIC's image is broken");
    const uint8_t *unit = bytes + next;
    next += length;
    if (!is_base(unit) || kind_of(unit) >= first_parameter) continue;
    bool is_split = false;
    const bool is_valid = read_slice(configuration, unit, length, slices == 0, &address, &is_split);
    if (!is_valid) return corrupt(message, "the HEIC's image is not a still image");
    const uint64_t pixels = (configuration->blocks - address) * configuration->block_pixels;
    if (++slices > most_hevc_slices || !spend(budget, pixels, is_split, length)) {
      cic_write_message(message, "a HEIC with more slices than allowed, or with little data for its pixels");
      return CIC_TOO_LARGE;
    }
    uint8_t *to = copy + *copied;
    const size_t written = length + hevc_tail;
    for (int i = 0; i < 4; i++) to[i] = (uint8_t)(written >> (24 - 8 * i));
    memcpy(to + 4, unit, length);
    memset(to + 4 + length, 0xFF, hevc_tail);
    *copied += 4 + written;
  }
  return slices > 0 ? CIC_OK : corrupt(message, "the HEIC's image is empty");
}

#include <stdlib.h>
#include <string.h>

#include "heif_data.h"
#include "jpeg_markers.h"
#include "png_chunk.h"
#include "support.h"

static bool is_tiff(const uint8_t *bytes, size_t count) {
  return count >= 8 && (memcmp(bytes, "II*\0", 4) == 0 || memcmp(bytes, "MM\0*", 4) == 0);
}

// Copies the TIFF structure, which may follow the prefix that EXIF has in a JPEG. Some writers use the prefix in other formats, too.
static cic_status take(const uint8_t *bytes, size_t count, cic_output *exif) {
  static const uint8_t prefix[] = {'E', 'x', 'i', 'f', 0, 0};
  const size_t start = count > sizeof prefix && memcmp(bytes, prefix, sizeof prefix) == 0 ? sizeof prefix : 0;
  if (!is_tiff(bytes + start, count - start) || count - start > CIC_MAX_EXIF) return CIC_OK;
  return cic_output_append(exif, bytes + start, count - start) ? CIC_OK : CIC_NO_MEMORY;
}

cic_status cic_jpeg_exif(cic_input input, cic_output *exif) {
  enum { app1 = 0xE1, start_of_scan = 0xDA };
  *exif = (cic_output){0};
  if (input.count < 2) return CIC_OK;
  struct jpeg_marker marker = {.next = input.bytes + 2};
  while (cic_jpeg_next_marker(&marker, input.bytes + input.count) && marker.code != start_of_scan) {
    if (marker.code != app1 || marker.length < 6 || memcmp(marker.body, "Exif\0", 5) != 0) continue;
    return take(marker.body, marker.length, exif);
  }
  return CIC_OK;
}

cic_status cic_png_exif(cic_input input, cic_output *exif) {
  *exif = (cic_output){0};
  struct png_chunk chunk = {.end = png_signature_bytes};
  while (cic_png_read_chunk(input, chunk.end, &chunk)) {
    const bool is_exif = cic_png_is(&chunk, "eXIf") && chunk.length <= CIC_MAX_EXIF;
    if (is_exif && cic_png_is_intact(&chunk)) return take(chunk.data, chunk.length, exif);
  }
  return CIC_OK;
}

cic_status cic_webp_exif(cic_input input, cic_output *exif) {
  enum { riff_header = 12, chunk_header = 8 };
  *exif = (cic_output){0};
  size_t position = riff_header;
  while (input.count > position && input.count - position >= chunk_header) {
    const uint8_t *chunk = input.bytes + position;
    const size_t length = (size_t)chunk[4] | (size_t)chunk[5] << 8 | (size_t)chunk[6] << 16 | (size_t)chunk[7] << 24;
    const size_t left = input.count - position - chunk_header;
    if (length > left) break;
    if (memcmp(chunk, "EXIF", 4) == 0) return take(chunk + chunk_header, length, exif);
    if (length + (length & 1) >= left) break;
    position += chunk_header + length + (length & 1);
  }
  return CIC_OK;
}

// Returns the item with the EXIF of the primary image; 0 if there is none. The item has a cdsc reference to the image.
static uint32_t exif_item(const struct heif_items *items, struct heif_part references) {
  struct heif_reference reference;
  while (cic_heif_next_reference(items, &references, &reference)) {
    if (reference.letters != LETTERS('c', 'd', 's', 'c') || items->type[reference.from] != LETTERS('E', 'x', 'i', 'f')) continue;
    for (uint32_t i = 0; i < reference.count; i++) {
      if (cic_heif_id(items->bytes, reference.ids + 2 * i) == items->primary) return reference.from;
    }
  }
  return 0;
}

// The data begins with the distance from its fifth byte to the TIFF structure (ISO/IEC 23008-12, A.2.1).
static cic_status take_item(const struct heif_items *items, uint32_t id, cic_output *exif) {
  char message[CIC_MESSAGE_SIZE];
  uint64_t count;
  if (cic_heif_measure_data(items, id, &count, message) != CIC_OK || count < 4 || count - 4 > CIC_MAX_EXIF) return CIC_OK;
  uint8_t *data = malloc((size_t)count);
  if (data == NULL) return CIC_NO_MEMORY;
  cic_heif_copy_data(items, id, data);
  const uint64_t start = 4 + (uint64_t)cic_png_u32(data);
  const cic_status status = start < count ? take(data + start, (size_t)(count - start), exif) : CIC_OK;
  free(data);
  return status;
}

cic_status cic_heif_exif(cic_input input, cic_output *exif) {
  *exif = (cic_output){0};
  struct heif_items *items = calloc(1, sizeof *items);
  if (items == NULL) return CIC_NO_MEMORY;
  const struct heif_part references = cic_heif_read_items(items, input);
  const uint32_t id = exif_item(items, references);
  const cic_status status = id == 0 ? CIC_OK : take_item(items, id, exif);
  free(items);
  return status;
}

#include "png_frame.h"

#include <string.h>

#include "png_source.h"
#include "support.h"

// The sizes of the signature with IHDR, of the beginning of a chunk, and of a CRC with IEND.
enum { header_bytes = 33, start_bytes = 8, end_bytes = 16 };

struct frame_source {
  struct png_source base;
  const struct apng *apng;
  const struct apng_frame *frame;
  enum { header_piece, palette_piece, transparency_piece, start_piece, data_piece, end_piece } next;
  size_t position;  // of the next chunk with pixels
  uint8_t header[header_bytes];
  uint8_t start[start_bytes];
};

static void put_u32(uint8_t *bytes, uint32_t value) {
  for (int i = 0; i < 4; i++) bytes[i] = (uint8_t)(value >> (24 - 8 * i));
}

static cic_input whole_chunk(const struct png_chunk *chunk) {
  if (chunk->letters == NULL) return (cic_input){0};
  return (cic_input){chunk->letters - 4, chunk->length + png_chunk_bytes, false};
}

static void advance(struct png_source *base) {
  static const uint8_t end[end_bytes] = {0, 0, 0, 0, 0, 0, 0, 0, 'I', 'E', 'N', 'D', 0xAE, 0x42, 0x60, 0x82};
  struct frame_source *source = (struct frame_source *)base;
  cic_input piece = {0};
  while (piece.count == 0) {
    switch (source->next) {
      case header_piece: piece = (cic_input){source->header, header_bytes, false}; break;
      case palette_piece: piece = whole_chunk(&source->apng->palette); break;
      case transparency_piece: piece = whole_chunk(&source->apng->transparency); break;
      case start_piece: piece = (cic_input){source->start, start_bytes, false}; break;
      case data_piece:
        if (cic_apng_next_data(source->apng, source->frame, &source->position, &piece)) continue;
        break;
      case end_piece: piece = (cic_input){end, end_bytes, false}; break;
    }
    if (source->next != end_piece) source->next++;
  }
  base->piece = piece;
}

cic_status cic_png_decode_frame(
    const struct apng *apng, const struct apng_frame *frame, const cic_limits *limits, uint8_t *rgba, char *message) {
  uint64_t count = 0;
  if (!cic_apng_check_data(apng, frame, &count) || count > INT32_MAX) {
    cic_write_message(message, "a frame of the PNG is broken");
    return CIC_CORRUPT;
  }
  struct frame_source source = {
      .base = {.advance = advance, .is_checked = true}, .apng = apng, .frame = frame, .position = frame->data};
  source.base.left =
      header_bytes + whole_chunk(&apng->palette).count + whole_chunk(&apng->transparency).count + start_bytes + count + end_bytes;
  // The signature, and IHDR with the frame's size. The CRC stays 0, because libpng ignores wrong checksums if `is_checked` is true.
  memcpy(source.header, apng->header - 16, header_bytes - 4);
  put_u32(source.header + 16, frame->width);
  put_u32(source.header + 20, frame->height);
  put_u32(source.start, (uint32_t)count);
  memcpy(source.start + 4, "IDAT", 4);
  const cic_target target = {rgba, frame->width, frame->height, 1};
  const cic_status status = cic_png_decode_source(&source.base, limits, &target, message);
  // The file is complete. So if the frame's data ends early, the frame is corrupt, and no further bytes can complete it.
  return status == CIC_TRUNCATED ? CIC_CORRUPT : status;
}

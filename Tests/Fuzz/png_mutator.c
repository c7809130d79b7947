// Changes PNGs for libFuzzer. Most of libFuzzer's own changes make a checksum wrong, and the decoder does not use a chunk with a wrong
// checksum. So after most changes, this mutator corrects all checksums and sequence numbers of the file.
#include <string.h>

#include "png_chunk.h"

#include <zlib.h>

size_t LLVMFuzzerMutate(uint8_t *bytes, size_t count, size_t most);

static void put_u32(uint8_t *bytes, uint32_t value) {
  for (int i = 0; i < 4; i++) bytes[i] = (uint8_t)(value >> (24 - 8 * i));
}

static void correct(uint8_t *bytes, size_t count, bool numbers) {
  struct png_chunk chunk;
  uint32_t sequence = 0;
  for (size_t position = png_signature_bytes; cic_png_read_chunk((cic_input){bytes, count, false}, position, &chunk); position = chunk.end) {
    const bool is_numbered = cic_png_is(&chunk, "fcTL") || cic_png_is(&chunk, "fdAT");
    if (numbers && is_numbered && chunk.length >= 4) put_u32(bytes + position + 8, sequence++);
    put_u32(bytes + chunk.end - 4, (uint32_t)crc32(0, bytes + position + 4, (uInt)chunk.length + 4));
  }
}

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t count, size_t most, unsigned seed) {
  count = LLVMFuzzerMutate(bytes, count, most);
  if (seed % 8 != 0) correct(bytes, count, seed % 4 != 1);
  return count;
}

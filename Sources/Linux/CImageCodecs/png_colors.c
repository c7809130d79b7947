#include "png_colors.h"

#include <stdlib.h>
#include <string.h>

#include <zlib.h>

// For the layout of a chunk, see png_metadata.c. `most_profile` is the largest size of a profile, and of its compressed form. Profiles for
// PNG have from half a kilobyte to some hundred kilobytes.
enum { signature_bytes = 8, chunk_bytes = 12, most_profile = 512 << 10 };

// The contents of the first valid chunk of each kind. `bytes` is NULL if there is none.
struct color_chunks {
  cic_input cicp, iccp, srgb, gamma, primaries;
};

static uint32_t u32(const uint8_t *p) { return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3]; }

static cic_input *place_of(struct color_chunks *chunks, const uint8_t *name, uint32_t length) {
  if (memcmp(name, "cICP", 4) == 0 && length == 4) return &chunks->cicp;
  if (memcmp(name, "iCCP", 4) == 0) return &chunks->iccp;
  if (memcmp(name, "sRGB", 4) == 0 && length == 1) return &chunks->srgb;
  if (memcmp(name, "gAMA", 4) == 0 && length == 4) return &chunks->gamma;
  if (memcmp(name, "cHRM", 4) == 0 && length == 32) return &chunks->primaries;
  return NULL;
}

static struct color_chunks find_chunks(cic_input input) {
  struct color_chunks chunks = {0};
  size_t position = signature_bytes;
  while (input.count > position && input.count - position >= chunk_bytes) {
    const uint8_t *chunk = input.bytes + position, *name = chunk + 4;
    const uint32_t length = u32(chunk);
    if (length > input.count - position - chunk_bytes || memcmp(name, "IDAT", 4) == 0) break;
    cic_input *place = place_of(&chunks, name, length);
    if (place != NULL && place->bytes == NULL && crc32(0, name, (uInt)length + 4) == u32(chunk + 8 + length)) {
      *place = (cic_input){chunk + 8, length, false};
    }
    position += chunk_bytes + (size_t)length;
  }
  return chunks;
}

// Inflates a profile. The profile declares its size in its first four bytes, so no more memory than that is allocated. Returns NULL if the
// profile is broken or too large, or if memory runs out.
static uint8_t *inflate_profile(z_stream *stream, size_t *count, const char **problem) {
  uint8_t first[4];
  stream->next_out = first;
  stream->avail_out = sizeof first;
  *problem = "it is broken";
  const int begun = inflate(stream, Z_SYNC_FLUSH);
  if ((begun != Z_OK && begun != Z_STREAM_END) || stream->avail_out > 0) return NULL;
  *count = u32(first);
  if (*count < sizeof first) return NULL;
  *problem = "it is larger than 512 kilobytes";
  if (*count > most_profile) return NULL;
  *problem = "memory does not suffice for it";
  uint8_t *profile = malloc(*count);
  if (profile == NULL) return NULL;
  memcpy(profile, first, sizeof first);
  stream->next_out = profile + sizeof first;
  stream->avail_out = (uInt)(*count - sizeof first);
  if (begun != Z_STREAM_END) inflate(stream, Z_SYNC_FLUSH);
  // If the data ends early, the count is less than the size that the profile declares. Such a profile is refused when it is read.
  *count -= stream->avail_out;
  *problem = NULL;
  return profile;
}

// The chunk is a name of up to 79 bytes, a zero byte, a byte for the compression method, and the compressed profile.
static const char *read_profile(
    cic_input chunk, enum color_model model, struct color *color, uint64_t pixels, const cic_limits *limits) {
  enum { most_name = 79 };
  if (chunk.count > most_profile) return "it is larger than 512 kilobytes";
  const uint8_t *end = memchr(chunk.bytes, 0, chunk.count < most_name + 1 ? chunk.count : most_name + 1);
  const size_t left = end == NULL ? 0 : chunk.count - (size_t)(end - chunk.bytes);
  if (left < 3 || end[1] != 0) return "it is broken";
  z_stream stream = {.next_in = (Bytef *)(uintptr_t)(end + 2), .avail_in = (uInt)(left - 2)};
  if (inflateInit(&stream) != Z_OK) return "memory does not suffice for it";
  size_t count = 0;
  const char *problem = NULL;
  uint8_t *profile = inflate_profile(&stream, &count, &problem);
  inflateEnd(&stream);
  if (profile == NULL) return problem;
  problem = cic_color_by_profile(color, (cic_input){profile, count, false}, model, pixels, limits);
  free(profile);
  return problem;
}

// Reads the numbers of ITU-T H.273 for the primaries, the curve, and the matrix, and whether the levels have the full range. RGB
// needs no matrix, so the number of the matrix must be 0.
static const char *read_numbers(cic_input chunk, struct color *color) {
  if (chunk.bytes[2] != 0 || chunk.bytes[3] != 1) return "it describes levels that are not of the full range of RGB";
  return cic_color_by_numbers(color, chunk.bytes[0], chunk.bytes[1]);
}

static void read_gamma(const struct color_chunks *chunks, struct color *color) {
  // A difference of up to a twentieth from 1/2.2 is not visible, and such files mean sRGB's curve. libpng does not convert them, either.
  enum { unit = 100000, least_like_srgb = 43182, most_like_srgb = 47727 };
  const uint32_t gamma = chunks->gamma.bytes == NULL ? 0 : u32(chunks->gamma.bytes);
  const double exponent = gamma == 0 || (gamma >= least_like_srgb && gamma <= most_like_srgb) ? 0 : (double)unit / gamma;
  color_primaries primaries;
  if (!cic_primaries_find(1, primaries)) return;
  // The chunk begins with white, and its numbers are multiples of 1/100,000.
  for (int i = 0; chunks->primaries.bytes != NULL && i < 8; i++) {
    primaries[(i / 2 + 3) % 4][i % 2] = (double)u32(chunks->primaries.bytes + 4 * i) / unit;
  }
  if (exponent != 0 || chunks->primaries.bytes != NULL) cic_color_by_primaries(color, primaries, exponent);
}

const char *cic_png_read_colors(
    cic_input input, enum color_model model, struct color *color, uint64_t pixels, const cic_limits *limits) {
  const struct color_chunks chunks = find_chunks(input);
  const char *ignored = NULL, *problem = NULL;
  if (chunks.cicp.bytes != NULL) {
    ignored = read_numbers(chunks.cicp, color);
    if (ignored == NULL) return NULL;
  }
  if (chunks.iccp.bytes != NULL) {
    problem = read_profile(chunks.iccp, model, color, pixels, limits);
    if (ignored == NULL) ignored = problem;
    if (problem == NULL) return ignored;
  }
  if (chunks.srgb.bytes == NULL) read_gamma(&chunks, color);
  return ignored;
}

// Decodes one file at 160 pixels, with limits like those of the library. Fails if the decode takes more than a second or 64 MB of memory.
// The script `bombs` runs this program for each bomb.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "CImageCodecs.h"

static const cic_limits limits = {
    .pixels = 120000000, .width = 65535, .height = 65535, .scans = 100, .coefficient_bytes = 128 << 20, .held_bytes = 128 << 20};

typedef cic_status (*info_entry)(cic_input, cic_info *, char *);
typedef cic_status (*decode_entry)(cic_input, const cic_limits *, const cic_target *, cic_result *, char *);

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1000 + (double)time.tv_nsec / 1e6;
}

// Returns the peak memory so far, in kilobytes. getrusage would include programs that ran earlier in the same process.
static long peak(void) {
  long kilobytes = 0;
  char line[128];
  FILE *status = fopen("/proc/self/status", "r");
  while (status != NULL && fgets(line, sizeof line, status) != NULL) {
    if (sscanf(line, "VmHWM: %ld", &kilobytes) == 1) break;
  }
  if (status != NULL) fclose(status);
  return kilobytes;
}

int main(int count, char **arguments) {
  FILE *file = count == 3 ? fopen(arguments[2], "rb") : NULL;
  if (file == NULL || fseek(file, 0, SEEK_END) != 0) return 2;
  const size_t size = (size_t)ftell(file);
  uint8_t *bytes = malloc(size);
  rewind(file);
  if (bytes == NULL || fread(bytes, 1, size, file) != size) return 2;
  const char *format = arguments[1];
  const info_entry info = strcmp(format, "jpeg") == 0   ? cic_jpeg_info
                          : strcmp(format, "png") == 0  ? cic_png_info
                          : strcmp(format, "gif") == 0  ? cic_gif_info
                          : strcmp(format, "webp") == 0 ? cic_webp_info
                          : strcmp(format, "avif") == 0 ? cic_avif_info
                                                        : cic_heic_info;
  const decode_entry decode = strcmp(format, "jpeg") == 0   ? cic_jpeg_decode
                              : strcmp(format, "png") == 0  ? cic_png_decode
                              : strcmp(format, "gif") == 0  ? cic_gif_decode
                              : strcmp(format, "webp") == 0 ? cic_webp_decode
                              : strcmp(format, "avif") == 0 ? cic_avif_decode
                                                            : cic_heic_decode;
  const long before = peak();
  const double start = now();
  char message[CIC_MESSAGE_SIZE] = "read";
  cic_info found = {0};
  cic_result result = {0};
  cic_status status = info((cic_input){bytes, size}, &found, message);
  if (status == CIC_OK) {
    // Fits the image into 160 pixels, as the library does.
    const uint32_t longer = found.width > found.height ? found.width : found.height, side = longer < 160 ? longer : 160;
    cic_target target = {
        .width = (uint32_t)((uint64_t)found.width * side / longer), .height = (uint32_t)((uint64_t)found.height * side / longer)};
    if (target.width < 1) target.width = 1;
    if (target.height < 1) target.height = 1;
    target.rgba = malloc((size_t)target.width * target.height * 4);
    status = decode((cic_input){bytes, size}, &limits, &target, &result, message);
  }
  const double milliseconds = now() - start;
  const long grown = peak() - before;
  printf("%6.1f ms %6.1f MB  %s\n", milliseconds, (double)grown / 1024, message);
  return milliseconds > 1000 || grown > 64 << 10;
}

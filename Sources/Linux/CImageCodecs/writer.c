#include "writer.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

cic_status cic_out_of_memory(char *message) {
  cic_write_message(message, "out of memory");
  return CIC_NO_MEMORY;
}

bool cic_is_opaque(const uint8_t *rgba, size_t pixels) {
  for (size_t i = 0; i < pixels; i++) {
    if (rgba[i * 4 + 3] != 0xFF) return false;
  }
  return true;
}

static cic_status check(const struct writer_format *format, const cic_writing *writing, char *message) {
  if (writing->is_animated && format->is_still) {
    snprintf(message, CIC_MESSAGE_SIZE, "%s with several images; the format has one image only", format->name);
    return CIC_UNSUPPORTED;
  }
  if (writing->width < 1 || writing->height < 1) {
    snprintf(message, CIC_MESSAGE_SIZE, "%s without pixels", format->name);
    return CIC_UNSUPPORTED;
  }
  if (writing->width <= format->longest_side && writing->height <= format->longest_side) return CIC_OK;
  snprintf(message, CIC_MESSAGE_SIZE,
           "%s of %" PRIu32 " × %" PRIu32 " pixels; the longest side that can be written has %" PRIu32 " pixels", format->name,
           writing->width, writing->height, format->longest_side);
  return CIC_TOO_LARGE;
}

static bool copy_exif(cic_writer *writer) {
  cic_writing *writing = &writer->writing;
  const uint8_t *exif = writing->exif;
  if (exif == NULL || writing->exif_count > CIC_MAX_EXIF) writing->exif_count = 0;
  writing->exif = NULL;
  if (writing->exif_count == 0) return true;
  writer->exif = malloc(writing->exif_count);
  if (writer->exif == NULL) return false;
  memcpy(writer->exif, exif, writing->exif_count);
  writing->exif = writer->exif;
  return true;
}

cic_status cic_writer_open(const struct writer_format *format, const cic_writing *writing, cic_writer **writer, char *message) {
  *writer = NULL;
  cic_status status = check(format, writing, message);
  if (status != CIC_OK) return status;
  cic_writer *opened = calloc(1, format->size);
  if (opened == NULL) return cic_out_of_memory(message);
  opened->format = format;
  opened->writing = *writing;
  if (writing->quality < 1) opened->writing.quality = 1;
  if (writing->quality > 100) opened->writing.quality = 100;
  status = copy_exif(opened) ? CIC_OK : cic_out_of_memory(message);
  if (status == CIC_OK && format->start != NULL) status = format->start(opened, message);
  if (status == CIC_OK) {
    *writer = opened;
  } else {
    cic_writer_close(opened);
  }
  return status;
}

cic_status cic_writer_add(cic_writer *writer, const uint8_t *rgba, uint32_t milliseconds, char *message) {
  if (writer->is_done || (writer->images > 0 && !writer->writing.is_animated)) {
    snprintf(message, CIC_MESSAGE_SIZE, "%s with more images than announced", writer->format->name);
    return CIC_UNSUPPORTED;
  }
  const cic_status status = writer->format->add(writer, rgba, milliseconds, message);
  writer->images++;
  writer->is_done = status != CIC_OK;
  return status;
}

cic_status cic_writer_finish(cic_writer *writer, cic_output *output, char *message) {
  *output = (cic_output){0};
  if (writer->is_done || writer->images == 0) {
    snprintf(message, CIC_MESSAGE_SIZE, "%s without an image", writer->format->name);
    return CIC_UNSUPPORTED;
  }
  writer->is_done = true;
  const cic_status status = writer->format->finish == NULL ? CIC_OK : writer->format->finish(writer, message);
  if (status != CIC_OK) return status;
  *output = writer->output;
  writer->output = (cic_output){0};
  return CIC_OK;
}

void cic_writer_close(cic_writer *writer) {
  if (writer == NULL) return;
  if (writer->format->end != NULL) writer->format->end(writer);
  free(writer->exif);
  cic_output_free(&writer->output);
  free(writer);
}

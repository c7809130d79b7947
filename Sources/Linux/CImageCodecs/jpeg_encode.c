#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include "libraries.h"

#include <jpeglib.h>

#include <jerror.h>

#include "support.h"

// After longjmp, local variables of the function that called setjmp may be undefined. So the caller of that function owns this structure.
// The structure has its own destination, because libjpeg's memory destination loses its buffer after a failure.
struct jpeg_writer {
  struct jpeg_compress_struct jpeg;
  struct jpeg_error_mgr errors;
  struct jpeg_destination_mgr destination;
  jmp_buf escape;
  cic_status status;
  char *message;
  cic_output *output;
  uint8_t *row;
};

static void on_error(j_common_ptr jpeg) {
  struct jpeg_writer *writer = jpeg->client_data;
  char text[JMSG_LENGTH_MAX];
  jpeg->err->format_message(jpeg, text);
  cic_write_message(writer->message, text);
  writer->status = jpeg->err->msg_code == JERR_OUT_OF_MEMORY ? CIC_NO_MEMORY : CIC_UNSUPPORTED;
  longjmp(writer->escape, 1);
}

static void on_message(j_common_ptr jpeg, int level) {
  (void)jpeg;
  (void)level;
}

static void print_nothing(j_common_ptr jpeg) { (void)jpeg; }

static void offer_space(j_compress_ptr jpeg) {
  struct jpeg_writer *writer = jpeg->client_data;
  cic_output *output = writer->output;
  if (!cic_output_reserve(output, 4096)) ERREXIT1(jpeg, JERR_OUT_OF_MEMORY, 0);
  jpeg->dest->next_output_byte = output->bytes + output->count;
  jpeg->dest->free_in_buffer = output->capacity - output->count;
}

static boolean destination_full(j_compress_ptr jpeg) {
  struct jpeg_writer *writer = jpeg->client_data;
  writer->output->count = writer->output->capacity;
  offer_space(jpeg);
  return TRUE;
}

static void destination_end(j_compress_ptr jpeg) {
  struct jpeg_writer *writer = jpeg->client_data;
  writer->output->count = writer->output->capacity - jpeg->dest->free_in_buffer;
}

static void run_encode(struct jpeg_writer *writer, const uint8_t *rgba, uint32_t width, uint32_t height, int quality) {
  if (setjmp(writer->escape)) return;
  struct jpeg_compress_struct *jpeg = &writer->jpeg;
  jpeg->err = jpeg_std_error(&writer->errors);
  writer->errors.error_exit = on_error;
  writer->errors.emit_message = on_message;
  writer->errors.output_message = print_nothing;
  jpeg->client_data = writer;
  jpeg_create_compress(jpeg);
  writer->destination.init_destination = offer_space;
  writer->destination.empty_output_buffer = destination_full;
  writer->destination.term_destination = destination_end;
  jpeg->dest = &writer->destination;

  jpeg->image_width = width;
  jpeg->image_height = height;
  jpeg->input_components = 4;
  jpeg->in_color_space = JCS_EXT_RGBX;
  jpeg_set_defaults(jpeg);
  jpeg_set_quality(jpeg, quality, TRUE);
  jpeg_start_compress(jpeg, TRUE);
  writer->row = malloc((size_t)width * 4);
  if (writer->row == NULL) ERREXIT1(jpeg, JERR_OUT_OF_MEMORY, 0);
  while (jpeg->next_scanline < height) {
    const uint8_t *pixel = rgba + (size_t)jpeg->next_scanline * width * 4;
    JSAMPROW row = writer->row;
    for (size_t i = 0; i < (size_t)width * 4; i += 4) {
      const uint32_t alpha = pixel[i + 3];
      for (size_t c = i; c < i + 3; c++) row[c] = (uint8_t)((pixel[c] * alpha + 255 * (255 - alpha) + 127) / 255);
      row[i + 3] = 0xFF;
    }
    jpeg_write_scanlines(jpeg, &row, 1);
  }
  jpeg_finish_compress(jpeg);
}

cic_status cic_jpeg_encode(const uint8_t *rgba, uint32_t width, uint32_t height, int quality, cic_output *output, char *message) {
  *output = (cic_output){0};
  struct jpeg_writer writer = {.message = message, .output = output};
  run_encode(&writer, rgba, width, height, quality);
  jpeg_destroy_compress(&writer.jpeg);
  free(writer.row);
  if (writer.status != CIC_OK) cic_output_free(output);
  return writer.status;
}

#include <setjmp.h>
#include <stdlib.h>

#include "libraries.h"

#include <stdio.h>

#include <jpeglib.h>

#include <jerror.h>

#include "writer.h"

// After longjmp, local variables of the function that called setjmp may be undefined. So they are in this structure. It has its own
// destination, because libjpeg's memory destination loses its buffer after a failure.
struct jpeg_writer {
  cic_writer base;
  struct jpeg_compress_struct jpeg;
  struct jpeg_error_mgr errors;
  struct jpeg_destination_mgr destination;
  jmp_buf escape;
  cic_status status;
  char *message;
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
  cic_output *output = &((struct jpeg_writer *)jpeg->client_data)->base.output;
  if (!cic_output_reserve(output, 4096)) ERREXIT1(jpeg, JERR_OUT_OF_MEMORY, 0);
  jpeg->dest->next_output_byte = output->bytes + output->count;
  jpeg->dest->free_in_buffer = output->capacity - output->count;
}

static boolean destination_full(j_compress_ptr jpeg) {
  cic_output *output = &((struct jpeg_writer *)jpeg->client_data)->base.output;
  output->count = output->capacity;
  offer_space(jpeg);
  return TRUE;
}

static void destination_end(j_compress_ptr jpeg) {
  cic_output *output = &((struct jpeg_writer *)jpeg->client_data)->base.output;
  output->count = output->capacity - jpeg->dest->free_in_buffer;
}

// EXIF is a marker APP1 that begins with "Exif" and two zero bytes (CIPA DC-008, 4.7.2). A marker has at most 65,533 bytes.
static void write_exif(j_compress_ptr jpeg, const cic_writing *writing) {
  static const uint8_t prefix[] = {'E', 'x', 'i', 'f', 0, 0};
  enum { most = 65533 - sizeof prefix };
  if (writing->exif_count == 0 || writing->exif_count > most) return;
  jpeg_write_m_header(jpeg, JPEG_APP0 + 1, (unsigned)(sizeof prefix + writing->exif_count));
  for (size_t i = 0; i < sizeof prefix; i++) jpeg_write_m_byte(jpeg, prefix[i]);
  for (size_t i = 0; i < writing->exif_count; i++) jpeg_write_m_byte(jpeg, writing->exif[i]);
}

static void compose_over_white(uint8_t *row, const uint8_t *pixel, size_t count) {
  for (size_t i = 0; i < count * 4; i += 4) {
    const uint32_t alpha = pixel[i + 3];
    for (size_t c = i; c < i + 3; c++) row[c] = (uint8_t)((pixel[c] * alpha + 255 * (255 - alpha) + 127) / 255);
    row[i + 3] = 0xFF;
  }
}

// Huffman tables that are made for the image save 3% of a photo's bytes. For 320 × 240 pixels, they take 0.3 ms. They require memory for
// all coefficients, which is three bytes per pixel. So large images get the standard tables.
enum { most_pixels_with_own_tables = 4 << 20 };

static void run_encode(struct jpeg_writer *writer, const uint8_t *rgba) {
  if (setjmp(writer->escape)) return;
  struct jpeg_compress_struct *jpeg = &writer->jpeg;
  const cic_writing *writing = &writer->base.writing;
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

  jpeg->image_width = writing->width;
  jpeg->image_height = writing->height;
  jpeg->input_components = 4;
  jpeg->in_color_space = JCS_EXT_RGBX;
  jpeg_set_defaults(jpeg);
  jpeg_set_quality(jpeg, writing->quality, TRUE);
  jpeg->optimize_coding = (uint64_t)writing->width * writing->height <= most_pixels_with_own_tables;
  jpeg_start_compress(jpeg, TRUE);
  write_exif(jpeg, writing);
  writer->row = malloc((size_t)writing->width * 4);
  if (writer->row == NULL) ERREXIT1(jpeg, JERR_OUT_OF_MEMORY, 0);
  while (jpeg->next_scanline < writing->height) {
    const uint8_t *pixels = rgba + (size_t)jpeg->next_scanline * writing->width * 4;
    // libjpeg does not change the rows that it reads.
    JSAMPROW row = (JSAMPROW)pixels;
    if (!cic_is_opaque(pixels, writing->width)) {
      compose_over_white(writer->row, pixels, writing->width);
      row = writer->row;
    }
    jpeg_write_scanlines(jpeg, &row, 1);
  }
  jpeg_finish_compress(jpeg);
}

static cic_status add(cic_writer *base, const uint8_t *rgba, uint32_t milliseconds, char *message) {
  (void)milliseconds;
  struct jpeg_writer *writer = (struct jpeg_writer *)base;
  writer->message = message;
  run_encode(writer, rgba);
  return writer->status;
}

static void end(cic_writer *base) {
  struct jpeg_writer *writer = (struct jpeg_writer *)base;
  jpeg_destroy_compress(&writer->jpeg);
  free(writer->row);
}

cic_status cic_jpeg_writer(const cic_writing *writing, cic_writer **writer, char *message) {
  static const struct writer_format format = {
      .name = "a JPEG", .longest_side = JPEG_MAX_DIMENSION, .is_still = true, .size = sizeof(struct jpeg_writer), .add = add, .end = end};
  return cic_writer_open(&format, writing, writer, message);
}

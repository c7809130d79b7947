#include <stdlib.h>
#include <string.h>

#include "gif_reader.h"
#include "rows.h"

static void fill_info(struct gif_reader *reader, const struct gif_survey *survey, cic_info *info) {
  *info = (cic_info){
      .width = reader->width,
      .height = reader->height,
      .orientation = 1,
      .progressive = reader->frame.interlaced,
      .components = 3,
      .bits = reader->gif->SColorResolution,
      .frames = survey->frames > 0 ? survey->frames : 1,
      .plays = reader->plays,
  };
}

cic_status cic_gif_info(cic_input input, cic_info *info, char *message) {
  struct gif_reader reader;
  const cic_status status = cic_gif_open(&reader, input, message);
  if (status == CIC_OK) {
    const struct gif_survey survey = cic_gif_survey(&reader, CIC_MAX_COUNTED_FRAMES);
    fill_info(&reader, &survey, info);
  }
  cic_gif_close(&reader);
  return status;
}

static cic_status check(struct gif_reader *reader, const cic_limits *limits, const cic_target *target) {
  const cic_status status = cic_check_target(limits, reader->width, reader->height, target, reader->message);
  if (status != CIC_OK) return status;
  // A frame may be larger than its canvas. Such a frame is cropped, but pixels outside of the canvas have to be read, too.
  if (!cic_within_limits(limits, reader->frame.width, reader->frame.height, reader->message)) return CIC_TOO_LARGE;
  if (!reader->input.is_beginning && !cic_gif_survey(reader, UINT32_MAX).complete) {
    cic_write_message(reader->message, "the GIF data ends before the image does");
    return CIC_TRUNCATED;
  }
  return CIC_OK;
}

struct gif_still {
  struct gif_reader reader;
  struct rows rows;
  uint8_t *line;     // one row of indices, as wide as the frame
  uint8_t *indices;  // all visible indices of an interlaced frame
  uint8_t *has_row;  // whether each row of an interlaced frame has arrived
  bool is_cut;      // the end of a partial input was reached
  bool lacks_rows;  // the frame ends before its last row
};

static cic_status read_row(struct gif_still *still, bool *ended) {
  const cic_status status = cic_gif_read_row(&still->reader, still->line, ended);
  // If the input is the beginning of a file, the rows that have arrived can be shown.
  if (status != CIC_TRUNCATED || !still->reader.input.is_beginning || still->reader.rows == 0) return status;
  *ended = still->is_cut = true;
  return CIC_OK;
}

static cic_status read_interlaced(struct gif_still *still, const cic_limits *limits) {
  struct gif_reader *reader = &still->reader;
  const struct gif_frame *frame = &reader->frame;
  if (!cic_may_hold(limits, frame->visible_width, frame->visible_height, 1, reader->message)) return CIC_TOO_LARGE;
  still->indices = malloc((size_t)frame->visible_width * frame->visible_height + 1);
  still->has_row = calloc((size_t)frame->visible_height + 1, 1);
  if (still->indices == NULL || still->has_row == NULL) return CIC_NO_MEMORY;
  for (uint32_t i = 0; i < cic_gif_needed_rows(frame); i++) {
    bool ended = false;
    const cic_status status = read_row(still, &ended);
    if (status != CIC_OK) return status;
    if (ended) return CIC_OK;
    const uint32_t y = cic_gif_row(frame, i);
    if (y >= frame->visible_height) continue;
    memcpy(still->indices + (size_t)y * frame->visible_width, still->line, frame->visible_width);
    still->has_row[y] = 1;
  }
  return CIC_OK;
}

// Returns the row to show at the position `number`. In a partial file, a missing row is replaced with the nearest row above it that has
// arrived. That row is at most seven rows higher, because the first pass delivers every eighth row.
static uint32_t shown_row(const struct gif_still *still, uint32_t number) {
  const uint32_t most = !still->reader.input.is_beginning ? 0 : number < 7 ? number : 7;
  for (uint32_t back = 0; back <= most; back++) {
    if (still->has_row[number - back] != 0) return number - back;
  }
  return number;
}

// Writes a row of the canvas. Pixels outside of the frame are transparent. If `indices` is NULL, the frame has no pixels in this row.
static void color_row(const struct gif_reader *reader, const uint8_t *indices, uint8_t *rgba) {
  const struct gif_frame *frame = &reader->frame;
  const uint32_t width = indices == NULL ? 0 : frame->visible_width;
  if (width < reader->width) memset(rgba, 0, (size_t)reader->width * 4);
  for (size_t x = 0; x < width; x++) memcpy(rgba + (frame->left + x) * 4, frame->palette[indices[x]], 4);
}

// Whether the frame covers every pixel of the canvas with an opaque pixel. Read the rows of an interlaced frame before this call, because
// the frame covers less if rows are missing.
static bool covers_all(const struct gif_reader *reader) {
  const struct gif_frame *frame = &reader->frame;
  if (frame->interlaced && reader->rows < cic_gif_needed_rows(frame)) return false;
  return frame->transparent < 0 && frame->visible_width == reader->width && frame->visible_height == reader->height;
}

static cic_status decode_still(struct gif_still *still, const cic_limits *limits, const cic_target *target) {
  struct gif_reader *reader = &still->reader;
  const struct gif_frame *frame = &reader->frame;
  cic_status status = check(reader, limits, target);
  if (status != CIC_OK) return status;
  still->line = malloc((size_t)frame->width + 1);
  if (still->line == NULL) return CIC_NO_MEMORY;
  const bool is_visible = frame->visible_height > 0;
  if (is_visible && frame->interlaced) {
    status = read_interlaced(still, limits);
    if (status != CIC_OK) return status;
  }
  const bool has_alpha = still->lacks_rows || !covers_all(reader);
  if (!cic_rows_start(&still->rows, cic_whole_pixels(reader->width, reader->height), has_alpha, NULL, target)) return CIC_NO_MEMORY;
  bool ended = !is_visible;
  for (uint32_t y = 0; y < reader->height; y++) {
    const uint8_t *indices = NULL;
    const uint32_t number = y - frame->top;
    if (y >= frame->top && number < frame->visible_height && !ended) {
      if (frame->interlaced) {
        const uint32_t shown = shown_row(still, number);
        if (still->has_row[shown] != 0) indices = still->indices + (size_t)shown * frame->visible_width;
      } else {
        status = read_row(still, &ended);
        if (status != CIC_OK) return status;
        if (still->is_cut) return cic_rows_leave(&still->rows) ? CIC_OK : CIC_TRUNCATED;
        if (ended) still->lacks_rows = true; else indices = still->line;
      }
    }
    color_row(reader, indices, cic_rows_next(&still->rows));
    cic_rows_add(&still->rows);
  }
  return CIC_OK;
}

static void close_still(struct gif_still *still) {
  cic_gif_close(&still->reader);
  cic_rows_end(&still->rows);
  free(still->line);
  free(still->indices);
  free(still->has_row);
}

static cic_status open_and_decode(
    struct gif_still *still, cic_input input, const cic_limits *limits, const cic_target *target, char *message) {
  const cic_status status = cic_gif_open(&still->reader, input, message);
  return status == CIC_OK ? decode_still(still, limits, target) : status;
}

cic_status cic_gif_decode(cic_input input, const cic_limits *limits, const cic_target *target, cic_result *result, char *message) {
  struct gif_still still = {0};
  cic_status status = open_and_decode(&still, input, limits, target, message);
  if (status == CIC_OK && still.lacks_rows && still.rows.reducer.is_opaque) {
    // The available rows were reduced without alpha, although missing rows are transparent. Reads the rows again, with alpha.
    close_still(&still);
    still = (struct gif_still){.lacks_rows = true};
    status = open_and_decode(&still, input, limits, target, message);
  }
  if (status == CIC_OK && !input.is_beginning) status = cic_gif_check_rows(&still.reader, &result->missing);
  if (status == CIC_NO_MEMORY) cic_write_message(message, "out of memory");
  result->warnings = still.reader.warnings;
  close_still(&still);
  return status;
}

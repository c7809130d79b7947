#include "gif_reader.h"

#include <stdio.h>
#include <string.h>

// The format is GIF89a (CompuServe, 1990). A block consists of a byte for its kind, content that depends on the kind, and sub-blocks. A
// sub-block consists of one byte with a length, and data of this length. A sub-block with a length of 0 is the last one.

enum { extension_block = '!', image_block = ',' };

// Moves past the sub-blocks that begin at `position`. Returns false if they are truncated.
static bool skip_sub_blocks(cic_input input, size_t *position) {
  while (*position < input.count) {
    const size_t length = input.bytes[*position];
    *position += 1 + length;
    if (length == 0) return true;
  }
  return false;
}

static uint32_t u16(const uint8_t *p) { return (uint32_t)p[0] | (uint32_t)p[1] << 8; }

static size_t table_size(uint8_t flags) { return (flags & 0x80) != 0 ? (size_t)3 << ((flags & 7) + 1) : 0; }

struct gif_survey cic_gif_survey(const struct gif_reader *reader, uint32_t most_frames) {
  enum { header_size = 13, flags_at = 10 };
  const cic_input input = reader->input;
  struct gif_survey survey = {.complete = true};
  size_t position = header_size + table_size(input.bytes[flags_at]);
  while (position < input.count && survey.frames < most_frames) {
    const uint8_t kind = input.bytes[position++];
    switch (kind) {
      case 0: continue;  // some writers end their sub-blocks twice
      case extension_block: position += 1; break;
      case image_block: {
        if (position > input.count || input.count - position < 10) {
          survey.complete = false;
          return survey;
        }
        const uint8_t *description = input.bytes + position;
        position += 9 + table_size(description[8]) + 1;
        survey.frames++;
        break;
      }
      default: return survey;  // the trailer, or data unrelated to the image
    }
    if (!skip_sub_blocks(input, &position)) {
      // If only the final length of 0 is missing, after the only frame, the file counts as complete. Reading the frame shows whether more
      // is missing.
      survey.complete = kind == image_block && survey.frames == 1 && position == input.count;
      return survey;
    }
  }
  return survey;
}

static int read_bytes(GifFileType *gif, GifByteType *bytes, int count) {
  struct gif_reader *reader = gif->UserData;
  const size_t left = reader->position < reader->input.count ? reader->input.count - reader->position : 0;
  if (count < 0 || (size_t)count > left) {
    // giflib reads the end of an extension even if it already has the data. Supply a length of 0, which is such an end.
    if (count != 1 || reader->ended) return 0;
    reader->ended = true;
    *bytes = 0;
    return 1;
  }
  memcpy(bytes, reader->input.bytes + reader->position, (size_t)count);
  reader->position += (size_t)count;
  return count;
}

static cic_status fail(struct gif_reader *reader, const char *text) {
  if (reader->ended || reader->gif == NULL || reader->gif->Error == D_GIF_ERR_READ_FAILED) {
    cic_write_message(reader->message, "the GIF data ends before the image does");
    return CIC_TRUNCATED;
  }
  if (reader->gif->Error == D_GIF_ERR_NOT_ENOUGH_MEM) {
    cic_write_message(reader->message, "out of memory");
    return CIC_NO_MEMORY;
  }
  cic_write_message(reader->message, text);
  return CIC_CORRUPT;
}

static void read_control(struct gif_frame *frame, const GifByteType *extension) {
  GraphicsControlBlock block;
  if (DGifExtensionToGCB(extension[0], extension + 1, &block) != GIF_OK) return;
  frame->transparent = block.TransparentColor;
  frame->milliseconds = cic_shown_for((uint32_t)block.DelayTime * 10);
  // Old writers use 4 where the standard says 3.
  frame->disposal = block.DisposalMode == 2                               ? gif_clear
                    : block.DisposalMode == 3 || block.DisposalMode == 4 ? gif_restore
                                                                          : gif_keep;
}

static cic_status read_extension(struct gif_reader *reader) {
  int code = 0;
  GifByteType *block = NULL;
  bool counts_plays = false;
  if (DGifGetExtension(reader->gif, &code, &block) == GIF_ERROR) return fail(reader, "an extension of the GIF is broken");
  for (int number = 0; block != NULL; number++) {
    if (code == GRAPHICS_EXT_FUNC_CODE && number == 0) {
      read_control(&reader->frame, block);
    } else if (code == APPLICATION_EXT_FUNC_CODE && number == 0) {
      counts_plays = block[0] == 11 && (memcmp(block + 1, "NETSCAPE2.0", 11) == 0 || memcmp(block + 1, "ANIMEXTS1.0", 11) == 0);
    } else if (counts_plays && block[0] >= 3 && (block[1] & 7) == 1) {
      // The block has the number of times that the animation repeats after it has played once.
      const uint32_t again = u16(block + 2);
      reader->plays = again == 0 ? 0 : again + 1;
    }
    if (DGifGetExtensionNext(reader->gif, &block) == GIF_ERROR) return fail(reader, "an extension of the GIF is broken");
  }
  return CIC_OK;
}

static void read_palette(struct gif_reader *reader) {
  struct gif_frame *frame = &reader->frame;
  const ColorMapObject *map = reader->gif->Image.ColorMap != NULL ? reader->gif->Image.ColorMap : reader->gif->SColorMap;
  for (int i = 0; i < 256; i++) {
    uint8_t *color = frame->palette[i];
    // If a file has no color table, an index is a shade of gray. An index beyond the end of a color table is black.
    memset(color, map == NULL ? i : 0, 3);
    color[3] = 0xFF;
    if (map == NULL || i >= map->ColorCount) continue;
    color[0] = map->Colors[i].Red;
    color[1] = map->Colors[i].Green;
    color[2] = map->Colors[i].Blue;
  }
  if (frame->transparent >= 0 && frame->transparent < 256) memset(frame->palette[frame->transparent], 0, 4);
}

static uint32_t inside(uint32_t start, uint32_t length, uint32_t whole) {
  return start >= whole ? 0 : length < whole - start ? length : whole - start;
}

// Fails if the codes of single pixels have more than 8 bits, which GIF89a (appendix F) does not allow. giflib would treat such a code size
// as the end of the data.
static cic_status check_code_size(struct gif_reader *reader) {
  enum { flags_at = 8, description_size = 9, most = 8 };
  const size_t left = reader->input.count - reader->position;
  if (left <= description_size) return CIC_OK;
  const uint8_t *description = reader->input.bytes + reader->position;
  const size_t place = description_size + table_size(description[flags_at]);
  if (place >= left || description[place] <= most) return CIC_OK;
  snprintf(reader->message, CIC_MESSAGE_SIZE, "a GIF with a minimum LZW code size of %d bits; at most %d are allowed",
           description[place], most);
  return CIC_UNSUPPORTED;
}

static cic_status read_frame(struct gif_reader *reader) {
  const cic_status status = check_code_size(reader);
  if (status != CIC_OK) return status;
  if (DGifGetImageDesc(reader->gif) == GIF_ERROR) return fail(reader, "the header of a frame of the GIF is broken");
  struct gif_frame *frame = &reader->frame;
  const GifImageDesc *image = &reader->gif->Image;
  frame->left = (uint32_t)image->Left;
  frame->top = (uint32_t)image->Top;
  frame->width = (uint32_t)image->Width;
  frame->height = (uint32_t)image->Height;
  frame->interlaced = image->Interlace;
  frame->data = reader->position;
  cic_gif_lzw_start(&reader->pixels, reader->input, frame->data, reader->ended ? 0 : reader->input.bytes[frame->data - 1]);
  read_palette(reader);
  if (reader->width == 0 || reader->height == 0) {
    reader->width = frame->left + frame->width;
    reader->height = frame->top + frame->height;
  }
  frame->visible_width = inside(frame->left, frame->width, reader->width);
  frame->visible_height = frame->visible_width > 0 ? inside(frame->top, frame->height, reader->height) : 0;
  reader->frames++;
  reader->rows = 0;
  return CIC_OK;
}

cic_status cic_gif_next_frame(struct gif_reader *reader, bool *ended) {
  *ended = false;
  reader->frame = (struct gif_frame){.disposal = gif_keep, .transparent = -1, .milliseconds = cic_shown_for(0)};
  for (;;) {
    GifRecordType kind = UNDEFINED_RECORD_TYPE;
    if (DGifGetRecordType(reader->gif, &kind) == GIF_ERROR) {
      // Some writers end their sub-blocks twice. giflib reports an error for the second 0, so this loop skips it.
      const bool is_second_end = !reader->ended && reader->input.bytes[reader->position - 1] == 0;
      if (is_second_end) continue;
      if (reader->frames == 0) return fail(reader, "the GIF has no frame");
      // Data after the last frame does not belong to the image, and the trailer may be missing.
      kind = TERMINATE_RECORD_TYPE;
    }
    switch (kind) {
      case IMAGE_DESC_RECORD_TYPE: return read_frame(reader);
      case EXTENSION_RECORD_TYPE: {
        const cic_status status = read_extension(reader);
        if (status != CIC_OK) return status;
        break;
      }
      default:
        *ended = true;
        return CIC_OK;
    }
  }
}

cic_status cic_gif_open(struct gif_reader *reader, cic_input input, char *message) {
  *reader = (struct gif_reader){.input = input, .message = message, .plays = 1};
  int error = 0;
  reader->gif = DGifOpen(reader, read_bytes, &error);
  if (reader->gif == NULL) {
    const bool is_short = reader->ended || error == D_GIF_ERR_READ_FAILED || error == D_GIF_ERR_NO_SCRN_DSCR;
    cic_write_message(message, is_short ? "the GIF data ends within its header" : "the GIF's header is broken");
    return is_short ? CIC_TRUNCATED : error == D_GIF_ERR_NOT_ENOUGH_MEM ? CIC_NO_MEMORY : CIC_CORRUPT;
  }
  reader->width = (uint32_t)reader->gif->SWidth;
  reader->height = (uint32_t)reader->gif->SHeight;
  bool ended = false;
  const cic_status status = cic_gif_next_frame(reader, &ended);
  if (status != CIC_OK) return status;
  if (!ended && reader->width > 0 && reader->height > 0) return CIC_OK;
  cic_write_message(message, ended ? "the GIF has no frame" : "the GIF has no pixels");
  return CIC_CORRUPT;
}

void cic_gif_close(struct gif_reader *reader) {
  int error = 0;
  if (reader->gif != NULL) DGifCloseFile(reader->gif, &error);
  reader->gif = NULL;
}

void cic_gif_skip_pixels(struct gif_reader *reader) {
  reader->position = reader->frame.data;
  skip_sub_blocks(reader->input, &reader->position);
}

bool cic_gif_lacks_data(const struct gif_reader *reader) {
  return reader->frame.data < reader->input.count && reader->input.bytes[reader->frame.data] == 0;
}

cic_status cic_gif_read_row(struct gif_reader *reader, uint8_t *indices, bool *ended) {
  *ended = false;
  if (cic_gif_lzw_read(&reader->pixels, indices, reader->frame.width)) {
    reader->rows++;
    return CIC_OK;
  }
  size_t end = reader->frame.data;
  if (reader->pixels.end == gif_lzw_cut_off || !skip_sub_blocks(reader->input, &end)) {
    cic_write_message(reader->message, "the GIF data ends before the image does");
    return CIC_TRUNCATED;
  }
  // The pixels ended before the last row, at an end code, at the end of the sub-blocks, or at a damaged code. The rest of the frame stays
  // unchanged.
  reader->warnings++;
  *ended = true;
  return CIC_OK;
}

uint32_t cic_gif_needed_rows(const struct gif_frame *frame) {
  return frame->visible_height == 0 ? 0 : frame->interlaced ? frame->height : frame->visible_height;
}

cic_status cic_gif_check_rows(const struct gif_reader *reader, double *missing) {
  const uint64_t needed = cic_gif_needed_rows(&reader->frame), rows = reader->rows;
  if (rows >= needed) return CIC_OK;
  *missing = (double)(needed - rows) / (double)needed;
  if (rows * 10 >= needed) return CIC_OK;
  cic_write_message(reader->message, "the GIF's pixels are damaged: fewer than a tenth of its rows can be read");
  return CIC_CORRUPT;
}

uint32_t cic_gif_row(const struct gif_frame *frame, uint32_t number) {
  if (!frame->interlaced) return number;
  static const uint32_t starts[] = {0, 4, 2, 1}, steps[] = {8, 8, 4, 2};
  for (int pass = 0; pass < 4; pass++) {
    if (starts[pass] >= frame->height) continue;
    const uint32_t rows = (frame->height - starts[pass] + steps[pass] - 1) / steps[pass];
    if (number < rows) return starts[pass] + number * steps[pass];
    number -= rows;
  }
  return 0;
}

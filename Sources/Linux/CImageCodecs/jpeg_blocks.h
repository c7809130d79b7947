#ifndef CIC_JPEG_BLOCKS_H
#define CIC_JPEG_BLOCKS_H

#include <stdbool.h>
#include <stdio.h>

#include "libraries.h"

#include <jpeglib.h>

#include "support.h"

// The coefficients of a component in an image of several scans, in blocks of 64. libjpeg retains them from the first scan to the last.
//
// If a component is reduced to an eighth, libjpeg reads only the first coefficient of each block. So only these coefficients are stored,
// which takes 2 bytes for each block instead of 128. The rows that libjpeg has in use still consist of whole blocks.
//
// libjpeg declares this type without its contents, because each memory manager defines the contents. These are the contents for the memory
// manager of cic_jpeg_keep_blocks.
struct jvirt_barray_control {
  void *pages;
  size_t bytes;            // the size of the pages
  JDIMENSION columns;      // blocks in a row
  JDIMENSION height;       // rows of blocks
  JDIMENSION most;         // the largest number of rows in use at a time
  JBLOCKROW *rows;         // pointers to all rows, or only to the rows in use if `first` is not NULL
  JCOEF *first;            // the first coefficient of each block; NULL if all coefficients are stored
  JDIMENSION start;        // the number of the first row in use, if `first` is not NULL
  JDIMENSION count;        // the number of rows in use
};

// The blocks of one image. libjpeg's client_data points to them.
struct jpeg_blocks {
  void (*fail)(j_common_ptr jpeg, cic_status status, const char *text);  // ends the decode, and does not return
  bool keeps_first[MAX_COMPONENTS];  // for each component, whether only the first coefficient of each block is stored
  struct jvirt_barray_control arrays[MAX_COMPONENTS];
  int count;  // the number of arrays
};

// Makes libjpeg's memory manager store coefficients in the blocks. Call it before decompression starts.
void cic_jpeg_keep_blocks(struct jpeg_decompress_struct *jpeg);

void cic_jpeg_free_blocks(struct jpeg_blocks *blocks);

#endif

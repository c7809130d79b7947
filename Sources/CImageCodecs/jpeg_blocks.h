#ifndef CIC_JPEG_BLOCKS_H
#define CIC_JPEG_BLOCKS_H

#include <stdbool.h>
#include <stdio.h>

#include "libraries.h"

#include <jpeglib.h>

// The coefficients of a component in a picture of several scans, which libjpeg keeps from the first scan to the last: blocks of 64.
//
// Where a component is reduced to an eighth, only the first coefficient of each block is looked at, and only those are kept: two bytes
// instead of 128. The rows that libjpeg works on are whole blocks all the same.
//
// libjpeg leaves the contents of this type to its memory manager.
struct jvirt_barray_control {
  void *pages;
  size_t bytes;            // of the pages
  JDIMENSION columns;      // blocks in a row
  JDIMENSION height;       // rows of blocks
  JDIMENSION most;         // that are worked on at a time
  JBLOCKROW *rows;         // all of them, or those that are worked on
  JCOEF *first;            // of each block; NULL where all are kept
  JDIMENSION start;        // the first row that is worked on, where not all are kept
  JDIMENSION count;        // how many are
};

struct jpeg_blocks {
  bool keeps_first[MAX_COMPONENTS];  // of each block of a component, and no more
  struct jvirt_barray_control arrays[MAX_COMPONENTS];
  int count;  // of the arrays
};

// Has libjpeg's memory manager keep coefficients in the reader's blocks. Before decompression starts.
void cic_jpeg_keep_blocks(struct jpeg_decompress_struct *jpeg);

void cic_jpeg_free_blocks(struct jpeg_blocks *blocks);

#endif

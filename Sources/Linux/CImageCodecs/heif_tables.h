#ifndef CIC_HEIF_TABLES_H
#define CIC_HEIF_TABLES_H

#include "CImageCodecs.h"

// Whether the file's tables of items and chunks are so small that they are read in milliseconds, although libavif searches all items for
// each entry of a table, and the HEIC decoder searches all references for some of the items. Reads only the headers of boxes.
bool cic_heif_has_small_tables(cic_input input);

#endif

#ifndef CIC_AVIF_TABLES_H
#define CIC_AVIF_TABLES_H

#include "CImageCodecs.h"

// Whether the file's tables of items and chunks are small enough for libavif, which searches all items for each entry of a table, to read
// them in milliseconds. Reads only the headers of boxes.
bool cic_avif_has_small_tables(cic_input input);

#endif

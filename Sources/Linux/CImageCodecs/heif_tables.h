#ifndef CIC_HEIF_TABLES_H
#define CIC_HEIF_TABLES_H

#include "CImageCodecs.h"

// Whether the file's tables of items and chunks are small. For each entry of a table, libavif searches all items. For some of the items,
// the HEIC decoder searches all references. Small tables are nevertheless read in milliseconds. This function reads only the headers of
// boxes.
bool cic_heif_has_small_tables(cic_input input);

#endif

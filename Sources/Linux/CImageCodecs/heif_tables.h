#ifndef CIC_HEIF_TABLES_H
#define CIC_HEIF_TABLES_H

#include "CImageCodecs.h"

// Whether the file's tables of items and chunks are so small that libavif reads them in milliseconds, although it searches all items for
// each entry of a table. Reads only the headers of boxes.
bool cic_heif_has_small_tables(cic_input input);

#endif

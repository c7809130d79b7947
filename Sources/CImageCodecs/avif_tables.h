#ifndef CIC_AVIF_TABLES_H
#define CIC_AVIF_TABLES_H

#include "CImageCodecs.h"

// Whether the file's tables of items and of chunks are so small that libavif, which searches all items for each entry of a table, reads
// them in milliseconds. Reads the headers of boxes only.
bool cic_avif_has_small_tables(cic_input input);

#endif

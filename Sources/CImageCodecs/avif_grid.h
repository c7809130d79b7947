#ifndef CIC_AVIF_GRID_H
#define CIC_AVIF_GRID_H

#include "CImageCodecs.h"

// Puts the tiles of the file's grids in the order in which the grids refer to them. libavif before 1.1.1 composes them in the order in
// which the file mentions them first (libavif issue 2311).
//
// If the orders differ, `*input` becomes a copy in which they are the same; `*copy` owns it, and is NULL otherwise. The result is
// CIC_UNSUPPORTED if no such copy can be made.
cic_status cic_avif_order_tiles(cic_input *input, uint8_t **copy, char *message);

// A grid whose tiles have an alpha item each, which libavif before 1.0 leaves out: `*copy` becomes a copy of the file whose picture is the
// grid of those items. It stays NULL for all other files.
cic_status cic_avif_grid_of_alpha(cic_input input, uint8_t **copy, char *message);

#endif

#ifndef CIC_AVIF_GRID_H
#define CIC_AVIF_GRID_H

#include "CImageCodecs.h"

// Rearranges the tiles of the file's grids into the order in which the grids refer to them. libavif before 1.1.1 composes tiles in the
// order in which the file first mentions them (libavif issue 2311).
//
// If the orders differ, `*input` becomes a copy in which they are the same; `*copy` owns it, and is NULL otherwise. The result is
// CIC_UNSUPPORTED if no such copy can be made.
cic_status cic_avif_order_tiles(cic_input *input, uint8_t **copy, char *message);

// The number of tiles of all grids, which libavif before 1.0 decodes with a decoder for each.
uint32_t cic_avif_tiles(cic_input input);

// Handles a grid whose tiles have one alpha item each, which libavif before 1.0 ignores: `*copy` becomes a copy of the file whose image is
// the grid of those items. It stays NULL for all other files.
cic_status cic_avif_grid_of_alpha(cic_input input, uint8_t **copy, char *message);

#endif

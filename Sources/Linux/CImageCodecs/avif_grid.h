#ifndef CIC_AVIF_GRID_H
#define CIC_AVIF_GRID_H

#include "CImageCodecs.h"

// Rearranges the tiles of the file's grids into the order in which the grids refer to them. libavif before 1.1.1 composes tiles in the
// order in which the file first mentions them (libavif issue 2311).
//
// If the two orders differ, sets `*input` to a copy of the file in which they are the same. `*copy` then owns the memory of that copy,
// otherwise it stays NULL. Returns CIC_UNSUPPORTED if no such copy can be made.
cic_status cic_avif_order_tiles(cic_input *input, uint8_t **copy, char *message);

// Returns the number of tiles in all grids. libavif before 1.0 creates a decoder for each tile.
uint32_t cic_avif_tiles(cic_input input);

// If the image is a grid in which each tile has its own alpha item, sets `*copy` to a copy of the file in which the image is the grid of
// these alpha items. For all other files, `*copy` stays NULL. libavif before 1.0 ignores such alpha items.
cic_status cic_avif_grid_of_alpha(cic_input input, uint8_t **copy, char *message);

#endif

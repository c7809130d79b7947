#ifndef CIC_PNG_METADATA_H
#define CIC_PNG_METADATA_H

#include "CImageCodecs.h"

// The orientation of the image by its eXIf chunk or its XMP, wherever they are. Reads only the headers of chunks and those two chunks.
int cic_png_orientation(cic_input input);

#endif

#ifndef CIC_PNG_METADATA_H
#define CIC_PNG_METADATA_H

#include "CImageCodecs.h"

// How the picture is to be turned, by its eXIf chunk or its XMP, wherever they are. Reads the headers of chunks and those two only.
int cic_png_orientation(cic_input input);

#endif

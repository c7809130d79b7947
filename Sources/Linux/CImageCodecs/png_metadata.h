#ifndef CIC_PNG_METADATA_H
#define CIC_PNG_METADATA_H

#include "CImageCodecs.h"

// Returns the orientation in the eXIf chunk, in EXIF that is stored as text, or in XMP, wherever in the file they are. Reads only the
// headers of other chunks.
int cic_png_orientation(cic_input input);

#endif

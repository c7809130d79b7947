#ifndef CIC_PNG_METADATA_H
#define CIC_PNG_METADATA_H

#include "CImageCodecs.h"

// Returns the orientation in the eXIf chunk, in EXIF that is stored as text, or in XMP, wherever in the file they are. Reads only the
// headers of other chunks.
int cic_png_orientation(cic_input input);

// Computes the sRGB level of each stored color level, if the file's gAMA chunk describes levels other than those of sRGB. Returns false if
// the levels need no conversion, because the chunk is missing, because it describes nearly the same levels as sRGB, or because another
// chunk describes the colors.
bool cic_png_levels(cic_input input, uint8_t levels[256]);

#endif

#ifndef CIC_PNG_METADATA_H
#define CIC_PNG_METADATA_H

#include "CImageCodecs.h"

// The orientation of the image by its eXIf chunk, its EXIF as text, or its XMP, wherever they are. Of other chunks, reads only the headers.
int cic_png_orientation(cic_input input);

// How each color level is shown in sRGB, if the file's gAMA chunk says that its levels are others. Returns false if levels stay as they
// are: if the chunk is missing, says nearly the same as sRGB, or comes with another description of the colors.
bool cic_png_levels(cic_input input, uint8_t levels[256]);

#endif

#ifndef CIC_METADATA_H
#define CIC_METADATA_H

#include <stddef.h>
#include <stdint.h>

// How a picture is to be turned, 1 to 8; 0 where the metadata does not say so, or says something else.
int cic_exif_tag(const uint8_t *tiff, size_t count);

// The same of an XMP packet in UTF-8: its tiff:Orientation, an attribute or an element.
int cic_xmp_tag(const uint8_t *packet, size_t count);

// EXIF decides. XMP does only where EXIF has no such tag, as in Pillow's Image.getexif and Windows's System.Photo.Orientation. 1 where
// neither does.
int cic_orientation(int exif, int xmp);

#endif

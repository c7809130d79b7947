#ifndef CIC_METADATA_H
#define CIC_METADATA_H

#include <stddef.h>
#include <stdint.h>

// Returns the orientation in a TIFF structure, from 1 to 8. Returns 0 if the structure has no orientation, or an invalid orientation.
int cic_exif_tag(const uint8_t *tiff, size_t count);

// Returns the orientation in an XMP packet in UTF-8, from 1 to 8. Returns 0 if the packet has no orientation, or an invalid orientation.
// The property tiff:Orientation may be an attribute or an element.
int cic_xmp_tag(const uint8_t *packet, size_t count);

// Returns the orientation in EXIF if that is valid, otherwise the orientation in XMP, otherwise 1. EXIF also takes precedence in Pillow's
// Image.getexif and in Windows's System.Photo.Orientation.
int cic_orientation(int exif, int xmp);

#endif

#ifndef CIC_METADATA_H
#define CIC_METADATA_H

#include <stddef.h>
#include <stdint.h>

// The orientation of an image, 1 to 8; 0 if the metadata has none, or an invalid one.
int cic_exif_tag(const uint8_t *tiff, size_t count);

// The same for an XMP packet in UTF-8: its tiff:Orientation, an attribute or an element.
int cic_xmp_tag(const uint8_t *packet, size_t count);

// EXIF takes precedence. XMP counts only if EXIF has no such tag, as in Pillow's Image.getexif and Windows's System.Photo.Orientation. The
// result is 1 if neither has one.
int cic_orientation(int exif, int xmp);

#endif

#ifndef CIC_LIBRARIES_H
#define CIC_LIBRARIES_H

// Names the package of a library whose headers are missing, before the compiler reports the header that it cannot find. Include this file
// first wherever such a header is included.

#if !__has_include(<jpeglib.h>)
#error "libjpeg-turbo is missing; install the Debian package libjpeg-dev"
#endif
#if !__has_include(<png.h>)
#error "libpng is missing; install the Debian package libpng-dev"
#endif
#if !__has_include(<gif_lib.h>)
#error "giflib is missing; install the Debian package libgif-dev"
#endif
#if !__has_include(<webp/decode.h>)
#error "libwebp is missing; install the Debian package libwebp-dev"
#endif

#endif

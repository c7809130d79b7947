#ifndef CIC_LIBRARIES_H
#define CIC_LIBRARIES_H

// If the headers of a library are missing, stops the compiler with the name of the package to install, before it reports an unknown header.
// Include this file before any such header.

#if !__has_include(<jpeglib.h>)
#error "libjpeg-turbo is missing; install the Debian package libjpeg-dev"
#endif
#if !__has_include(<png.h>)
#error "libpng is missing; install the Debian package libpng-dev"
#endif
#if !__has_include(<gif_lib.h>)
#error "giflib is missing; install the Debian package libgif-dev"
#endif
#if !__has_include(<webp/decode.h>) || !__has_include(<webp/mux.h>)
#error "libwebp is missing; install the Debian package libwebp-dev"
#endif

#endif

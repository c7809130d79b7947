// zlib and brotli's decoder, which undo what libcurl would undo too, but without telling whether the end was there.
#ifndef FUTUREIMAGE_CCONTENTCODING_SHIM_H
#define FUTUREIMAGE_CCONTENTCODING_SHIM_H

#if !__has_include(<brotli/decode.h>)
#error "brotli is missing; install the Debian package libbrotli-dev"
#endif
#if !__has_include(<zlib.h>)
#error "zlib is missing; install the Debian package zlib1g-dev"
#endif
#include <brotli/decode.h>
#include <zlib.h>

// inflateInit2 is a macro. 15 is the largest window; 32 more takes the headers of gzip and of zlib.
static inline int ccoding_inflate_init(z_stream *stream) { return inflateInit2(stream, 15 + 32); }

#endif

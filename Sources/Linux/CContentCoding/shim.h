// zlib, and the decoder of brotli. This library decodes content codings itself, because libcurl, which could decode them, does not report
// whether the encoded data was complete.
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

// Wraps inflateInit2, which is a macro. 15 means the largest window. Adding 32 makes zlib accept the headers of both gzip and zlib.
static inline int ccoding_inflate_init(z_stream *stream) { return inflateInit2(stream, 15 + 32); }

#endif

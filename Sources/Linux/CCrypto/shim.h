// The digests of OpenSSL.
#ifndef FUTUREIMAGE_CCRYPTO_SHIM_H
#define FUTUREIMAGE_CCRYPTO_SHIM_H

#if !__has_include(<openssl/sha.h>)
#error "OpenSSL is missing; install the Debian package libssl-dev"
#endif
#include <openssl/sha.h>

#endif

/* SHA-256 (FIPS 180-4), and message authentication codes of it: HMAC (RFC 2104).  For greetings of a few
 * bytes, in programs that need no library of cryptography; not for bulk data. */
#ifndef MER_BASE_SHA256_H
#define MER_BASE_SHA256_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MER_SHA256_BYTES 32

struct mer_sha256 {
    uint32_t state[8];
    uint64_t length; /* bytes taken */
    unsigned char block[64];
};

void mer_sha256_begin(struct mer_sha256 *sha);
void mer_sha256_add(struct mer_sha256 *sha, const void *bytes, size_t n);
void mer_sha256_end(struct mer_sha256 *sha, unsigned char digest[MER_SHA256_BYTES]);

/* The code of n bytes under a key of 64 bytes at most. */
void mer_hmac_sha256(const void *key, size_t key_bytes, const void *bytes, size_t n,
                     unsigned char code[MER_SHA256_BYTES]);

/* Compares n bytes, in a time that does not depend on where they differ. */
bool mer_equal_in_constant_time(const void *a, const void *b, size_t n);

#endif

/* SHA-256 as FIPS 180-4 writes it, without regard to speed. */
#include "base/sha256.h"

#include <string.h>

#define BLOCK 64 /* bytes */

/* The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotate(uint32_t x, int n) { return x >> n | x << (32 - n); }

/* The schedule of a block's 64 words. */
static void schedule(const unsigned char *block, uint32_t w[64]) {
    for (int i = 0; i < 16; i++)
        w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
               (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
    for (int i = 16; i < 64; i++) {
        uint32_t s0 = rotate(w[i - 15], 7) ^ rotate(w[i - 15], 18) ^ w[i - 15] >> 3;
        uint32_t s1 = rotate(w[i - 2], 17) ^ rotate(w[i - 2], 19) ^ w[i - 2] >> 10;
        w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
}

static void compress(uint32_t state[8], const unsigned char *block) {
    uint32_t w[64], v[8]; /* v: a to h */
    schedule(block, w);
    memcpy(v, state, sizeof v);
    for (int i = 0; i < 64; i++) {
        uint32_t s1 = rotate(v[4], 6) ^ rotate(v[4], 11) ^ rotate(v[4], 25);
        uint32_t choice = (v[4] & v[5]) ^ (~v[4] & v[6]);
        uint32_t t1 = v[7] + s1 + choice + constants[i] + w[i];
        uint32_t s0 = rotate(v[0], 2) ^ rotate(v[0], 13) ^ rotate(v[0], 22);
        uint32_t majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);
        memmove(v + 1, v, 7 * sizeof *v);
        v[4] += t1;
        v[0] = t1 + s0 + majority;
    }
    for (int i = 0; i < 8; i++)
        state[i] += v[i];
}

void mer_sha256_begin(struct mer_sha256 *sha) {
    static const uint32_t initial[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                        0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    memcpy(sha->state, initial, sizeof initial);
    sha->length = 0;
}

void mer_sha256_add(struct mer_sha256 *sha, const void *bytes, size_t n) {
    for (size_t done = 0, some; done < n; done += some) {
        size_t at = sha->length % BLOCK;
        some = BLOCK - at < n - done ? BLOCK - at : n - done;
        memcpy(sha->block + at, (const unsigned char *)bytes + done, some);
        sha->length += some;
        if (sha->length % BLOCK == 0)
            compress(sha->state, sha->block);
    }
}

void mer_sha256_end(struct mer_sha256 *sha, unsigned char digest[MER_SHA256_BYTES]) {
    static const unsigned char padding[BLOCK] = {0x80};
    uint64_t bits = sha->length * 8;
    unsigned char length[8];
    for (int i = 0; i < 8; i++)
        length[i] = (unsigned char)(bits >> (56 - 8 * i));
    mer_sha256_add(sha, padding, BLOCK - (sha->length + sizeof length) % BLOCK);
    mer_sha256_add(sha, length, sizeof length);
    for (int i = 0; i < MER_SHA256_BYTES; i++)
        digest[i] = (unsigned char)(sha->state[i / 4] >> (24 - i % 4 * 8));
}

void mer_hmac_sha256(const void *key, size_t key_bytes, const void *bytes, size_t n,
                     unsigned char code[MER_SHA256_BYTES]) {
    unsigned char inner[BLOCK] = {0}, outer[BLOCK];
    struct mer_sha256 sha;
    memcpy(inner, key, key_bytes);
    for (int i = 0; i < BLOCK; i++) {
        outer[i] = inner[i] ^ 0x5c;
        inner[i] ^= 0x36;
    }
    mer_sha256_begin(&sha);
    mer_sha256_add(&sha, inner, BLOCK);
    mer_sha256_add(&sha, bytes, n);
    mer_sha256_end(&sha, code);
    mer_sha256_begin(&sha);
    mer_sha256_add(&sha, outer, BLOCK);
    mer_sha256_add(&sha, code, MER_SHA256_BYTES);
    mer_sha256_end(&sha, code);
}

bool mer_equal_in_constant_time(const void *a, const void *b, size_t n) {
    const volatile unsigned char *x = a, *y = b;
    unsigned char difference = 0;
    for (size_t i = 0; i < n; i++)
        difference |= x[i] ^ y[i];
    return difference == 0;
}

/* How packets of the job's threads are distinguished from a stranger's.
 *
 * Anybody who can connect to an endpoint can send packets to it, and can claim to be any thread.  libfabric
 * could report the source of a packet (FI_SOURCE), but over TCP that is an address and a port that the caller
 * names; keys of providers (fi_av_insert with an authorization key) exist on few networks.  So each packet is
 * preceded by a tag.  The tag is SipHash-2-4 (Aumasson and Bernstein, 2012) of the packet's number and of the
 * completion's data, which holds its kind and its sender, under the receiver's secret.  The secret is 16
 * random bytes in the endpoint's address, which the launcher brings to the job's processes alone.
 *
 * A tag proves that one of the job's threads has sent a packet of this number as this sender.  Each number is
 * accepted once, so that an overheard packet cannot be used again.  The tag does not cover the bytes of the
 * packet: somebody who can change packets on their way can change them here as on any unencrypted network.
 */
#include "conduit/ofi/ofi.h"

#include <errno.h>
#include <string.h>
#include <sys/random.h>

void ofi_random(const struct ofi *ofi, void *bytes, size_t n) {
    if (getrandom(bytes, n, 0) != (ssize_t)n)
        ofi->client->fail(ofi->client->user, "getrandom: %s", strerror(errno));
}

static inline uint64_t rotated(uint64_t x, int bits) { return x << bits | x >> (64 - bits); }

static inline void rounds(uint64_t v[4], int count) {
    for (int i = 0; i < count; i++) {
        v[0] += v[1];
        v[2] += v[3];
        v[1] = rotated(v[1], 13) ^ v[0];
        v[3] = rotated(v[3], 16) ^ v[2];
        v[0] = rotated(v[0], 32) + v[3];
        v[2] += v[1];
        v[1] = rotated(v[1], 17) ^ v[2];
        v[3] = rotated(v[3], 21) ^ v[0];
        v[2] = rotated(v[2], 32);
    }
}

static inline void take_in(uint64_t v[4], uint64_t word) {
    v[3] ^= word;
    rounds(v, 2);
    v[0] ^= word;
}

uint64_t ofi_tag(const uint64_t secret[2], uint64_t number, uint64_t data) {
    uint64_t v[4] = {secret[0] ^ 0x736f6d6570736575, secret[1] ^ 0x646f72616e646f6d,
                     secret[0] ^ 0x6c7967656e657261, secret[1] ^ 0x7465646279746573};
    take_in(v, number);
    take_in(v, data);
    take_in(v, (uint64_t)16 << 56); /* the length of these two words, as SipHash ends a message */
    v[2] ^= 0xff;
    rounds(v, 4);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}

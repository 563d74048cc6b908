/* See address.h. */
#include "conduit/tcp/address.h"

#include <string.h>

void mer_tcp_prove(const unsigned char key[MER_TCP_KEY], const char *word,
                   const struct mer_tcp_parties *parties, unsigned char proof[MER_SHA256_BYTES]) {
    unsigned char bytes[16 + sizeof *parties] = {0};
    memcpy(bytes, word, strlen(word)); /* 16 letters at most, then zeros */
    memcpy(bytes + 16, parties, sizeof *parties);
    mer_hmac_sha256(key, MER_TCP_KEY, bytes, sizeof bytes, proof);
}

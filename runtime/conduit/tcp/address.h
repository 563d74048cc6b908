/* The address of an endpoint of the conduit `tcp', and the greeting by which caller and callee of a connection
 * show each other that they know it.
 *
 * The launcher carries addresses, so that only the processes of the job know the key in them.  The key itself
 * is never sent over a connection:
 *
 *   callee -> caller   challenge   a random number, chosen anew for each connection
 *   caller -> callee   hello       who calls whom, a random number of the caller's, and a proof: the HMAC of
 *                                  all this and of the challenge under the callee's key
 *   callee -> caller   welcome     the HMAC of the same and of another word
 *
 * A proof is of no use on another connection, since both ends have chosen a number, nor in the other
 * direction.  Until then each end reads exactly the bytes of the greeting that it expects, into a place of
 * that size; what follows is parsed once the other end has shown its proof.
 */
#ifndef MER_CONDUIT_TCP_ADDRESS_H
#define MER_CONDUIT_TCP_ADDRESS_H

#include "base/sha256.h"
#include "conduit/conduit.h"
#include "conduit/interfaces.h"

#define MER_TCP_KEY 16 /* bytes of a key, and of a random number of the greeting */

/* What is in a mer_conduit_address. */
struct mer_tcp_address {
    unsigned char key[MER_TCP_KEY]; /* of this endpoint alone: a random number */
    struct mer_host_addresses host;
};
_Static_assert(sizeof(struct mer_tcp_address) <= MER_CONDUIT_ADDRESS, "an endpoint's address has to fit");

enum mer_tcp_greeting { MER_TCP_CHALLENGE = 0x4d657211, MER_TCP_HELLO, MER_TCP_WELCOME };

struct mer_tcp_challenge {
    uint32_t kind;
    unsigned char number[MER_TCP_KEY];
};

struct mer_tcp_hello {
    uint32_t kind;
    int32_t from, to; /* threads */
    unsigned char number[MER_TCP_KEY];
    unsigned char proof[MER_SHA256_BYTES];
};

struct mer_tcp_welcome {
    uint32_t kind;
    unsigned char proof[MER_SHA256_BYTES];
};

/* What both ends of a connection know after hello, in the order in which proofs are of it. */
struct mer_tcp_parties {
    unsigned char challenge[MER_TCP_KEY], number[MER_TCP_KEY]; /* of the callee, of the caller */
    int32_t from, to;
};

/* The HMAC of a word, such as "hello", and of the parties, under the callee's key. */
void mer_tcp_prove(const unsigned char key[MER_TCP_KEY], const char *word,
                   const struct mer_tcp_parties *parties, unsigned char proof[MER_SHA256_BYTES]);

#endif

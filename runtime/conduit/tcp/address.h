/* The address of an endpoint of the conduit `tcp', and the greeting by which caller and callee of a
 * connection show each other that they know it.
 *
 * The launcher carries addresses, so that only the processes of the job know the key in them.  The key itself
 * is never sent over a connection:
 *
 *   callee -> caller   challenge      a random number, as soon as the connection has been accepted
 *   caller -> callee   hello          who calls whom, a random number, and a proof of these; sent as soon as
 *                                     the connection is made, without waiting for the challenge
 *   callee -> caller   welcome        a proof of both numbers
 *   caller -> callee   confirmation   another proof of both numbers; packets follow at once
 *
 * A proof is the HMAC of a word and of the facts that both know (struct mer_tcp_parties), under the callee's
 * key.  A hello can be overheard and repeated on another connection, but this gains only a welcome: the
 * callee neither reads nor sends packets before the confirmation.  Confirmation and welcome are valid for
 * this connection alone.  Until the confirmation each end reads exactly the bytes of the greeting that it
 * expects, into memory of that size.  A greeting takes no longer than a hello and a welcome would.
 *
 * Then, if the job encrypts, they make a secure channel of the connection (conduit/channel.h), whose secret
 * is the HMAC of one more word.
 */
#ifndef MER_CONDUIT_TCP_ADDRESS_H
#define MER_CONDUIT_TCP_ADDRESS_H

#include "base/sha256.h"
#include "conduit/conduit.h"
#include "conduit/interfaces.h"

#define MER_TCP_KEY 16 /* bytes of a key, and of a random number of the greeting */

/* The content of a mer_conduit_address. */
struct mer_tcp_address {
    unsigned char key[MER_TCP_KEY]; /* of this endpoint alone: a random number */
    uint32_t encrypts;              /* its connections are secure channels (MERIDIAN_ENCRYPT) */
    struct mer_host_addresses host;
};
_Static_assert(sizeof(struct mer_tcp_address) <= MER_CONDUIT_ADDRESS, "an endpoint's address has to fit");

enum mer_tcp_greeting {
    MER_TCP_CHALLENGE = 0x4d657211,
    MER_TCP_HELLO,
    MER_TCP_WELCOME,
    MER_TCP_CONFIRMATION
};

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

struct mer_tcp_proof { /* welcome and confirmation */
    uint32_t kind;
    unsigned char proof[MER_SHA256_BYTES];
};

/* The facts about a connection that both ends know. */
struct mer_tcp_parties {
    unsigned char challenge[MER_TCP_KEY]; /* the callee's number; zeros in the proof of a hello */
    unsigned char number[MER_TCP_KEY];    /* the caller's */
    int32_t from, to;
};

/* Writes the HMAC of a word, such as "hello", and of the parties, under the callee's key. */
void mer_tcp_prove(const unsigned char key[MER_TCP_KEY], const char *word,
                   const struct mer_tcp_parties *parties, unsigned char proof[MER_SHA256_BYTES]);

#endif

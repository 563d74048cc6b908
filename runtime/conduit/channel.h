/* A secure channel: the stream of a connection, encrypted and authenticated.
 *
 * Both ends know a secret of this connection alone.  They shake hands by TLS 1.3 with the secret as the
 * pre-shared key.  An end that does not know the secret fails the handshake, and somebody who learns the
 * secret later cannot decrypt recorded traffic.  The keys of the stream are exported from the handshake (RFC
 * 8446, 7.5), one for each direction.  From then on the stream is cut into records:
 *
 *   4 bytes             the length of the plaintext, authenticated too
 *   length + 16 bytes   the ciphertext and the tag of AES-128-GCM
 *
 * The nonce of a record is its number in its direction, which is not sent: a record that is changed,
 * repeated, left out or brought from elsewhere is refused.  After MER_CHANNEL_REKEY records a direction
 * changes its key for one that is derived from the old key, which limits the data under one key.  Records are
 * longer than those of TLS, and long ones are encrypted straight from the caller's memory.  A message of the
 * handshake is a record without a tag, of MER_CHANNEL_HANDSHAKE bytes at most.
 *
 * No plaintext is given out before its tag has been checked.  The content of the stream must show whether it
 * has ended early: frames end with a goodbye.
 *
 * The cryptography is in a module, encrypt-openssl.so (openssl/), so that only programs that encrypt need the
 * library.  This file handles the sockets.
 */
#ifndef MER_CONDUIT_CHANNEL_H
#define MER_CONDUIT_CHANNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#define MER_CHANNEL_RECORD (32 * 1024) /* most bytes of plaintext */
#define MER_CHANNEL_TAG 16
#define MER_CHANNEL_HANDSHAKE 4096
#define MER_CHANNEL_REKEY (1 << 20)
#define MER_CHANNEL_HEAD 4
#define MER_CHANNEL_WIRE (MER_CHANNEL_HEAD + MER_CHANNEL_RECORD + MER_CHANNEL_TAG)
#define MER_CHANNEL_BATCH 4 /* records that are sent, or read, by one call of the kernel */
#define MER_CHANNEL_BATCH_WIRE (MER_CHANNEL_BATCH * MER_CHANNEL_WIRE)

/* ---- the module ---- */

#define MER_CIPHER_ABI 1

enum mer_agreement { MER_AGREEMENT_FAILED, MER_AGREEMENT_GOES_ON, MER_AGREEMENT_REACHED };

struct mer_cipher {
    unsigned abi; /* MER_CIPHER_ABI */
    /* Begin a handshake at one end of a connection.  calls: this end is the caller.  A direction changes its
     * key after `rekey' records.  Returns null if there is no memory. */
    void *(*begin)(const unsigned char *secret, size_t n, bool calls, uint64_t rekey);
    /* Take n bytes of the other end's handshake, and write the answer into `out': *out_n bytes, `most' at
     * most. */
    enum mer_agreement (*agree)(void *end, const void *in, size_t n, void *out, size_t most, size_t *out_n);
    /* Seal the parts, n bytes in all, into n + MER_CHANNEL_TAG bytes at `out'.  The head is authenticated
     * too. */
    bool (*seal)(void *end, const void *head, size_t head_n, const struct iovec *parts, int nparts,
                 void *out);
    /* Decrypt n + MER_CHANNEL_TAG bytes in place.  Returns false if they are not the sealed bytes. */
    bool (*unseal)(void *end, const void *head, size_t head_n, void *bytes, size_t n);
    void (*finish)(void *end);
};

/* Returns the module, or null if it cannot be loaded; *why is then the reason. */
const struct mer_cipher *mer_cipher_load(const char **why);

/* ---- the channel ---- */

/* The buffers that all channels of an endpoint write to and read from.  A channel itself needs memory only
 * while one of its records is incomplete. */
struct mer_channel_buffers {
    _Alignas(16) unsigned char sealed[MER_CHANNEL_BATCH_WIRE];
    _Alignas(16) unsigned char read[MER_CHANNEL_BATCH_WIRE];
};

struct mer_channel {
    const struct mer_cipher *cipher;
    void *end; /* the module's */
    struct mer_channel_buffers *buffers;
    bool calls, begun, agreed;
    unsigned char *pending; /* bytes of records that the kernel has not taken; null if there are none */
    size_t pending_begin, pending_end;
    unsigned char *kept; /* the beginning of an incomplete record; null if there is none */
    size_t kept_n;
    unsigned char *wire; /* records that are read but not opened yet, in the shared buffer or in `kept' */
    size_t wire_n;
    const unsigned char *plain; /* opened bytes that the caller has not received yet */
    size_t plain_n;
};

/* Makes a channel of a connection that both ends have just made.  Returns null if there is no memory. */
struct mer_channel *mer_channel_new(const struct mer_cipher *cipher, struct mer_channel_buffers *buffers,
                                    const unsigned char *secret, size_t n, bool calls);
void mer_channel_free(struct mer_channel *channel);

/* Go on with the handshake as far as bytes have come.  Returns 1 if the channel may be used, 0 if the
 * handshake goes on, and -1 if the handshake or the connection has failed (errno; EBADMSG: the other end does
 * not know the secret). */
int mer_channel_agree(struct mer_channel *channel, int fd);

/* Like sendmsg and recvmsg, for plaintext.  Bytes that send has accepted may have to be flushed.  EBADMSG
 * means that the received bytes are not those that the other end has sent. */
ssize_t mer_channel_send(struct mer_channel *channel, int fd, const struct iovec *parts, int nparts,
                         int flags);
ssize_t mer_channel_receive(struct mer_channel *channel, int fd, const struct iovec *parts, int nparts);

/* Returns true if there are bytes to receive without reading the socket.  They must be received before any
 * other channel of the endpoint reads. */
bool mer_channel_ready(const struct mer_channel *channel);

/* Returns true if there is something to flush.  mer_channel_flush returns false if the connection is broken
 * (errno). */
static inline bool mer_channel_waits(const struct mer_channel *channel) { return channel->pending; }
bool mer_channel_flush(struct mer_channel *channel, int fd);

/* The number of records under one key: MER_CHANNEL_REKEY, except in tests, which lower it. */
extern uint64_t mer_channel_rekey;

#endif

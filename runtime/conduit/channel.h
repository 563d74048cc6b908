/* A secure channel: the stream of a connection, encrypted and authenticated.
 *
 * Both ends know a secret of this connection alone.  They shake hands by TLS 1.3, of which the secret is the
 * pre-shared key, so that an end which does not know it gets nowhere, and what was recorded cannot be read by
 * whoever learns the secret later.  The keys of the stream are exported from the handshake (RFC 8446, 7.5),
 * one for each direction.  From then on the stream is cut into records:
 *
 *   4 bytes             the length of the plaintext, authenticated too
 *   length + 16 bytes   the ciphertext and the tag of AES-128-GCM
 *
 * The nonce of a record is its number in its direction, which is not sent: a record that is changed,
 * repeated, left out or brought from elsewhere is refused.  After MER_CHANNEL_REKEY records a direction goes
 * on with another key, derived from the one before, so that no key encrypts more than it should.  Records
 * are longer than those of TLS, and are sealed from where they lie.  A message of the handshake is a record
 * without a tag, of MER_CHANNEL_HANDSHAKE bytes at most.
 *
 * No plaintext is given out before its tag has been checked.  That the stream ends early is told by what is
 * in it: frames say goodbye.
 *
 * The cryptography is a module's, encrypt-openssl.so (openssl/), so that programs need no library of it
 * otherwise.  This file does the sockets.
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
    /* One end of a connection, which calls or is called.  A direction changes its key after so many records.
     * Null: the library has no memory. */
    void *(*begin)(const unsigned char *secret, size_t n, bool calls, uint64_t rekey);
    /* Take n bytes of the other end's handshake, and give own ones: *out_n, `most' at most. */
    enum mer_agreement (*agree)(void *end, const void *in, size_t n, void *out, size_t most, size_t *out_n);
    /* Seal the parts, n bytes in all: `out' gets n + MER_CHANNEL_TAG bytes.  head: authenticated too. */
    bool (*seal)(void *end, const void *head, size_t head_n, const struct iovec *parts, int nparts,
                 void *out);
    /* Decrypt n + MER_CHANNEL_TAG bytes in their place; false: they are not what was sealed. */
    bool (*unseal)(void *end, const void *head, size_t head_n, void *bytes, size_t n);
    void (*finish)(void *end);
};

/* The module; null: *why says why it cannot be loaded. */
const struct mer_cipher *mer_cipher_load(const char **why);

/* ---- the channel ---- */

/* What all channels of an endpoint write into and read into: a channel costs memory only while a record of it
 * is incomplete. */
struct mer_channel_buffers {
    _Alignas(16) unsigned char sealed[MER_CHANNEL_BATCH_WIRE];
    _Alignas(16) unsigned char read[MER_CHANNEL_BATCH_WIRE];
};

struct mer_channel {
    const struct mer_cipher *cipher;
    void *end; /* the module's */
    struct mer_channel_buffers *buffers;
    bool calls, begun, agreed;
    unsigned char *pending; /* of a record, what the kernel has not taken; null: nothing */
    size_t pending_begin, pending_end;
    unsigned char *kept; /* the beginning of a record that has come in part; null: none */
    size_t kept_n;
    unsigned char *wire; /* records that have been read and not been opened yet, in a buffer or in `kept' */
    size_t wire_n;
    const unsigned char *plain; /* what has been opened and not been taken yet */
    size_t plain_n;
};

/* Makes a channel of a connection that both ends have just made; null: no memory. */
struct mer_channel *mer_channel_new(const struct mer_cipher *cipher, struct mer_channel_buffers *buffers,
                                    const unsigned char *secret, size_t n, bool calls);
void mer_channel_free(struct mer_channel *channel);

/* Go on with the handshake, as far as bytes have come.  -1: it has failed, or the connection has (errno;
 * EBADMSG: the other end does not know the secret); 0: it goes on; 1: the channel may be used. */
int mer_channel_agree(struct mer_channel *channel, int fd);

/* As sendmsg and recvmsg, with plaintext.  What has been taken to be sent may have to be flushed.  EBADMSG:
 * what has come is not what the other end has sent. */
ssize_t mer_channel_send(struct mer_channel *channel, int fd, const struct iovec *parts, int nparts,
                         int flags);
ssize_t mer_channel_receive(struct mer_channel *channel, int fd, const struct iovec *parts, int nparts);

/* Is there something to receive without a look at the socket?  Then it is to be received before any other
 * channel of the endpoint reads. */
bool mer_channel_ready(const struct mer_channel *channel);

/* Is there something to flush?  False from flush: the connection is broken (errno). */
static inline bool mer_channel_waits(const struct mer_channel *channel) { return channel->pending; }
bool mer_channel_flush(struct mer_channel *channel, int fd);

/* How many records take one key: MER_CHANNEL_REKEY; tests lower it. */
extern uint64_t mer_channel_rekey;

#endif

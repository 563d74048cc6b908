/* See channel.h. */
#include "conduit/channel.h"

#include "base/fatal.h"
#include "conduit/find.h"

#include <dlfcn.h>
#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

uint64_t mer_channel_rekey = MER_CHANNEL_REKEY;

const struct mer_cipher *mer_cipher_load(const char **why) {
    static const char file[] = "encrypt-openssl.so";
    *why = "a program linked with -static cannot load a module";
    void *module = mer_module_open ? mer_module_open(file, why) : NULL;
    const struct mer_cipher *(*entry)(void) = NULL;
    if (!module)
        return NULL;
    *(void **)&entry = dlsym(module, "mer_cipher_module");
    const struct mer_cipher *cipher = entry ? entry() : NULL;
    if (!cipher)
        *why = "encrypt-openssl.so does not work with the OpenSSL of this host";
    else if (cipher->abi != MER_CIPHER_ABI)
        mer_fatal_job("%s belongs to another version of Meridian; install both from one build", file);
    return cipher;
}

struct mer_channel *mer_channel_new(const struct mer_cipher *cipher, struct mer_channel_buffers *buffers,
                                    const unsigned char *secret, size_t n, bool calls) {
    struct mer_channel *channel = calloc(1, sizeof *channel);
    if (!channel)
        return NULL;
    channel->cipher = cipher;
    channel->buffers = buffers;
    channel->calls = calls;
    channel->end = cipher->begin(secret, n, calls, mer_channel_rekey);
    if (!channel->end) {
        free(channel);
        return NULL;
    }
    return channel;
}

void mer_channel_free(struct mer_channel *channel) {
    channel->cipher->finish(channel->end);
    free(channel->pending);
    free(channel->kept);
    free(channel);
}

/* ---- to the socket ---- */

/* Keep the end of a record that the kernel has not taken. */
static bool keep_pending(struct mer_channel *channel, const unsigned char *bytes, size_t n) {
    channel->pending = malloc(n);
    if (!channel->pending)
        return false;
    memcpy(channel->pending, bytes, n);
    channel->pending_begin = 0;
    channel->pending_end = n;
    return true;
}

bool mer_channel_flush(struct mer_channel *channel, int fd) {
    while (channel->pending) {
        ssize_t n = send(fd, channel->pending + channel->pending_begin,
                         channel->pending_end - channel->pending_begin, MSG_NOSIGNAL);
        if (n < 0)
            return errno == EAGAIN || errno == EINTR;
        channel->pending_begin += (size_t)n;
        if (channel->pending_begin == channel->pending_end) {
            free(channel->pending);
            channel->pending = NULL;
        }
    }
    return true;
}

/* Send wire bytes of records; keep the bytes that the kernel does not take. */
static bool send_wire(struct mer_channel *channel, int fd, const unsigned char *bytes, size_t n, int flags) {
    ssize_t sent = send(fd, bytes, n, flags);
    if (sent < 0 && errno != EAGAIN && errno != EINTR)
        return false;
    sent = sent < 0 ? 0 : sent;
    if ((size_t)sent == n || keep_pending(channel, bytes + sent, n - (size_t)sent))
        return true;
    errno = ENOMEM;
    return false;
}

/* The position in an array of parts at which the next record begins. */
struct place {
    const struct iovec *part;
    size_t at;
};

/* Write the parts of the next n bytes into `into', and return their number.  At least n bytes are left. */
static int cut(struct place *from, size_t n, struct iovec *into) {
    int count = 0;
    while (n) {
        size_t left = from->part->iov_len - from->at, some = left < n ? left : n;
        if (some)
            into[count++] = (struct iovec){(unsigned char *)from->part->iov_base + from->at, some};
        n -= some;
        from->at += some;
        if (from->at == from->part->iov_len) {
            from->part++;
            from->at = 0;
        }
    }
    return count;
}

/* Seal the next n bytes as one record.  Returns the length of the record on the wire, or 0 if sealing
 * fails. */
static size_t seal(struct mer_channel *channel, struct place *from, size_t n, int nparts,
                   unsigned char *into) {
    struct iovec parts[nparts];
    uint32_t head = htole32((uint32_t)n);
    int count = cut(from, n, parts);
    memcpy(into, &head, sizeof head);
    bool good = channel->cipher->seal(channel->end, &head, sizeof head, parts, count, into + sizeof head);
    return good ? MER_CHANNEL_HEAD + n + MER_CHANNEL_TAG : 0;
}

ssize_t mer_channel_send(struct mer_channel *channel, int fd, const struct iovec *parts, int nparts,
                         int flags) {
    unsigned char *sealed = channel->buffers->sealed;
    struct place from = {parts, 0};
    size_t whole = 0, done = 0;
    for (int i = 0; i < nparts; i++)
        whole += parts[i].iov_len;
    if (!mer_channel_flush(channel, fd))
        return -1;
    while (done < whole && !channel->pending) {
        size_t batch = 0;
        for (int i = 0; i < MER_CHANNEL_BATCH && done < whole; i++) {
            size_t n = whole - done < MER_CHANNEL_RECORD ? whole - done : MER_CHANNEL_RECORD;
            size_t record = seal(channel, &from, n, nparts, sealed + batch);
            if (!record) {
                errno = EIO;
                return -1;
            }
            done += n;
            batch += record;
        }
        if (!send_wire(channel, fd, sealed, batch, flags | (done < whole ? MSG_MORE : 0)))
            return -1;
    }
    if (done)
        return (ssize_t)done;
    errno = EAGAIN;
    return -1;
}

/* ---- from the socket ---- */

static size_t tag_of(const struct mer_channel *channel) { return channel->agreed ? MER_CHANNEL_TAG : 0; }

/* Returns the plaintext length of the first record. */
static uint32_t length_of(const unsigned char *wire) {
    uint32_t head;
    memcpy(&head, wire, sizeof head);
    return le32toh(head);
}

/* Returns the length of the first record on the wire, or 0 if its head is incomplete. */
static size_t first_record(const struct mer_channel *channel, const unsigned char *wire, size_t n) {
    return n < MER_CHANNEL_HEAD ? 0 : MER_CHANNEL_HEAD + length_of(wire) + tag_of(channel);
}

static bool has_record(const struct mer_channel *channel) {
    size_t first = first_record(channel, channel->wire, channel->wire_n);
    return first && first <= channel->wire_n;
}

bool mer_channel_ready(const struct mer_channel *channel) { return channel->plain_n || has_record(channel); }

/* Keep an incomplete record for the next call.  Other channels may use the shared buffer from then on. */
static bool keep_rest(struct mer_channel *channel) {
    if (!channel->wire)
        return true; /* nothing has been read since the last call */
    if (channel->wire_n == 0) {
        free(channel->kept);
        channel->kept = NULL;
    } else if (channel->kept) {
        memmove(channel->kept, channel->wire, channel->wire_n);
    } else {
        channel->kept = malloc(MER_CHANNEL_BATCH_WIRE);
        if (!channel->kept)
            return false;
        memcpy(channel->kept, channel->wire, channel->wire_n);
    }
    channel->kept_n = channel->wire_n;
    channel->wire_n = 0;
    channel->wire = NULL;
    return true;
}

/* Returns false if the other end may not send a record of this length.  No other check bounds the length. */
static bool good_length(const struct mer_channel *channel, const unsigned char *wire, size_t n) {
    size_t most = channel->agreed ? MER_CHANNEL_RECORD : MER_CHANNEL_HANDSHAKE;
    return n < MER_CHANNEL_HEAD || (length_of(wire) > 0 && length_of(wire) <= most);
}

/* Read once, after the kept bytes.  Returns false if nothing has come (EAGAIN), or if the connection has
 * ended or is broken (errno). */
static bool read_more(struct mer_channel *channel, int fd) {
    unsigned char *into = channel->kept ? channel->kept : channel->buffers->read;
    size_t have = channel->kept ? channel->kept_n : 0;
    if (!good_length(channel, into, have)) {
        errno = EBADMSG;
        return false;
    }
    ssize_t n = recv(fd, into + have, MER_CHANNEL_BATCH_WIRE - have, 0);
    if (n <= 0) {
        errno = n == 0 ? ECONNRESET : errno == EINTR ? EAGAIN : errno;
        return false;
    }
    channel->wire = into;
    channel->wire_n = have + (size_t)n;
    return true;
}

/* Remove the first record, which is whole.  Returns its content; *n is the plaintext length. */
static unsigned char *next_record(struct mer_channel *channel, size_t *n) {
    unsigned char *bytes = channel->wire + MER_CHANNEL_HEAD;
    size_t first = first_record(channel, channel->wire, channel->wire_n);
    *n = length_of(channel->wire);
    channel->wire += first;
    channel->wire_n -= first;
    return bytes;
}

/* Check and decrypt the first record. */
static bool open_record(struct mer_channel *channel) {
    const unsigned char *head = channel->wire;
    size_t n;
    unsigned char *bytes = next_record(channel, &n);
    errno = EBADMSG;
    if (!channel->cipher->unseal(channel->end, head, MER_CHANNEL_HEAD, bytes, n))
        return false;
    channel->plain = bytes;
    channel->plain_n = n;
    return true;
}

ssize_t mer_channel_receive(struct mer_channel *channel, int fd, const struct iovec *parts, int nparts) {
    size_t done = 0;
    if (!mer_channel_ready(channel) && !read_more(channel, fd))
        return -1;
    if (!channel->plain_n && has_record(channel) && !open_record(channel))
        return -1;
    for (int i = 0; i < nparts && channel->plain_n; i++) {
        size_t n = channel->plain_n < parts[i].iov_len ? channel->plain_n : parts[i].iov_len;
        memcpy(parts[i].iov_base, channel->plain, n);
        channel->plain += n;
        channel->plain_n -= n;
        done += n;
    }
    if (!mer_channel_ready(channel) && !keep_rest(channel)) {
        errno = ENOMEM;
        return -1;
    }
    errno = EAGAIN;
    return done ? (ssize_t)done : -1;
}

/* ---- the handshake ---- */

/* Pass received bytes to the module, and send its answer. */
static enum mer_agreement step(struct mer_channel *channel, int fd, const void *bytes, size_t n) {
    unsigned char out[MER_CHANNEL_HEAD + MER_CHANNEL_HANDSHAKE];
    size_t out_n = 0;
    enum mer_agreement result = channel->cipher->agree(channel->end, bytes, n, out + MER_CHANNEL_HEAD,
                                                       MER_CHANNEL_HANDSHAKE, &out_n);
    uint32_t head = htole32((uint32_t)out_n);
    memcpy(out, &head, sizeof head);
    if (result == MER_AGREEMENT_FAILED)
        errno = EBADMSG;
    else if (out_n && !send_wire(channel, fd, out, sizeof head + out_n, MSG_NOSIGNAL))
        result = MER_AGREEMENT_FAILED;
    return result;
}

int mer_channel_agree(struct mer_channel *channel, int fd) {
    enum mer_agreement result = MER_AGREEMENT_GOES_ON;
    if (!mer_channel_flush(channel, fd))
        return -1;
    if (channel->pending)
        return 0; /* one message at a time */
    if (channel->calls && !channel->begun)
        result = step(channel, fd, NULL, 0);
    channel->begun = true;
    while (result == MER_AGREEMENT_GOES_ON) {
        if (!has_record(channel)) {
            if (!keep_rest(channel))
                return -1;
            if (!read_more(channel, fd))
                return errno == EAGAIN ? 0 : -1;
        }
        if (!good_length(channel, channel->wire, channel->wire_n)) {
            errno = EBADMSG;
            return -1;
        }
        if (has_record(channel)) {
            size_t n;
            const unsigned char *bytes = next_record(channel, &n);
            result = step(channel, fd, bytes, n);
        }
    }
    channel->agreed = result == MER_AGREEMENT_REACHED;
    if (channel->agreed && !mer_channel_ready(channel) && !keep_rest(channel))
        return -1; /* no memory for bytes that follow the handshake */
    return channel->agreed ? 1 : -1;
}

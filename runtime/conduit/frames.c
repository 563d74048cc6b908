/* Frames over a non-blocking stream socket.  Unsent bytes are kept up to a bound.  All links of an endpoint
 * read into one buffer; the rest of an incomplete frame is read directly to its destination. */
#include "conduit/frames.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

struct header {
    uint32_t kind;   /* enum mer_link_frame */
    uint32_t length; /* of the packet, without the zeros after it */
};

static const unsigned char zeros[8];

static size_t padding(size_t length) { return -length & 7; }

/* Keep the bytes of the parts from `skip' on. */
static bool keep(struct mer_link *link, const struct iovec *parts, int nparts, size_t skip) {
    if (!link->unsent) {
        link->unsent = malloc(MER_LINK_UNSENT + MER_LINK_FRAME_MOST);
        link->begin = link->end = 0;
        if (!link->unsent)
            return false;
    }
    if (link->begin) { /* to the front, so that the buffer's end is never passed */
        memmove(link->unsent, link->unsent + link->begin, link->end - link->begin);
        link->end -= link->begin;
        link->begin = 0;
    }
    for (int i = 0; i < nparts; i++) {
        size_t passed = skip < parts[i].iov_len ? skip : parts[i].iov_len;
        skip -= passed;
        if (parts[i].iov_len > passed)
            memcpy(link->unsent + link->end, (const unsigned char *)parts[i].iov_base + passed,
                   parts[i].iov_len - passed);
        link->end += parts[i].iov_len - passed;
    }
    return true;
}

void mer_link_drop(struct mer_link *link) {
    free(link->unsent);
    link->unsent = NULL;
}

void mer_link_move(struct mer_link *to, struct mer_link *from) {
    to->unsent = from->unsent;
    to->begin = from->begin;
    to->end = from->end;
    from->unsent = NULL;
}

/* ---- the stream, encrypted or not ---- */

static ssize_t write_parts(struct mer_link *link, struct iovec *parts, int nparts, int flags) {
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = (size_t)nparts};
    return link->channel ? mer_channel_send(link->channel, link->fd, parts, nparts, flags)
                         : sendmsg(link->fd, &message, flags);
}

static ssize_t read_parts(struct mer_link *link, struct iovec *parts, int nparts) {
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = (size_t)nparts};
    if (link->channel)
        return mer_channel_receive(link->channel, link->fd, parts, nparts);
    return nparts > 1 ? recvmsg(link->fd, &message, 0) : recv(link->fd, parts->iov_base, parts->iov_len, 0);
}

/* ---- sending ---- */

bool mer_link_flush(struct mer_link *link) {
    if (link->channel && !mer_channel_flush(link->channel, link->fd))
        return false;
    while (link->unsent && link->open) {
        struct iovec part = {link->unsent + link->begin, link->end - link->begin};
        ssize_t n = write_parts(link, &part, 1, MSG_NOSIGNAL);
        if (n < 0)
            return errno == EAGAIN || errno == EINTR;
        link->begin += (size_t)n;
        if (link->begin == link->end)
            mer_link_drop(link);
    }
    return true;
}

/* Setting TCP_NODELAY again sends segments that are not full (tcp(7)). */
void mer_link_release(struct mer_link *link) {
    int on = 1;
    if (link->held)
        setsockopt(link->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    link->held = false;
}

int mer_link_send(struct mer_link *link, enum mer_link_frame kind, const struct iovec *parts, int nparts,
                  bool more) {
    struct header header = {kind, 0};
    struct iovec all[MER_CONDUIT_PARTS + 2];
    all[0] = (struct iovec){&header, sizeof header};
    for (int i = 0; i < nparts; i++) {
        all[i + 1] = parts[i];
        header.length += (uint32_t)parts[i].iov_len;
    }
    all[nparts + 1] = (struct iovec){(void *)zeros, padding(header.length)};
    size_t whole = sizeof header + header.length + all[nparts + 1].iov_len, sent = 0;
    if (link->unsent && !mer_link_flush(link))
        return -1;
    if (link->unsent && link->end - link->begin + whole > MER_LINK_UNSENT)
        return 0;
    if (!link->unsent && link->open) {
        ssize_t n = write_parts(link, all, nparts + 2, MSG_NOSIGNAL | (more ? MSG_MORE : 0));
        link->held = more;
        if (n < 0 && errno != EAGAIN && errno != EINTR)
            return -1;
        sent = n < 0 ? 0 : (size_t)n;
    }
    if (sent < whole && !keep(link, all, nparts + 2, sent)) {
        errno = ENOMEM;
        return sent ? -1 : 0;
    }
    return 1;
}

/* Hand over the whole frames among n bytes.  Returns the number of their bytes, or -1 if the bytes are no
 * frame or `take' has refused one. */
static ssize_t frames(struct mer_link *link, const unsigned char *bytes, size_t n, mer_link_take take) {
    size_t at = 0;
    while (n - at >= sizeof(struct header)) {
        struct header header;
        memcpy(&header, bytes + at, sizeof header);
        bool known = header.kind >= MER_FRAME_PACKET && header.kind <= MER_FRAME_GOODBYE;
        if (!known || header.length > MER_LINK_PACKET)
            return -1;
        size_t whole = sizeof header + header.length + padding(header.length);
        if (n - at < whole)
            break;
        if (!take(link, (enum mer_link_frame)header.kind, bytes + at + sizeof header, header.length))
            return -1;
        at += whole;
    }
    return (ssize_t)at;
}

/* ---- frames that have come in part ------------------------------------------------------------------------
 *
 * If the last frame in the buffer is incomplete, its rest is read directly to its destination.  For a long
 * packet this is where it lands.  For others it is memory of the frame's length, which already holds the
 * frame's beginning.  The same call reads the bytes after the frame into the buffer.
 */

void mer_link_forget(struct mer_link *link) {
    free(link->few);
    free(link->begun);
    free(link->rest);
    link->few = link->begun = NULL;
    link->rest = NULL;
    link->few_length = 0;
    link->rest_parts = 0;
}

/* Returns the number of bytes of the parts. */
static size_t bytes_of(const struct iovec *parts, int nparts) {
    size_t bytes = 0;
    for (int i = 0; i < nparts; i++)
        bytes += parts[i].iov_len;
    return bytes;
}

/* Remove the first n bytes from the parts of the rest: they have come. */
static void advance(struct mer_link *link, size_t n) {
    int full = 0;
    for (; full < link->rest_parts && n >= link->rest[full].iov_len; full++)
        n -= link->rest[full].iov_len;
    link->rest_parts -= full;
    memmove(link->rest, link->rest + full, (size_t)link->rest_parts * sizeof *link->rest);
    if (n) {
        link->rest[0].iov_base = (unsigned char *)link->rest[0].iov_base + n;
        link->rest[0].iov_len -= n;
    }
}

/* Copy n bytes into the parts of the rest. */
static void fill(struct mer_link *link, const unsigned char *bytes, size_t n) {
    for (size_t done = 0, part; done < n; done += part) {
        part = link->rest[0].iov_len < n - done ? link->rest[0].iov_len : n - done;
        memcpy(link->rest[0].iov_base, bytes + done, part);
        advance(link, part);
    }
}

static bool keep_few(struct mer_link *link, const unsigned char *bytes, size_t n) {
    if (!link->few && !(link->few = malloc(MER_LINK_FEW)))
        return false;
    memcpy(link->few, bytes, n);
    link->few_length = n;
    return true;
}

/* Keep the beginning of a frame, n bytes, and set the parts for its rest. */
static bool begin(struct mer_link *link, const unsigned char *bytes, size_t n, mer_link_land land) {
    struct header header;
    struct iovec parts[MER_CONDUIT_PARTS];
    if (n < sizeof header)
        return keep_few(link, bytes, n);
    memcpy(&header, bytes, sizeof header);
    bool may_land = header.kind == MER_FRAME_PACKET && header.length >= MER_LINK_LANDS &&
                    header.length % 8 == 0;
    if (may_land && n < MER_LINK_FEW)
        return keep_few(link, bytes, n);
    size_t have = n - sizeof header, at = have, whole = header.length + padding(header.length);
    int nparts = may_land ? land(link, bytes + sizeof header, have, header.length, &at, parts) : 0;
    if (nparts > 0 && (at > have || bytes_of(parts, nparts) != header.length - at))
        return false; /* the stream would be out of step */
    link->lands = nparts > 0;
    link->begun_length = sizeof header + (link->lands ? at : header.length);
    link->begun = malloc(sizeof header + (link->lands ? at : whole));
    link->rest_parts = link->lands ? nparts : 1;
    link->rest = malloc((size_t)link->rest_parts * sizeof *link->rest);
    if (!link->begun || !link->rest)
        return false;
    if (!link->lands) {
        at = have;
        parts[0] = (struct iovec){link->begun + n, whole - have};
    }
    memcpy(link->begun, bytes, sizeof header + at);
    memcpy(link->rest, parts, (size_t)link->rest_parts * sizeof *link->rest);
    fill(link, bytes + sizeof header + at, have - at);
    return true;
}

/* Hand over the frame that was begun, which is whole. */
static bool complete(struct mer_link *link, mer_link_take take) {
    struct header header;
    unsigned char *frame = link->begun;
    size_t length = link->begun_length - sizeof header;
    memcpy(&header, frame, sizeof header);
    free(link->rest);
    link->rest = NULL;
    link->begun = NULL;
    bool taken = take(link, (enum mer_link_frame)header.kind, frame + sizeof header, length);
    free(frame);
    return taken;
}

/* ---- reading ------------------------------------------------------------------------------------------- */

static bool receive_once(struct mer_link *link, struct mer_link_buffer *into, mer_link_take take,
                         mer_link_land land) {
    unsigned char *buffer = into->bytes;
    struct iovec parts[MER_CONDUIT_PARTS + 1];
    size_t have = link->few_length, left = bytes_of(link->rest, link->rest_parts);
    if (have)
        memcpy(buffer, link->few, have);
    if (link->rest_parts)
        memcpy(parts, link->rest, (size_t)link->rest_parts * sizeof *parts);
    bool lands = link->rest_parts ? link->lands : have >= sizeof(struct header);
    parts[link->rest_parts] = (struct iovec){buffer + have, lands ? MER_LINK_READ_BEHIND : MER_LINK_READ};
    ssize_t n = read_parts(link, parts, link->rest_parts + 1);
    if (n <= 0) {
        errno = n == 0 ? ECONNRESET : errno;
        return errno == EAGAIN || errno == EINTR;
    }
    if ((size_t)n < left) {
        advance(link, (size_t)n);
        return true;
    }
    free(link->few);
    link->few = NULL;
    link->few_length = 0;
    link->rest_parts = 0;
    have += (size_t)n - left;
    ssize_t used = left && !complete(link, take) ? -1 : frames(link, buffer, have, take);
    if (used < 0) {
        errno = EPROTO;
        return false;
    }
    return (size_t)used == have || begin(link, buffer + used, have - (size_t)used, land);
}

bool mer_link_receive(struct mer_link *link, struct mer_link_buffer *into, mer_link_take take,
                      mer_link_land land) {
    bool good;
    do
        good = receive_once(link, into, take, land);
    while (good && link->channel && mer_channel_ready(link->channel));
    return good;
}

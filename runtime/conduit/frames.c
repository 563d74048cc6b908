/* Frames over a non-blocking stream socket: writev with a bounded rest, and one buffer to read into for
 * all links of an endpoint. */
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
    if (link->begin) { /* to the front, so that the bound is on what is kept, not on where */
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

bool mer_link_flush(struct mer_link *link) {
    while (link->unsent && !link->connecting) {
        ssize_t n = send(link->fd, link->unsent + link->begin, link->end - link->begin, MSG_NOSIGNAL);
        if (n < 0)
            return errno == EAGAIN || errno == EINTR;
        link->begin += (size_t)n;
        if (link->begin == link->end)
            mer_link_drop(link);
    }
    return true;
}

/* Segments that are not full leave when this is set, although it is set already (tcp(7)). */
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
    bool hello = kind == MER_FRAME_HELLO;
    if (link->unsent && !hello && !mer_link_flush(link))
        return -1;
    if (link->unsent && !hello && link->end - link->begin + whole > MER_LINK_UNSENT)
        return 0;
    if (hello || (!link->unsent && !link->connecting)) {
        struct msghdr message = {.msg_iov = all, .msg_iovlen = (size_t)nparts + 2};
        ssize_t n = sendmsg(link->fd, &message, MSG_NOSIGNAL | (more ? MSG_MORE : 0));
        link->held = more;
        if (n < 0 && errno != EAGAIN && errno != EINTR)
            return -1;
        sent = n < 0 ? 0 : (size_t)n;
    }
    if (sent < whole && (hello || !keep(link, all, nparts + 2, sent))) {
        errno = ENOMEM;
        return sent || hello ? -1 : 0;
    }
    return 1;
}

/* Hand over the whole frames among n bytes; how many bytes they were, or -1. */
static ssize_t frames(struct mer_link *link, const unsigned char *bytes, size_t n, mer_link_take take) {
    size_t at = 0;
    while (n - at >= sizeof(struct header)) {
        struct header header;
        memcpy(&header, bytes + at, sizeof header);
        bool known = header.kind >= MER_FRAME_HELLO && header.kind <= MER_FRAME_GOODBYE;
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

/* The beginning of a frame, n bytes: put what has come of a long packet's end where that belongs, so that
 * only the rest is kept; how much that is. */
static size_t begin_landing(struct mer_link *link, const unsigned char *bytes, size_t n, mer_link_land land) {
    struct header header;
    size_t at;
    if (n <= sizeof header)
        return n;
    memcpy(&header, bytes, sizeof header);
    n -= sizeof header;
    if (header.kind == MER_FRAME_PACKET && header.length >= MER_LINK_LANDS && header.length % 8 == 0 &&
        (link->landing = land(link, bytes + sizeof header, n, header.length, &at))) {
        memcpy(link->landing, bytes + sizeof header + at, n - at);
        link->landing += n - at;
        link->landing_left = header.length - n;
        n = at;
    }
    return sizeof header + n;
}

/* All that was to land has: hand over the rest. */
static bool landed(struct mer_link *link, mer_link_take take) {
    unsigned char *frame = link->partial;
    size_t length = link->partial_length;
    link->partial = link->landing = NULL;
    link->partial_length = 0;
    bool taken = take(link, MER_FRAME_PACKET, frame + sizeof(struct header), length - sizeof(struct header));
    free(frame);
    return taken;
}

bool mer_link_receive(struct mer_link *link, struct mer_link_buffer *into, mer_link_take take,
                      mer_link_land land) {
    unsigned char *buffer = into->bytes;
    size_t have = link->landing ? 0 : link->partial_length;
    if (have)
        memcpy(buffer, link->partial, have);
    ssize_t n = link->landing ? recv(link->fd, link->landing, link->landing_left, 0)
                              : recv(link->fd, buffer + have, MER_LINK_READ, 0);
    if (n <= 0) {
        errno = n == 0 ? ECONNRESET : errno;
        return errno == EAGAIN || errno == EINTR;
    }
    if (link->landing) {
        link->landing += n;
        link->landing_left -= (size_t)n;
        return link->landing_left > 0 || landed(link, take);
    }
    have += (size_t)n;
    ssize_t used = frames(link, buffer, have, take);
    if (used < 0) {
        errno = EPROTO;
        return false;
    }
    size_t rest = have - (size_t)used;
    if (rest)
        rest = begin_landing(link, buffer + used, rest, land);
    if (rest && !link->partial && !(link->partial = malloc(MER_LINK_FRAME_MOST)))
        return false;
    if (rest)
        memcpy(link->partial, buffer + used, rest);
    if (!rest) {
        free(link->partial);
        link->partial = NULL;
    }
    link->partial_length = rest;
    return true;
}

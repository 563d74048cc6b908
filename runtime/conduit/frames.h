/* Frames: packets in the byte stream of one connection.
 *
 * A frame is a header of 8 bytes, the packet, and zeros up to a multiple of 8.  So a packet stands at a
 * multiple of 8 wherever it lies in the stream.  Bytes that the kernel does not take at once are kept, up to
 * a bound.
 */
#ifndef MER_CONDUIT_FRAMES_H
#define MER_CONDUIT_FRAMES_H

#include "conduit/channel.h"
#include "conduit/conduit.h"

#define MER_LINK_PACKET ((1 << 20) + 256) /* longest packet */
#define MER_LINK_LANDS 16384              /* `land' is called for packets of this length or more */
#define MER_LINK_FEW 2048                 /* and not before so many bytes of it have come */
#define MER_LINK_UNSENT (256 * 1024)      /* most bytes kept: packets beyond that are refused */
#define MER_LINK_FRAME_MOST (MER_LINK_PACKET + 16)
/* Most bytes read at a time, besides the rest of a frame: enough that a call of the kernel costs little
 * compared with its copying, and few enough that they are still in a core's own cache when they are handled.
 * MER_LINK_READ_BEHIND is the limit after a packet that lands: another such packet is likely to follow, and
 * few of its bytes should be copied once more. */
#define MER_LINK_READ (64 * 1024)
#define MER_LINK_READ_BEHIND (4 * 1024)

enum mer_link_frame { MER_FRAME_PACKET = 0x4d657203, MER_FRAME_GOODBYE };

/* The stream of one connection; the conduit's own structure of a connection begins with it. */
struct mer_link {
    int fd;
    bool open;                   /* frames may be sent; until then they are kept */
    struct mer_channel *channel; /* encrypts the stream; null if it is not encrypted */
    bool held;                   /* the kernel may hold back the end of the sent bytes (mer_link_release) */
    unsigned char *unsent;       /* MER_LINK_UNSENT bytes while any are kept, else null; begin <= end */
    size_t begin, end;
    unsigned char *few; /* the beginning of a frame, too short for `land'; null if there is none */
    size_t few_length;
    unsigned char *begun; /* a frame whose rest has not come yet, without the part that lands, or null */
    size_t begun_length;
    bool lands;         /* the rest of `begun' lands */
    struct iovec *rest; /* where the rest of `begun' goes: parts that are not full yet */
    int rest_parts;
};

/* Handles a frame: n bytes at a multiple of 8, valid during the call.  Returns false if the link is of no use
 * any more. */
typedef bool (*mer_link_take)(struct mer_link *link, enum mer_link_frame kind, const void *bytes, size_t n);

/* Send a frame, or keep the bytes that the kernel does not take.  more: other frames follow, so the kernel
 * may hold back the end of this one until a call without `more', or mer_link_release.  Returns 1 if the frame
 * is sent or kept, 0 if there is no capacity and nothing is sent, and -1 if the connection is broken
 * (errno). */
int mer_link_send(struct mer_link *link, enum mer_link_frame kind, const struct iovec *parts, int nparts,
                  bool more);

/* Have the kernel send the bytes that it holds back. */
void mer_link_release(struct mer_link *link);

/* Send the kept bytes as far as the kernel takes them.  Returns false if the connection is broken (errno). */
bool mer_link_flush(struct mer_link *link);

/* Returns true if bytes wait for capacity of the kernel. */
static inline bool mer_link_waits(const struct mer_link *link) {
    return (link->open && link->unsent) || (link->channel && mer_channel_waits(link->channel));
}

/* Tells where the rest of a packet belongs, of which `have' bytes have come: see `land' in struct
 * mer_conduit_client.
 */
typedef int (*mer_link_land)(struct mer_link *link, const void *packet, size_t have, size_t length,
                             size_t *at, struct iovec *parts);

/* The buffer that all links of an endpoint read into.  A link itself needs memory only while one of its
 * frames is incomplete. */
struct mer_link_buffer {
    _Alignas(16) unsigned char bytes[MER_LINK_FEW + MER_LINK_READ];
};

/* Read once, or from a channel until it has no whole record left, and hand over all frames that are whole,
 * without the parts that have landed.  Returns false if the connection has ended (errno ECONNRESET) or is
 * broken (errno; EPROTO if the bytes are no frame, or `take' has refused one). */
bool mer_link_receive(struct mer_link *link, struct mer_link_buffer *buffer, mer_link_take take,
                      mer_link_land land);

/* Free the part of a frame that has come. */
void mer_link_forget(struct mer_link *link);

/* Drop the unsent bytes, or move them to another link that has none. */
void mer_link_drop(struct mer_link *link);
void mer_link_move(struct mer_link *to, struct mer_link *from);

#endif

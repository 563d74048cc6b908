/* One connection of a conduit over streams: packets become frames in its stream of bytes, and frames packets
 * again.
 *
 * A frame is a header of 8 bytes, the packet, and zeros up to a multiple of 8, so that a packet stands at a
 * multiple of 8 wherever it lies in the stream.  What the kernel does not take at once is kept, up to a
 * bound.
 */
#ifndef MER_CONDUIT_FRAMES_H
#define MER_CONDUIT_FRAMES_H

#include "conduit/channel.h"
#include "conduit/conduit.h"

#define MER_LINK_PACKET ((1 << 20) + 256) /* longest packet */
#define MER_LINK_LANDS 16384              /* from here on `land' is called for a packet */
#define MER_LINK_FEW 2048                 /* with fewer bytes of such a packet, more are waited for first */
#define MER_LINK_UNSENT (256 * 1024)      /* most bytes kept: a packet is refused that would make it more */
#define MER_LINK_FRAME_MOST (MER_LINK_PACKET + 16)
/* Most bytes read at a time, besides the rest of a frame: enough that a call of the kernel costs little
 * beside its copying, and so few that they are still in a core's own cache when they are handled.  And most
 * behind a packet that lands: another one that does is likely to follow, and little of it is to be copied
 * again. */
#define MER_LINK_READ (64 * 1024)
#define MER_LINK_READ_BEHIND (4 * 1024)

enum mer_link_frame { MER_FRAME_PACKET = 0x4d657203, MER_FRAME_GOODBYE };

/* The stream of one connection; the conduit's own structure of a connection begins with it. */
struct mer_link {
    int fd;
    bool open;                   /* frames may go; until then they are kept */
    struct mer_channel *channel; /* by which the stream is encrypted; null: it is not */
    bool held;                   /* the kernel may hold back the end of what was sent (mer_link_release) */
    unsigned char *unsent;       /* MER_LINK_UNSENT bytes while any are kept, else null; begin <= end */
    size_t begin, end;
    unsigned char *few; /* the beginning of a frame that is too short to say where it belongs; null: none */
    size_t few_length;
    unsigned char *begun; /* a frame whose rest has not come yet, without what lands; null: none */
    size_t begun_length;
    bool lands;         /* its rest does */
    struct iovec *rest; /* where its rest goes: parts that are not full yet */
    int rest_parts;
};

/* What is done with a frame: n bytes at a multiple of 8, valid during the call.  False: the link is of no
 * use. */
typedef bool (*mer_link_take)(struct mer_link *link, enum mer_link_frame kind, const void *bytes, size_t n);

/* Send a frame, or keep what the kernel does not take.  more: others follow, so that the kernel may hold back
 * the end of this one, until one without that or mer_link_release.  1: done; 0: no capacity, nothing is sent;
 * -1: the connection is broken (errno). */
int mer_link_send(struct mer_link *link, enum mer_link_frame kind, const struct iovec *parts, int nparts,
                  bool more);

/* Nothing is held back any more. */
void mer_link_release(struct mer_link *link);

/* Send what is kept as far as the kernel takes it.  False: the connection is broken (errno). */
bool mer_link_flush(struct mer_link *link);

/* Does something wait for capacity of the kernel? */
static inline bool mer_link_waits(const struct mer_link *link) {
    return (link->open && link->unsent) || (link->channel && mer_channel_waits(link->channel));
}

/* Where the rest of a packet belongs, of which `have' bytes have come: see `land' in struct
 * mer_conduit_client.
 */
typedef int (*mer_link_land)(struct mer_link *link, const void *packet, size_t have, size_t length,
                             size_t *at, struct iovec *parts);

/* What all links of an endpoint read into, so that a link costs memory only while a frame of it is
 * incomplete. */
struct mer_link_buffer {
    _Alignas(16) unsigned char bytes[MER_LINK_FEW + MER_LINK_READ];
};

/* Read once (what a channel has decrypted, wholly), and hand over all frames that are whole, without what has
 * landed.  False: the connection is at
 * its end (errno ECONNRESET) or broken (errno; EPROTO: by what is no frame, or take has refused one). */
bool mer_link_receive(struct mer_link *link, struct mer_link_buffer *buffer, mer_link_take take,
                      mer_link_land land);

/* Free what has come of a frame. */
void mer_link_forget(struct mer_link *link);

/* Forget what is unsent, or leave it to another link that has nothing unsent. */
void mer_link_drop(struct mer_link *link);
void mer_link_move(struct mer_link *to, struct mer_link *from);

#endif

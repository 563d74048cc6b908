/* The operations in which Meridian is compared with its peers: probes/peers-*.
 *
 * A program defines each of these, works on the memory of the last process, and measures itself as the probes
 * do (measure.h):
 *
 *     peer_get(i, bytes), peer_put(i, bytes)   begin to copy, from and to byte i * bytes of the remote memory
 *     peer_wait()                              all copies are complete
 *     peer_add()                               an atomic fetch-and-add on a remote word, with its result
 */
#ifndef BENCH_PEERS_H
#define BENCH_PEERS_H

#include "../measure.h"

#define PEER_BYTES (4L << 20) /* of the remote memory */
#define PEER_GROUP 64

static void peer_get(long i, size_t bytes);
static void peer_put(long i, size_t bytes);
static void peer_wait(void);
static void peer_add(void);

#define PEER(name, ...) PROBE_TURNS(name, size_t bytes = (size_t)probe_now->at[0]; (void)bytes, __VA_ARGS__)

PEER(peer_gets, peer_get(0, bytes); peer_wait())
PEER(peer_puts, peer_put(0, bytes); peer_wait())
PEER(peer_get_group, for (long i = 0; i < PEER_GROUP; i++) peer_get(i, bytes); peer_wait())
PEER(peer_put_group, for (long i = 0; i < PEER_GROUP; i++) peer_put(i, bytes); peer_wait())
PEER(peer_adds, peer_add())

static void add_peers(void) {
    static const long sizes[] = {8, 1024, 64L << 10, 1L << 20};
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        probe_at("peers", (struct series){"get", peer_gets}, "bytes", sizes[i], 1);
        probe_at("peers", (struct series){"put", peer_puts}, "bytes", sizes[i], 1);
        if (sizes[i] > 1024)
            continue;
        probe_at("peers", (struct series){"get, 64 at once", peer_get_group}, "bytes", sizes[i], PEER_GROUP);
        probe_at("peers", (struct series){"put, 64 at once", peer_put_group}, "bytes", sizes[i], PEER_GROUP);
    }
    probe_at("peers", (struct series){"fetch-and-add", peer_adds}, "bytes", 8, 1);
}

static const struct part peer_parts[] = {{"peers", add_peers}};

#endif

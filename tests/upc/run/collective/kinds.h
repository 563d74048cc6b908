/* The six relocalising collectives as one function, and the right contents of each block afterwards: a
 * serial description with which the library is compared. */
#ifndef COLLECTIVE_KINDS_H
#define COLLECTIVE_KINDS_H

#include "data.h"

enum { BROADCAST, SCATTER, GATHER, GATHER_ALL, EXCHANGE, PERMUTE, KINDS };
static const char *const kind_name[] = {"broadcast", "scatter", "gather", "gather_all", "exchange", "permute"};

static shared int perm[THREADS];

/* perm(t), the thread to which t gives its block: a rotation, reversed for odd rounds. */
static int target_of(int t, int round) {
    return round % 2 ? (THREADS - 1 - t + round) % THREADS : (t + round) % THREADS;
}

/* The numbers of blocks of thread t in the source and in the destination. */
static int given_blocks(int kind, int t, int root) {
    switch (kind) {
    case BROADCAST:
        return t == root;
    case SCATTER:
        return t == root ? THREADS : 0;
    case EXCHANGE:
        return THREADS;
    default:
        return 1;
    }
}
static int got_blocks(int kind, int t, int root) {
    switch (kind) {
    case GATHER:
        return t == root ? THREADS : 0;
    case GATHER_ALL:
    case EXCHANGE:
        return THREADS;
    default:
        return 1;
    }
}

/* The key of block b of thread t's source. */
static unsigned given_key(int round, int t, int b) { return (unsigned)((round * 67 + t) * 67 + b); }

/* The right key of block b of thread t's destination. */
static unsigned got_key(int kind, int round, int t, int b, int root) {
    int giver = 0;
    switch (kind) {
    case BROADCAST:
        return given_key(round, root, 0);
    case SCATTER:
        return given_key(round, root, t);
    case EXCHANGE:
        return given_key(round, b, t);
    case PERMUTE:
        while (target_of(giver, round) != t)
            giver++;
        return given_key(round, giver, 0);
    default:
        return given_key(round, b, 0);
    }
}

/* The call; the operand that lies on one thread is root's. */
static void call(int kind, shared void *dst, shared void *src, size_t dst_offset, size_t src_offset, int root,
                 size_t n, upc_flag_t flags) {
    int dst_thread = kind == GATHER ? root : 0, src_thread = kind == BROADCAST || kind == SCATTER ? root : 0;
    shared void *to = part(dst, dst_thread, dst_offset), *from = part(src, src_thread, src_offset);
    switch (kind) {
    case BROADCAST:
        upc_all_broadcast(to, from, n, flags);
        break;
    case SCATTER:
        upc_all_scatter(to, from, n, flags);
        break;
    case GATHER:
        upc_all_gather(to, from, n, flags);
        break;
    case GATHER_ALL:
        upc_all_gather_all(to, from, n, flags);
        break;
    case EXCHANGE:
        upc_all_exchange(to, from, n, flags);
        break;
    case PERMUTE:
        upc_all_permute(to, from, perm, n, flags);
        break;
    }
}

/* Fills thread t's source, and overwrites its destination. */
static void prepare(int kind, shared void *dst, shared void *src, size_t dst_offset, size_t src_offset, int t,
                    int root, size_t n, int round) {
    for (int b = 0; b < given_blocks(kind, t, root); b++)
        fill(part(src, t, src_offset + (size_t)b * n), given_key(round, t, b), n);
    if (got_blocks(kind, t, root))
        spoil(part(dst, t, dst_offset), 0xee, (size_t)got_blocks(kind, t, root) * n);
}

/* Checks thread t's destination, and that the bytes around it are unchanged. */
static void check(int kind, shared void *dst, size_t dst_offset, int t, int root, size_t n, int round,
                  upc_flag_t flags) {
    int blocks = got_blocks(kind, t, root);
    for (int b = 0; b < blocks; b++) {
        size_t at = first_wrong(part(dst, t, dst_offset + (size_t)b * n), got_key(kind, round, t, b, root), n);
        if (at != n)
            fprintf(stderr, "%s, %zu bytes, flags 0x%x, root %d, round %d: byte %zu of block %d on thread %d\n",
                    kind_name[kind], n, (unsigned)flags, root, round, at, b, t);
        CHECK(at == n);
    }
    if (dst_offset)
        CHECK_EQ(*part(dst, t, dst_offset - 1), 0x55);
    if (blocks)
        CHECK_EQ(*part(dst, t, dst_offset + (size_t)blocks * n), 0x55);
}

#endif

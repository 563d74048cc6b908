/* Split-C's collectives on values: reductions, scans, broadcasts, gathers.
 *
 * A value of up to eight bytes goes along with its processor's arrival at a barrier, and each processor that
 * needs a result combines the values of all, in the order of their numbers, so that results are alike
 * everywhere.  Larger values lie in a buffer of each processor, two in turn: a processor that fills a buffer
 * again has passed the barrier after the one in which the buffer was read.  Among several hosts larger values
 * travel with the barrier too (sync/barrier.h).  With MERIDIAN_REFERENCE=1 values go up and down a tree of
 * active messages.
 */
#include "am/am.h"
#include "coll/tree.h"

#include "host/job.h"
#include "base/fatal.h"
#include "sync/barrier.h"

#include <meridian/everything.h>
#include <split-c/split-c.h>
#include <string.h>

#define ME mer_job.mythread
#define THREADS mer_job.threads

enum extent { TO_ONE, TO_ALL, SCAN };

struct collective {
    const char *name;
    size_t n;
    mer_combine *combine;
    const void *context;
    enum extent extent;
};

static _Alignas(64) unsigned char buffers[2][MER_TREE_MOST];
static unsigned turn;

/* Returns processor t's value, valid until this processor enters the next barrier. */
static const void *value_of(const struct collective *c, int t, mer_u64 *word) {
    if (c->n > sizeof *word && mer_job.has_remote)
        return mer_barrier_gathered(t);
    if (c->n > sizeof *word)
        return mer_view(t, (uint64_t)(uintptr_t)buffers[turn]);
    *word = mer_barrier_payload(t);
    return word;
}

/* Show this processor's value to all. */
static void show(const struct collective *c, const void *value) {
    mer_u64 word = 0;
    if (c->n > sizeof word && mer_job.has_remote) {
        mer_barrier_allgather(c->name, value, c->n);
        return;
    }
    if (c->n > sizeof word) {
        turn ^= 1;
        memcpy(buffers[turn], value, c->n);
    } else {
        memcpy(&word, value, c->n);
    }
    mer_barrier_exchange(c->name, word);
}

static void combine_all(const struct collective *c, void *value) {
    mer_u64 word = 0;
    show(c, value);
    if (c->extent == TO_ONE && ME != 0)
        return;
    memcpy(value, value_of(c, 0, &word), c->n);
    int last = c->extent == SCAN ? ME : THREADS - 1;
    for (int t = 1; t <= last; t++)
        c->combine(value, value_of(c, t, &word), c->context);
}

/* Among hosts, values that a barrier carries need no tree. */
static bool by_tree(size_t n) {
    return mer_by_message() && (!mer_job.has_remote || n > mer_barrier_allgather_most());
}

static void perform(const struct collective *c, void *value) {
    mer_barrier_check_outside(c->name);
    if (c->n > MER_TREE_MOST)
        mer_fatal("%s: values of %zu bytes, but they may have at most %d", c->name, c->n, MER_TREE_MOST);
    mer_am_poll(); /* a thread that finds the others there does not wait, and would handle no message */
    if (!by_tree(c->n))
        combine_all(c, value);
    else if (c->extent == SCAN)
        mer_tree_scan(value, c->n, c->combine, c->context);
    else
        mer_tree_reduce(value, c->n, c->combine, c->context, c->extent == TO_ALL);
}

/* ---- arithmetic ---------------------------------------------------------------------------------------- */

#define OPERATION(T, letter, op, expression)                                                                 \
    static void combine_##letter##op(void *into, const void *value, const void *unused) {                    \
        T a, b;                                                                                              \
        (void)unused;                                                                                        \
        memcpy(&a, into, sizeof a);                                                                          \
        memcpy(&b, value, sizeof b);                                                                         \
        a = (T)(expression);                                                                                 \
        memcpy(into, &a, sizeof a);                                                                          \
    }                                                                                                        \
    CALL(T, letter, op, all_reduce_to_one_, TO_ONE)                                                          \
    CALL(T, letter, op, all_reduce_to_all_, TO_ALL)                                                          \
    CALL(T, letter, op, all_scan_, SCAN)

#define CALL(T, letter, op, prefix, how)                                                                     \
    T prefix##letter##op(T value) {                                                                          \
        const struct collective c = {#prefix #letter #op, sizeof value, combine_##letter##op, NULL, how};    \
        perform(&c, &value);                                                                                 \
        return value;                                                                                        \
    }

/* U: the type in which sums and products wrap around instead of overflowing. */
#define ARITHMETIC(T, U, letter)                                                                             \
    OPERATION(T, letter, add, (U)a + (U)b)                                                                   \
    OPERATION(T, letter, mult, (U)a *(U)b)                                                                   \
    OPERATION(T, letter, max, a > b ? a : b)                                                                 \
    OPERATION(T, letter, min, a < b ? a : b)
#define BITS(T, letter)                                                                                      \
    OPERATION(T, letter, and, a &b)                                                                          \
    OPERATION(T, letter, or, a | b)                                                                          \
    OPERATION(T, letter, xor, a ^ b)

ARITHMETIC(int, unsigned, )
ARITHMETIC(unsigned, unsigned, u)
ARITHMETIC(long, unsigned long, l)
ARITHMETIC(float, float, f)
ARITHMETIC(double, double, d)
BITS(int, )
BITS(unsigned, u)
BITS(long, l)

/* ---- the user's functions ------------------------------------------------------------------------------ */

static void combine_user(void *into, const void *value, const void *context) {
    splitc_combine *const *function = context;
    (*function)(into, value);
}

static void user(const char *name, void *value, size_t nbytes, splitc_combine *function, enum extent extent) {
    const struct collective c = {name, nbytes, combine_user, &function, extent};
    perform(&c, value);
}

void all_reduce_to_one_func(void *value, size_t nbytes, splitc_combine *function) {
    user("all_reduce_to_one_func", value, nbytes, function, TO_ONE);
}

void all_reduce_to_all_func(void *value, size_t nbytes, splitc_combine *function) {
    user("all_reduce_to_all_func", value, nbytes, function, TO_ALL);
}

void all_scan_func(void *value, size_t nbytes, splitc_combine *function) {
    user("all_scan_func", value, nbytes, function, SCAN);
}

/* ---- broadcasts ---------------------------------------------------------------------------------------- */

static void broadcast(const char *name, void *value, size_t nbytes, int root) {
    mer_barrier_check_outside(name);
    if (by_tree(nbytes)) {
        mer_tree_broadcast(value, nbytes, root);
        return;
    }
    mer_u64 word = 0;
    if (nbytes <= sizeof word) {
        memcpy(&word, value, nbytes);
        mer_barrier_exchange(name, word);
        word = mer_barrier_payload(root);
        memcpy(value, &word, nbytes);
        return;
    }
    if (mer_job.has_remote) {
        mer_barrier_allgather(name, value, ME == root ? nbytes : 0);
        memcpy(value, mer_barrier_gathered(root), nbytes);
        return;
    }
    mer_barrier_exchange(name, mer_to_global(value).bits);
    mer_u64 from = mer_barrier_payload(root);
    if (mer_remote_global(from)) {
        mer_tree_broadcast(value, nbytes, root);
        return;
    }
    if (ME != root)
        memcpy(value, mer_at(from), nbytes);
    mer_barrier_collective(name);
}

#define BROADCAST(T, name)                                                                                   \
    T name(T value) {                                                                                        \
        broadcast(#name, &value, sizeof value, 0);                                                           \
        return value;                                                                                        \
    }
BROADCAST(int, all_bcast)
BROADCAST(int, all_bcast_i)
BROADCAST(unsigned, all_bcast_u)
BROADCAST(long, all_bcast_l)
BROADCAST(float, all_bcast_f)
BROADCAST(double, all_bcast_d)

void all_bcast_bulk(void *value, size_t nbytes, int root) {
    if (root < 0 || root >= THREADS)
        mer_fatal("all_bcast_bulk: there is no processor %d", root);
    broadcast("all_bcast_bulk", value, nbytes, root);
}

/* A value goes along with its processor's arrival, and lies where all can read it until the next barrier. */
static void gather(const char *name, void *values, size_t n, bool to_all) {
    mer_u64 word = 0;
    memcpy(&word, values, n);
    mer_am_poll();
    mer_barrier_exchange(name, word);
    for (int t = 0; t < THREADS && (to_all || ME == 0); t++) {
        word = mer_barrier_payload(t);
        memcpy((char *)values + (size_t)t * n, &word, n);
    }
}

#define GATHER(T, name, to_all)                                                                              \
    void name(T *values) { gather(#name, values, sizeof *values, to_all); }
GATHER(int, all_gather, false)
GATHER(double, all_gather_d, false)
GATHER(int, all_concat, true)
GATHER(double, all_concat_d, true)

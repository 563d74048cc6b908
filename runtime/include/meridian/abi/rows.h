/* Pairs of words for threads of other hosts, as compiled code adds them without a branch: a part of abi.h,
 * which includes it.  runtime/transport/pairs.h describes rows and their other readers.
 *
 * If a loop accesses places in no order, as `table[index[i]] += 1' does, some are local and others are
 * remote, and a processor cannot predict which: each wrong guess costs as much as ten such accesses.  So the
 * code here does not branch on that.  A pair is written in either case, after the last one of the owner's row
 * or to nobody's row, and counted if the object is remote.  An access to a local object is likewise done in
 * either case, to the object or to a variable beside it.  The order of all accesses is the same as with
 * branches.
 */
#ifndef MERIDIAN_ROWS_H
#define MERIDIAN_ROWS_H

/* Pairs of a row; single words of a row, for handlers that need no second ones (MER_HANDLER_WORDS). */
#define MER_ROW_PAIRS 2040U
#define MER_ROW_WORDS (2 * MER_ROW_PAIRS)
/* Rows: thread t has row t % MER_ROWS, unless another thread has it now. */
#define MER_ROWS 16U

/* words: contiguous pairs or single words; with a counter all first words, then all second ones. */
struct mer_row {
    mer_u64 open;    /* mer_rows_key of the pairs that mer_rows_add may add, or 0; the thread's own */
    unsigned count;  /* pairs that the thread has added; atomic */
    unsigned taken;  /* of these, pairs that are in packets; atomic, written under the end's lock */
    int to, handler; /* to: -1 before the first thread */
    int *counter;    /* null if no reply is asked for */
    _Bool single;    /* the handler takes single words, each of which counts as a pair */
    mer_u64 words[MER_ROW_WORDS];
};

struct mer_rows {
    struct mer_row *row[MER_ROWS]; /* not null; set under the lock */
    _Bool fence;                   /* the thread has to execute the fence */
    _Bool asleep;                  /* the progress thread sleeps until it is woken; atomic */
    const _Bool *closed;           /* a handler runs, and may add none */
};

/* The rows to which this POSIX thread may add.  Null if there are none, if calls are recorded, or if the rows
 * belong to another thread of the program: two that add at once would overwrite each other's pairs. */
extern __thread struct mer_rows *mer_open_rows;
/* The row of nobody: never open, and its contents do not count. */
extern struct mer_row mer_no_row;

/* Wake the progress thread.  The thread only. */
void mer_rows_wake(struct mer_rows *rows) __attribute__((cold));

MER_INLINE mer_u64 mer_rows_key(int to, int handler, int single) {
    return (mer_u64)single << 63 | (mer_u64)to << 16 | (mer_u64)handler;
}

/* Publishes the first n pairs of the row: they may be taken. */
MER_INLINE void mer_rows_publish(struct mer_rows *rows, struct mer_row *row, unsigned n) {
    __atomic_store_n(&row->count, n, __ATOMIC_RELEASE); /* partner: mer_rows_take */
    if (__builtin_expect(rows->fence, 0))
        __atomic_thread_fence(__ATOMIC_SEQ_CST); /* partner: mer_rows_may_sleep */
    else
        __asm__ volatile("" ::: "memory"); /* likewise; the kernel adds the processor's part */
    if (__builtin_expect(__atomic_load_n(&rows->asleep, __ATOMIC_RELAXED), 0))
        mer_rows_wake(rows);
}

/* The handlers of pairs (am/am.h); the form of the first words of pairs: an address with a number in the bits
 * above it. */
enum { MER_PAIR_WRITES = 281, MER_PAIR_ACCUMULATES, MER_PAIR_GETS, MER_PAIR_ATOMICS = 285, MER_PAIR_COUNTS };
#define mer_row_tagged(address, tag) (((mer_u64)(address)&MER_ADDR_MASK) | (mer_u64)(tag) << MER_THREAD_SHIFT)

/* mer_remote_mask: all bits if the object at bits is remote, else none.  mer_by_mask: one of two addresses,
 * selected by such a mask. */
#define mer_remote_mask(bits)                                                                                \
    (-(mer_u64)(mer_threadof(bits) - (mer_u64)mer_job.here_first >= (mer_u64)mer_job.here))
#define mer_by_mask(mask, there, here) ((mer_u64)(here) ^ (((mer_u64)(here) ^ (mer_u64)(there)) & (mask)))

/* Returns the row for an object at bits, or nobody's row if the object is local (a mask).  Returns null if
 * the row is not open to this handler and counter, if no pair may be added, or if bits is null. */
MER_INLINE struct mer_row *mer_rows_open_to(struct mer_rows *rows, mer_u64 bits, mer_u64 remote, int handler,
                                            const int *counter) {
    int to = (int)mer_threadof(bits), single = handler == MER_PAIR_COUNTS;
    if (__builtin_expect(!rows || !bits || *rows->closed, 0))
        return (struct mer_row *)0;
    struct mer_row *row = (struct mer_row *)mer_by_mask(remote, rows->row[(unsigned)to % MER_ROWS],
                                                        &mer_no_row);
    mer_u64 unlike = row->open ^ (mer_rows_key(to, handler, single) & remote);
    if (counter)
        unlike |= ((mer_u64)row->counter ^ (mer_u64)counter) & remote;
    return __builtin_expect(unlike != 0, 0) ? (struct mer_row *)0 : row;
}

/* If the object at bits is remote (a mask), adds a pair for its owner, or a single word.  Returns 0 if
 * nothing is done, because the row is not open to it or full, or bits is null; then the caller branches on
 * the mask.  handler, and whether there is a counter: constant. */
MER_INLINE int mer_rows_scatter(mer_u64 bits, mer_u64 remote, int handler, mer_u64 first, mer_u64 second,
                                int *counter) {
    struct mer_rows *rows = mer_open_rows;
    struct mer_row *row = mer_rows_open_to(rows, bits, remote, handler, counter);
    int single = handler == MER_PAIR_COUNTS;
    if (__builtin_expect(!row, 0))
        return 0;
    unsigned n = row->count;
    if (__builtin_expect(n == (single ? MER_ROW_WORDS : MER_ROW_PAIRS), 0))
        return 0;
    row->words[counter || single ? n : 2 * n] = first;
    if (!single)
        row->words[counter ? MER_ROW_PAIRS + n : 2 * n + 1] = second;
    mer_rows_publish(rows, row, n - (unsigned)remote);
    return 1;
}

/* Adds two writes to remote objects of one thread, the one that bits names: both or none.  Returns 0 as
 * above. */
MER_INLINE int mer_rows_add_two(mer_u64 bits, mer_u64 first, mer_u64 value, mer_u64 second,
                                mer_u64 second_value) {
    struct mer_rows *rows = mer_open_rows;
    struct mer_row *row = mer_rows_open_to(rows, bits, -(mer_u64)1, MER_PAIR_WRITES, (const int *)0);
    if (__builtin_expect(!row, 0))
        return 0;
    unsigned n = row->count;
    if (__builtin_expect(n > MER_ROW_PAIRS - 2, 0))
        return 0;
    row->words[2 * n] = first;
    row->words[2 * n + 1] = value;
    row->words[2 * n + 2] = second;
    row->words[2 * n + 3] = second_value;
    mer_rows_publish(rows, row, n + 2);
    return 1;
}

#endif

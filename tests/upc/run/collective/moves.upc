// Every relocalising collective with every combination of flags, blocks of many sizes at odd addresses, each
// thread as the root. The flags are used to their limits: with ALLSYNC a neighbour's memory is filled just
// before the call, and checked and overwritten right after it; with MYSYNC the thread's own memory; with
// NOSYNC there is a barrier between.
//: clause 7.4 p2
//: clause 7.4.2.1 p2
//: clause 7.4.2.2 p2
//: clause 7.4.2.2 p7
//: clause 7.4.2.3 p2
//: clause 7.4.2.3 p7
//: clause 7.4.2.4 p2
//: clause 7.4.2.4 p7
//: clause 7.4.2.5 p2
//: clause 7.4.2.5 p7
//: clause 7.4.2.6 p2
//: clause 7.4.2.6 p8
//: clause 7.3.3 p2
//: clause 7.3.3 p3
//: clause 7.3.3 p4
#include "kinds.h"

static const int in_flag[] = {UPC_IN_NOSYNC, UPC_IN_MYSYNC, UPC_IN_ALLSYNC, 0};
static const int out_flag[] = {UPC_OUT_NOSYNC, UPC_OUT_MYSYNC, UPC_OUT_ALLSYNC, 0};
static const size_t sizes[] = {1, 3, 8, 47, 49, 500, 2050, 4080, 4081, 30011};

static shared void *dst, *src;
static int round_number;

/* Puts frames around the bytes that the call will write. */
static void frame(int kind, size_t offset, int t, int root, size_t n) {
    if (offset)
        *part(dst, t, offset - 1) = 0x55;
    *part(dst, t, offset + (size_t)got_blocks(kind, t, root) * n) = 0x55;
}

static void one(int kind, int in, int out, size_t n) {
    int root = round_number % THREADS, neighbour = (MYTHREAD + 1) % THREADS;
    size_t dst_offset = round_number % 7, src_offset = round_number % 5;
    int before = in_flag[in] & (UPC_IN_NOSYNC | UPC_IN_MYSYNC) ? MYTHREAD : neighbour;
    int after = out_flag[out] & (UPC_OUT_NOSYNC | UPC_OUT_MYSYNC) ? MYTHREAD : neighbour;
    int flags = in_flag[in] | out_flag[out];
    perm[MYTHREAD] = target_of(MYTHREAD, round_number);
    frame(kind, dst_offset, MYTHREAD, root, n);
    upc_barrier;
    dawdle();
    prepare(kind, dst, src, dst_offset, src_offset, before, root, n, round_number);
    if (in_flag[in] == UPC_IN_NOSYNC)
        upc_barrier;
    call(kind, dst, src, dst_offset, src_offset, root, n, flags);
    if (out_flag[out] == UPC_OUT_NOSYNC)
        upc_barrier;
    check(kind, dst, dst_offset, after, root, n, round_number, flags);
    if (given_blocks(kind, after, root))
        spoil(part(src, after, src_offset), 0x77, n);
    spoil(part(dst, after, dst_offset), 0x99, got_blocks(kind, after, root) * n);
    upc_barrier;
    round_number++;
}

int main(void) {
    dst = upc_all_alloc(THREADS, AREA);
    src = upc_all_alloc(THREADS, AREA);
    for (int kind = 0; kind < KINDS; kind++)
        for (int s = 0; s < sizeof sizes / sizeof *sizes; s++)
            for (int flags = 0; flags < 16; flags++)
                if (sizes[s] * THREADS < AREA - 16)
                    one(kind, flags / 4, flags % 4, sizes[s]);
    upc_all_free(dst);
    upc_all_free(src);
    return 0;
}

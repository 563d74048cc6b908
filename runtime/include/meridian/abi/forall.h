/* upc_forall, and loops that go directly to a thread's own rows: a part of abi.h, which includes it.
 * Ownership follows from numbers alone, so that nothing here waits or accesses shared memory.
 */
#ifndef MERIDIAN_FORALL_H
#define MERIDIAN_FORALL_H

/* The depth of nested upc_foralls with an affinity in this thread, over all functions: only the outermost
 * divides its iterations among the threads (6.6.2). */
extern int mer_forall_depth;
MER_SMALL int mer_forall_enter(void) { return mer_forall_depth++; }
MER_SMALL void mer_forall_leave(int *outer) { mer_forall_depth = *outer; }
#define MER_FORALL_SCOPE(name)                                                                               \
    __attribute__((cleanup(mer_forall_leave), unused)) int name = mer_forall_enter()
/* Enclose the loop over all iterations that follows the loop over the own ones.  The C compiler has given its
 * warnings in the first loop; in this one it might warn of indices beyond an array that has only as many
 * elements as there are own iterations. */
#if defined(__GNUC__) && !defined(__clang__)
#define MER_SELDOM_BEGIN                                                                                     \
    _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Waggressive-loop-optimizations\"")     \
        _Pragma("GCC diagnostic ignored \"-Warray-bounds\"")                                                 \
            _Pragma("GCC diagnostic ignored \"-Wstringop-overflow\"")
#define MER_SELDOM_END _Pragma("GCC diagnostic pop")
#else
#define MER_SELDOM_BEGIN
#define MER_SELDOM_END
#endif
/* Functions for loops that go directly to the own rows (opt/src/owned/forall.rs), computed once for each
 * loop.  They divide by THREADS: in line they would be half of the machine code of a short loop, so they are
 * called unless THREADS is a constant. */
#if defined(MER_STATIC_THREADS) || defined(MER_RUNTIME) || defined(MER_SMALL_HERE)
/* ceil(n / THREADS) for any n. */
MER_SMALL mer_i64 mer_ceildivt(mer_i64 n) { return -mer_floordivt(-n); }
/* The number of the rows 0 ... n-1, distributed in blocks of r rows, that this thread owns. */
MER_SMALL mer_i64 mer_own_rows(mer_i64 n, mer_i64 r) {
    if (n <= 0)
        return 0;
    mer_i64 turn = r * (mer_i64)MER_THREADS, turns = (mer_i64)((mer_u64)n / (mer_u64)turn);
    mer_i64 left = n - turns * turn - (mer_i64)MER_MYTHREAD * r;
    return turns * r + (left < 0 ? 0 : left < r ? left : r);
}
/* The address in this process of element n, which may be negative, of the cyclic array that begins at
 * bits. */
MER_SMALL void *mer_near_c(mer_u64 bits, mer_i64 n, mer_u64 size) {
    return mer_at(mer_add_c(mer_mk(bits), n, size).bits);
}
#else
void *mer_near_c(mer_u64 bits, mer_i64 n, mer_u64 size) __attribute__((const));
mer_i64 mer_ceildivt(mer_i64 n) __attribute__((const));
mer_i64 mer_own_rows(mer_i64 n, mer_i64 r) __attribute__((const));
#endif
/* For a loop with steps of `by' over own rows, whose counter values are `apart' from one row to the next; the
 * value of row q is `away' from the loop's first.  mer_steps_meet returns the first row from q on that the
 * loop visits, or `end' or more if it visits none before `end'.  mer_steps_apart returns the number of rows
 * from one visited row to the next. */
MER_SMALL mer_i64 mer_steps_meet(mer_i64 q, mer_i64 end, mer_i64 away, mer_i64 apart, mer_i64 by) {
    mer_i64 k; /* in C89, too */
    for (k = 0; k < by; k++, away += apart)
        if (away % by == 0)
            return q + k;
    return end;
}
MER_SMALL mer_i64 mer_steps_apart(mer_i64 apart, mer_i64 by) {
    mer_i64 rows = 1;
    while (rows * apart % by)
        rows++;
    return rows;
}
MER_SMALL int mer_at_origin(mer_ptr p) { return mer_threadof(p.bits) == 0; }
MER_SMALL int mer_at_origin_b(mer_pptr p) { return mer_threadof(p.bits) == 0 && p.phase == 0; }
/* This thread's part of the array that begins, on thread 0, at bits. */
MER_SMALL void *mer_own(mer_u64 bits) { return mer_at(bits + (mer_u64)MER_MYTHREAD * mer_stride()); }
/* The bits of another thread's part, and its address on this host. */
MER_SMALL mer_u64 mer_part_bits(mer_u64 bits, mer_i64 of) { return bits + (mer_u64)of * mer_stride(); }
MER_SMALL void *mer_part(mer_u64 bits, mer_i64 of) { return mer_at(mer_part_bits(bits, of)); }

/* Loops from pointer p on, over elements of size bytes in blocks of block elements.  Elements are counted
 * from thread 0, phase 0 of the round of blocks in which p lies: p's number, ... */
#define mer_row_c(p) ((mer_i64)mer_threadof((p).bits))
#define mer_row_b(p, block) ((mer_i64)(mer_threadof((p).bits) * (block) + (p).phase))
/* ... the bits of this thread's first element of that round, which its others follow, ... */
#define mer_round_c(p, size) ((p).bits + ((mer_u64)MER_MYTHREAD - mer_threadof((p).bits)) * mer_stride())
#define mer_round_b(p, size, block) (mer_round_c(p, size) - (p).phase * (size))
/* ... and a pointer to element q of this thread's elements. */
#define mer_own_element_c(p, q, size) mer_mk(mer_round_c(p, size) + (mer_u64)(q) * (size))
#define mer_own_element_b(p, q, size, block)                                                                 \
    mer_mkp(mer_round_b(p, size, block) + (mer_u64)(q) * (size), (mer_u64)(q) % (block))
MER_SMALL mer_i64 mer_not_below_0(mer_i64 n) { return n < 0 ? 0 : n; }

MER_SMALL int mer_mine_int(mer_i64 i) {
    return (mer_i64)MER_MYTHREAD == i - mer_floordivt(i) * (mer_i64)MER_THREADS;
}
/* mer_mine_int for an unsigned number, which is usually below 2^63. */
MER_SMALL int mer_mine_unsigned(mer_u64 i) {
    if (__builtin_expect(i >> 63, 0))
        return (mer_u64)MER_MYTHREAD == i % (mer_u64)MER_THREADS;
    return mer_mine_int((mer_i64)i);
}
MER_SMALL int mer_mine_ptr(mer_u64 bits) { return mer_threadof(bits) == (mer_u64)MER_MYTHREAD; }

#endif

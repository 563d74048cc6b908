/* upc_all_sort, of the first specification of UPC's collectives (1.0, 4.3.4).
 *
 * Element i of the array belongs to the chunk of thread t if share(t) <= i < share(t + 1).  Each thread sorts
 * a copy of its chunk, a run, in its shared memory, since the user's function takes pointers-to-shared.  Then
 * it gets the runs of the others, one after the other, and counts for each of its elements how many of theirs
 * come before it, which gives the element's final place.  So that the sort is stable, an equal element of an
 * earlier chunk counts, and one of a later chunk does not.  A thread compares about nelems times for that,
 * all in its own memory.
 *
 * Three barriers order this: all have come before the array is read; all runs are sorted, and the array is
 * read by all, before a run is read and elements are put back; all elements are back before a call returns.
 */
#include "dialect/upc/collective.h"

#include "am/am.h"
#include "host/job.h"
#include "base/fatal.h"
#include "base/rva.h"
#include "base/settings.h"
#include "dialect/upc/upc.h"
#include "rma/copy.h"
#include "sync/barrier.h"

#include <stdlib.h>
#include <string.h>

static const char name[] = "upc_all_sort";

typedef int compare(mer_pptr a, mer_pptr b);

struct sort {
    mer_pptr array;
    size_t size, nelems, block;
    compare *func;
    size_t first, own;  /* this thread's chunk */
    mer_u64 other, run; /* in this thread's shared memory: the run of another thread, and its own */
    size_t *rank;       /* rank[i]: the element of the sorted array that run[i] becomes */
};

static size_t share(const struct sort *s, int thread) {
    size_t threads = (size_t)mer_job.threads, t = (size_t)thread;
    return s->nelems / threads * t + (t < s->nelems % threads ? t : s->nelems % threads);
}

static bool after(const struct sort *s, mer_u64 a, size_t i, mer_u64 b, size_t j) {
    return s->func(mer_mkp(a + i * s->size, 0), mer_mkp(b + j * s->size, 0)) > 0;
}

/* Returns how many of the elements from i up to `end' lie together, and where. */
static size_t together(const struct sort *s, size_t i, size_t end, mer_u64 *where) {
    if (s->block == 0) {
        *where = s->array.bits + i * s->size;
        return end - i;
    }
    mer_pptr p = mer_add_b(s->array, (mer_i64)i, s->size, s->block);
    *where = p.bits;
    return end - i < s->block - p.phase ? end - i : s->block - p.phase;
}

static void get_chunk(const struct sort *s, char *to) {
    int counter = 0;
    mer_u64 from;
    for (size_t n, i = 0; i < s->own; i += n) {
        n = together(s, s->first + i, s->first + s->own, &from);
        mer_rma_get_begin(to + i * s->size, from, n * s->size, &counter, name);
    }
    mer_am_wait_counter(&counter);
}

/* Sorts the numbers of the elements of `unsorted' by merging; `spare' holds as many. */
static void sort_numbers(const struct sort *s, mer_u64 unsorted, size_t *number, size_t *spare, size_t n) {
    if (n < 2)
        return;
    size_t half = n / 2, i = 0, j = half;
    sort_numbers(s, unsorted, number, spare, half);
    sort_numbers(s, unsorted, number + half, spare, n - half);
    for (size_t k = 0; k < n; k++)
        spare[k] = j == n || (i < half && !after(s, unsorted, number[i], unsorted, number[j])) ? number[i++]
                                                                                               : number[j++];
    memcpy(number, spare, n * sizeof *number);
}

/* Gets the elements to s->other, and puts them in order into s->run. */
static void make_run(struct sort *s) {
    size_t *number = malloc((s->own + 1) * sizeof *number);
    if (!number)
        mer_fatal("%s: no memory to sort %zu elements", name, s->own);
    char *unsorted = mer_at(s->other), *run = mer_at(s->run);
    get_chunk(s, unsorted);
    for (size_t i = 0; i < s->own; i++)
        number[i] = i;
    sort_numbers(s, s->other, number, s->rank, s->own);
    for (size_t i = 0; i < s->own; i++) {
        memcpy(run + i * s->size, unsorted + number[i] * s->size, s->size);
        s->rank[i] = s->first + i;
    }
    free(number);
}

/* Corrects the ranks of the own elements by those of thread t that come before them. */
static void count(struct sort *s, int t) {
    size_t n = share(s, t + 1) - share(s, t), j = 0;
    mer_rma_get(mer_at(s->other), s->run + (mer_u64)(t - MER_MYTHREAD) * mer_stride(), n * s->size, name);
    for (size_t i = 0; i < s->own; i++) {
        /* An equal element of an earlier chunk comes before; one of a later chunk comes after. */
        bool earlier = t < MER_MYTHREAD;
        while (j < n && (earlier ? !after(s, s->other, j, s->run, i) : after(s, s->run, i, s->other, j)))
            j++;
        s->rank[i] = s->rank[i] + j - (earlier ? n : 0);
    }
}

static void put_back(const struct sort *s) {
    int counter = 0;
    for (size_t n, i = 0; i < s->own; i += n) {
        for (n = 1; i + n < s->own && s->rank[i + n] == s->rank[i] + n;)
            n++;
        mer_u64 to;
        n = together(s, s->rank[i], s->rank[i] + n, &to);
        mer_rma_put_begin(to, (char *)mer_at(s->run) + i * s->size, n * s->size, &counter, name);
    }
    mer_am_wait_counter(&counter);
}

static void check(const struct sort *s, upc_flag_t flags) {
    struct mer_check_argument a[6] = {
        {"A", MER_CHECK_POINTER, s->array},
        {"elem_size", MER_CHECK_SIZE, {s->size, 0}},
        {"nelems", MER_CHECK_SIZE, {s->nelems, 0}},
        {"blk_size", MER_CHECK_SIZE, {s->block, 0}},
        {"flags", MER_CHECK_FLAGS, {(mer_u64)flags, 0}},
        {"func", MER_CHECK_FUNCTION, {mer_rva_of((const void *)(uintptr_t)s->func), 0}}};
    const char *where = mer_check_alike(name, a, 6);
    mer_upc_check_flags(name, where, flags);
    if (s->block && s->array.phase >= s->block)
        mer_check_refuse(name, where, "A has phase %llu, but blk_size is %zu",
                         (unsigned long long)s->array.phase, s->block);
}

void upc_all_sort(mer_pptr A, size_t elem_size, size_t nelems, size_t blk_size, compare *func,
                  upc_flag_t flags) {
    struct sort s = {.array = A, .size = elem_size, .nelems = nelems, .block = blk_size, .func = func};
    if (__builtin_expect(mer_setting(CHECK) != 0, 0))
        check(&s, flags);
    if (!A.bits || !func)
        mer_fatal("%s: %s is null", name, A.bits ? "func" : "A");
    if (elem_size == 0 || nelems > MER_VIEW_SIZE / elem_size)
        mer_fatal("%s: nelems is %zu%s and elem_size %zu, more than there is shared memory for", name, nelems,
                  (ptrdiff_t)nelems < 0 ? " (a negative number)" : "", elem_size);
    if (nelems == 0) {
        mer_barrier_collective(name);
        return;
    }
    s.first = share(&s, MER_MYTHREAD);
    s.own = share(&s, MER_MYTHREAD + 1) - s.first;
    size_t bytes = share(&s, 1) * elem_size; /* of the longest chunk */
    /* All threads have come to the barrier of this call before one leaves it, as UPC_IN_ALLSYNC says. */
    mer_pptr space = upc_all_alloc(2 * (size_t)mer_job.threads, bytes);
    s.rank = malloc((s.own + 1) * sizeof *s.rank);
    if (!space.bits || !s.rank)
        mer_fatal("%s: no memory to sort %zu elements of %zu bytes", name, nelems, elem_size);
    s.other = space.bits + (mer_u64)MER_MYTHREAD * mer_stride();
    s.run = s.other + bytes;
    make_run(&s);
    mer_barrier_collective(name);
    for (int t = 0; t < mer_job.threads; t++)
        if (t != MER_MYTHREAD)
            count(&s, t);
    put_back(&s);
    free(s.rank);
    upc_all_free(space); /* after a barrier */
}

/* Atomic operations on pointers-to-shared (UPC_PTS, UPC 7.6).
 *
 * An object of type shared void * has 16 bytes: thread and address in the first 8, the phase in the others.
 * x86-64 compares and swaps 16 bytes if they are aligned to 16, as whole variables and array elements of this
 * type are, and processors with AVX also load and store them in one piece (Intel and AMD both promise it).
 * All other operations, and those on a pointer that a struct has put at an odd multiple of 8, take a mutex,
 * one of an array in the domain, chosen by the address.  The address and the machine alone decide between the
 * two ways, so that all operations of a domain on one object go the same way.
 *
 * Only the object itself matters for atomicity: operations of two domains on it, or plain assignments, are
 * not atomic towards each other (7.6.2).
 *
 * The comparison of UPC_CSWAP ignores the phase, as == does (6.4.2).
 */
#include "dialect/upc/atomic.h"

#include "host/job.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <emmintrin.h>
#endif

typedef unsigned __int128 word16;

static word16 pack(mer_pptr p) { return (word16)p.phase << 64 | p.bits; }
static mer_pptr unpack(word16 w) { return mer_mkp((uint64_t)w, (uint64_t)(w >> 64)); }

#if defined(__x86_64__)

void mer_atomic_pts_probe(struct mer_atomic_domain *domain) {
    unsigned a, b, c, d;
    if (__get_cpuid(1, &a, &b, &c, &d)) {
        domain->wide = (c & bit_CMPXCHG16B) != 0;
        domain->wide_moves = (c & bit_AVX) != 0;
    }
}

/* Replaces the target by next if it holds *expected; else stores its value in *expected, and returns false.
 * A full fence, like every locked instruction. */
static bool swap16(void *target, word16 *expected, word16 next) {
    uint64_t low = (uint64_t)*expected, high = (uint64_t)(*expected >> 64);
    bool done;
    __asm__ volatile("lock cmpxchg16b %1"
                     : "=@ccz"(done), "+m"(*(word16 *)target), "+a"(low), "+d"(high)
                     : "b"((uint64_t)next), "c"((uint64_t)(next >> 64))
                     : "memory");
    *expected = (word16)high << 64 | low;
    return done;
}

static word16 load16(const struct mer_atomic_domain *domain, void *target) {
    word16 value = 0;
    if (!domain->wide_moves) {
        swap16(target, &value, 0); /* writes only a zero over a zero */
        return value;
    }
    __m128i v;
    __asm__ volatile("movdqa %1, %0" : "=x"(v) : "m"(*(const __m128i *)target));
    _mm_storeu_si128((__m128i *)&value, v);
    return value;
}

static void store16(const struct mer_atomic_domain *domain, void *target, word16 value) {
    if (domain->wide_moves) {
        __m128i v = _mm_loadu_si128((const __m128i *)&value);
        __asm__ volatile("movdqa %1, %0" : "=m"(*(__m128i *)target) : "x"(v));
        return;
    }
    word16 old = load16(domain, target);
    while (!swap16(target, &old, value))
        ;
}

static bool whole(const struct mer_atomic_domain *domain, const void *target) {
    return domain->wide && ((uintptr_t)target & 15) == 0;
}

#else

void mer_atomic_pts_probe(struct mer_atomic_domain *domain) { (void)domain; }

/* Never called: whole() is false. */
static bool swap16(void *target, word16 *expected, word16 next) {
    (void)target, (void)expected, (void)next;
    __builtin_unreachable();
}
static word16 load16(const struct mer_atomic_domain *domain, void *target) {
    (void)domain, (void)target;
    __builtin_unreachable();
}
static void store16(const struct mer_atomic_domain *domain, void *target, word16 value) {
    (void)domain, (void)target, (void)value;
    __builtin_unreachable();
}
static bool whole(const struct mer_atomic_domain *domain, const void *target) {
    (void)domain, (void)target;
    return false;
}

#endif

static struct mer_mutex *lock_stripe(struct mer_atomic_domain *domain, const void *target) {
    struct mer_mutex *mutex = &domain->stripe[(uintptr_t)target / 8 % MER_ATOMIC_STRIPES].mutex;
    mer_mutex_lock(mutex, (uint32_t)mer_job.mythread + 1, "upc_atomic");
    return mutex;
}

void mer_atomic_pts_get(struct mer_atomic_domain *domain, void *fetch, void *target, const void *a,
                        const void *b) {
    (void)a, (void)b;
    if (!fetch)
        mer_atomic_missing("fetch_ptr", "UPC_GET");
    if (whole(domain, target)) {
        *(mer_pptr *)fetch = unpack(load16(domain, target));
        return;
    }
    struct mer_mutex *mutex = lock_stripe(domain, target);
    *(mer_pptr *)fetch = *(mer_pptr *)target;
    mer_mutex_unlock(mutex);
}

void mer_atomic_pts_set(struct mer_atomic_domain *domain, void *fetch, void *target, const void *a,
                        const void *b) {
    (void)b;
    if (!a)
        mer_atomic_missing("operand1", "UPC_SET");
    mer_pptr next = *(const mer_pptr *)a, old;
    if (whole(domain, target)) {
        if (!fetch) {
            store16(domain, target, pack(next));
            return;
        }
        word16 seen = load16(domain, target);
        while (!swap16(target, &seen, pack(next)))
            ;
        old = unpack(seen);
    } else {
        struct mer_mutex *mutex = lock_stripe(domain, target);
        old = *(mer_pptr *)target;
        *(mer_pptr *)target = next;
        mer_mutex_unlock(mutex);
    }
    if (fetch)
        *(mer_pptr *)fetch = old;
}

void mer_atomic_pts_cswap(struct mer_atomic_domain *domain, void *fetch, void *target, const void *a,
                          const void *b) {
    if (!a)
        mer_atomic_missing("operand1", "UPC_CSWAP");
    if (!b)
        mer_atomic_missing("operand2", "UPC_CSWAP");
    uint64_t expected = ((const mer_pptr *)a)->bits;
    mer_pptr next = *(const mer_pptr *)b, old;
    if (whole(domain, target)) {
        word16 seen = pack(*(const mer_pptr *)a); /* a guess that spares the load if phases agree */
        while (!swap16(target, &seen, pack(next)) && (uint64_t)seen == expected)
            ;
        old = unpack(seen);
    } else {
        struct mer_mutex *mutex = lock_stripe(domain, target);
        old = *(mer_pptr *)target;
        if (old.bits == expected)
            *(mer_pptr *)target = next;
        mer_mutex_unlock(mutex);
    }
    if (fetch)
        *(mer_pptr *)fetch = old;
}

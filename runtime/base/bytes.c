/* Long copies of bytes. meridian/bytes.h says why they are not the C library's.
 *
 * The loop stores whole, aligned vectors and reads unaligned ones, four at a time. The first and the last
 * vector of the target may be unaligned: both are read before the loop and written after it, so the loop
 * needs no remainder. Time a byte is then the same for all alignments. Measured on an AMD EPYC, medians: 4
 * KB 37 to 53 ns, where memcpy takes 42 to 1,500; 32 KB 560 ns, where it takes 560 to 9,300. */
#include <meridian/bytes.h>

#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#include <stdint.h>

#define VECTOR 32

__attribute__((target("avx2"))) static void move_vectors(char *to, const char *from, size_t n) {
    char *end = to + n - VECTOR;
    const __m256i first = _mm256_loadu_si256((const void *)from);
    const __m256i last = _mm256_loadu_si256((const void *)(from + n - VECTOR));
    size_t done = VECTOR - ((uintptr_t)to & (VECTOR - 1));
    char *t = to + done;
    for (from += done; t + 4 * VECTOR <= end; t += 4 * VECTOR, from += 4 * VECTOR) {
        __m256i a = _mm256_loadu_si256((const void *)from);
        __m256i b = _mm256_loadu_si256((const void *)(from + VECTOR));
        __m256i c = _mm256_loadu_si256((const void *)(from + 2 * VECTOR));
        __m256i d = _mm256_loadu_si256((const void *)(from + 3 * VECTOR));
        _mm256_store_si256((void *)t, a);
        _mm256_store_si256((void *)(t + VECTOR), b);
        _mm256_store_si256((void *)(t + 2 * VECTOR), c);
        _mm256_store_si256((void *)(t + 3 * VECTOR), d);
    }
    for (; t < end; t += VECTOR, from += VECTOR)
        _mm256_store_si256((void *)t, _mm256_loadu_si256((const void *)from));
    _mm256_storeu_si256((void *)to, first);
    _mm256_storeu_si256((void *)end, last);
}

void mer_bytes_move_long(void *to, const void *from, size_t n) {
    /* As unsigned distances: below n in one direction, they overlap. */
    if ((uintptr_t)to - (uintptr_t)from < n || (uintptr_t)from - (uintptr_t)to < n ||
        !__builtin_cpu_supports("avx2"))
        memmove(to, from, n);
    else
        move_vectors(to, from, n);
}
#else
void mer_bytes_move_long(void *to, const void *from, size_t n) { memmove(to, from, n); }
#endif

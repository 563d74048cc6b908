/* Copies of bytes within the memory of a host: a part of abi.h.
 *
 * A small copy is the C library's, or the C compiler's own code if the length is known.  A long one is
 * mer_bytes_move_long (base/bytes.c): the C library's takes two to thirty times as long if the target lies a
 * few bytes above the source modulo the page size.  An array on a page boundary and a large block of malloc,
 * which lies 16 bytes above one, are such a pair.
 *
 * Cost over the C library's function: a subtraction and a comparison. */
#ifndef MERIDIAN_BYTES_H
#define MERIDIAN_BYTES_H

/* The range of lengths, in bytes, in which mer_bytes_move_long is faster.  Beyond it, only the memory's speed
 * counts, and the C library writes past the caches. */
#define MER_BYTES_LEAST 1024
#define MER_BYTES_MOST (1UL << 20)

/* Copies n bytes, at least 128; the two regions may overlap. */
void mer_bytes_move_long(void *to, const void *from, __SIZE_TYPE__ n);

/* Returns n, and hides a constant n over `expanded` from the C compiler, which would expand it as `rep movs'
 * or `rep stos': the library's functions take a third of the time at 256 bytes and a half at 1 KB, a quarter
 * if the sides are aligned differently. */
static __inline__ __attribute__((__always_inline__, __unused__)) __SIZE_TYPE__
mer_length(__SIZE_TYPE__ n, __SIZE_TYPE__ expanded) {
    if (__builtin_constant_p(n) && n > expanded)
        __asm__("" : "+r"(n));
    return n;
}

#ifdef MER_SANITIZE
#define mer_bytes_copy(to, from, n) ((void)mer_san_memcpy(to, from, n))
#define mer_bytes_move(to, from, n) ((void)mer_san_memmove(to, from, n))
#define mer_bytes_set(to, byte, n) ((void)mer_san_memset(to, byte, n))
#else
#define mer_bytes_set(to, byte, n) ((void)__builtin_memset(to, byte, mer_length(n, 64)))
static __inline__ __attribute__((__always_inline__, __unused__)) int mer_bytes_long(__SIZE_TYPE__ n) {
    return n - MER_BYTES_LEAST < MER_BYTES_MOST - MER_BYTES_LEAST;
}

/* memcpy and memmove. */
static __inline__ __attribute__((__always_inline__, __unused__)) void
mer_bytes_copy(void *to, const void *from, __SIZE_TYPE__ n) {
    if (mer_bytes_long(n))
        mer_bytes_move_long(to, from, n);
    else
        __builtin_memcpy(to, from, mer_length(n, 160));
}
static __inline__ __attribute__((__always_inline__, __unused__)) void
mer_bytes_move(void *to, const void *from, __SIZE_TYPE__ n) {
    if (mer_bytes_long(n))
        mer_bytes_move_long(to, from, n);
    else
        __builtin_memmove(to, from, mer_length(n, 160));
}
#endif

#endif

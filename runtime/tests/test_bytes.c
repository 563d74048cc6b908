/* Copies of bytes (meridian/abi/bytes.h, base/bytes.c): every length near the bounds of the vector loop,
 * every alignment of both sides within a line, distances at which the two overlap, and random pairs. Bytes
 * beside the target stay unchanged. */
#include <meridian/abi/bytes.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAGE 4096UL
#define MOST (3UL << 20)

static unsigned char *memory, *expected;
static int failures;

static unsigned long random_below(unsigned long n) {
    static unsigned long long state = 88172645463325252ULL;
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return (unsigned long)(state % n);
}

/* Copies n bytes from offset `from` to offset `to` of the same memory, with mer_bytes_move if they
 * overlap. */
static void try(unsigned long to, unsigned long from, unsigned long n, int overlap) {
    unsigned long low = to < from ? to : from, high = (to < from ? from : to) + n;
    low = low < 64 ? 0 : low - 64, high += 64;
    memcpy(expected + low, memory + low, high - low);
    memmove(expected + to, expected + from, n);
    if (overlap)
        mer_bytes_move(memory + to, memory + from, n);
    else
        mer_bytes_copy(memory + to, memory + from, n);
    if (memcmp(memory + low, expected + low, high - low) != 0 && failures++ < 5)
        printf("%lu bytes from %lu to %lu: wrong\n", n, from, to);
    memory[from + random_below(n)] = (unsigned char)random_below(256); /* so that a missing copy shows */
}

static void apart(void) {
    static const unsigned long lengths[] = {MER_BYTES_LEAST - 1,
                                            MER_BYTES_LEAST,
                                            MER_BYTES_LEAST + 1,
                                            MER_BYTES_LEAST + 127,
                                            MER_BYTES_LEAST + 128,
                                            MER_BYTES_LEAST + 160,
                                            MER_BYTES_LEAST + 255,
                                            MER_BYTES_LEAST + 256,
                                            4096,
                                            4097};
    for (unsigned i = 0; i < sizeof lengths / sizeof *lengths; i++)
        for (unsigned long to = 0; to < 65; to++)
            for (unsigned long from = 0; from < 65; from++)
                try(PAGE + to, 4 * PAGE + from, lengths[i], 0);
}

/* Lengths at which the first-level cache no longer holds both blocks. */
static void beyond_the_cache(void) {
    for (unsigned long n = 6 * PAGE - 1; n <= 6 * PAGE + 1; n++)
        for (unsigned long to = 0; to < 130; to += 3)
            for (unsigned long from = 0; from < 130; from += 7)
                try(PAGE + to, 10 * PAGE + from, n, 0);
}

static void overlapping(void) {
    for (unsigned long distance = 0; distance < 400; distance++)
        for (unsigned long n = MER_BYTES_LEAST; n < MER_BYTES_LEAST + 300; n += 37) {
            try(PAGE + distance, PAGE, n, 1);
            try(PAGE, PAGE + distance, n, 1);
        }
    for (unsigned long n = MER_BYTES_LEAST; n < 3000; n += 101) /* touching, and one byte more or less */
        for (unsigned long more = 0; more < 3; more++) {
            try(PAGE + n - 1 + more, PAGE, n, 1);
            try(PAGE, PAGE + n - 1 + more, n, 1);
        }
}

static void any(void) {
    for (int i = 0; i < 3000; i++) {
        unsigned long n = 1 + random_below(i % 10 ? 20000 : MOST / 2 - PAGE);
        try(random_below(MOST - n), random_below(MOST - n), n, 1);
    }
}

int main(void) {
    memory = aligned_alloc(PAGE, MOST + PAGE), expected = aligned_alloc(PAGE, MOST + PAGE);
    if (!memory || !expected)
        return 2;
    for (unsigned long i = 0; i < MOST + PAGE; i++)
        memory[i] = (unsigned char)random_below(256);
    apart();
    beyond_the_cache();
    overlapping();
    any();
    if (failures)
        printf("%d copies of bytes are wrong\n", failures);
    return failures != 0;
}

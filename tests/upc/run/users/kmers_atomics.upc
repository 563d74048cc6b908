// A k-mer table with open addressing: slots claimed by atomic compare-and-swap, counts by atomic
// addition, the extension of each k-mer packed into a word of bits; strings fetched from a distributed
// text with upc_memget of odd lengths over borders of blocks.
//: mode static
//: static 1 2 3 4 8
//: clause 7.6.2 p1
#include "../../check.h"
#include <string.h>
#include <upc_atomic.h>

#define K 5
#define L 50
#define SLOTS 512
shared [L] char text[L * THREADS + L];
shared unsigned long key[SLOTS];
shared long count[SLOTS];
shared unsigned next_bits[SLOTS];

static char letter(size_t i) { return "ACGT"[(i * i * 7 + i / 3) % 4]; }

static unsigned long pack(const char *s) {
    unsigned long bits = 1;
    for (int i = 0; i < K; i++)
        bits = bits << 2 | (unsigned long)(strchr("ACGT", s[i]) - "ACGT");
    return bits;
}

static size_t find(upc_atomicdomain_t *words, unsigned long wanted) {
    size_t at = wanted * 0x9e3779b97f4a7c15ul >> 55;
    for (;; at = (at + 1) % SLOTS) {
        unsigned long was, empty = 0;
        upc_atomic_relaxed(words, &was, UPC_CSWAP, &key[at], &empty, &wanted);
        if (was == 0 || was == wanted)
            return at;
    }
}

/* Up to n letters from place i on, which may lie on several threads. */
static void fetch(char *to, size_t i, size_t n) {
    while (n > 0) {
        size_t here = L - i % L < n ? L - i % L : n;
        upc_memget(to, &text[i], here);
        to += here, i += here, n -= here;
    }
}

int main(void) {
    size_t length = (size_t)L * THREADS;
    upc_atomicdomain_t *words = upc_all_atomicdomain_alloc(UPC_ULONG, UPC_CSWAP | UPC_GET, 0);
    upc_atomicdomain_t *longs = upc_all_atomicdomain_alloc(UPC_LONG, UPC_ADD | UPC_INC,
                                                           UPC_ATOMIC_HINT_LATENCY);
    upc_atomicdomain_t *bits = upc_all_atomicdomain_alloc(UPC_UINT, UPC_OR | UPC_AND | UPC_XOR, 0);
    upc_forall (size_t i = 0; i < length + L; i++; &text[i])
        text[i] = letter(i % length);
    upc_barrier;
    for (size_t i = (size_t)MYTHREAD; i < length; i += (size_t)THREADS) {
        char s[K + 1];
        fetch(s, i, K + 1);
        size_t at = find(words, pack(s));
        long one = 1;
        if (i % 2)
            upc_atomic_relaxed(longs, NULL, UPC_INC, &count[at], NULL, NULL);
        else
            upc_atomic_strict(longs, NULL, UPC_ADD, &count[at], &one, NULL);
        unsigned next = 1u << (strchr("ACGT", s[K]) - "ACGT");
        upc_atomic_relaxed(bits, NULL, UPC_OR, &next_bits[at], &next, NULL);
    }
    upc_barrier;

    /* Serially, every thread. */
    long all = 0;
    for (size_t slot = 0; slot < SLOTS; slot++) {
        unsigned long packed = key[slot];
        if (packed == 0) {
            CHECK_EQ(count[slot], 0);
            continue;
        }
        long wanted = 0;
        unsigned next = 0;
        for (size_t i = 0; i < length; i++) {
            char s[K + 1];
            for (int k = 0; k <= K; k++)
                s[k] = letter((i + (size_t)k) % length);
            if (pack(s) == packed) {
                wanted++;
                next |= 1u << (strchr("ACGT", s[K]) - "ACGT");
            }
        }
        CHECK_EQ(count[slot], wanted);
        CHECK_EQ(next_bits[slot], next);
        all += wanted;
    }
    CHECK_EQ(all, length);
    upc_barrier;
    upc_all_atomicdomain_free(words);
    upc_all_atomicdomain_free(longs);
    upc_all_atomicdomain_free(bits);
    return 0;
}

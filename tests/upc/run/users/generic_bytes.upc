// Pointers to shared void, casts between layouts, odd sizes and odd places: every function of the
// library moves bytes, and a private array gives the right result.
//: clause 7.2.5.1 p3
#include "../../check.h"
#include <string.h>

#define B 13
#define N (B * 3)
shared [B] unsigned char bytes[N * THREADS];
shared [] unsigned char scratch[N * 2];
shared [5] struct { char c; short s; } odd[5 * THREADS];

static unsigned char model[N * 64];

static void same(void) {
    upc_barrier;
    for (size_t i = 0; i < (size_t)N * THREADS; i++)
        CHECK_EQ(bytes[i], model[i]);
    upc_barrier;
}

int main(void) {
    size_t total = (size_t)N * THREADS;
    upc_forall (size_t i = 0; i < total; i++; &bytes[i])
        bytes[i] = (unsigned char)(i * 7);
    for (size_t i = 0; i < total; i++)
        model[i] = (unsigned char)(i * 7);
    same();

    /* Within a block, from every place, every length. */
    for (size_t block = 0; block < total / B; block++)
        for (size_t at = 0; at < B; at += 3) {
            size_t n = B - at, i = block * B + at;
            unsigned char got[B + 2];
            memset(got, 0xee, sizeof got);
            shared void *p = &bytes[i];
            upc_memget(got + 1, p, n);
            CHECK(memcmp(got + 1, model + i, n) == 0);
            CHECK_EQ(got[0], 0xee);
            CHECK_EQ(got[n + 1], 0xee);
            CHECK_EQ(upc_threadof(p), block % THREADS);
            shared [B] unsigned char *back = (shared [B] unsigned char *)p;
            CHECK_EQ(upc_phaseof((shared [B] unsigned char *)&bytes[i]), at);
            CHECK_EQ(*back, model[i]);
            shared [] unsigned char *plain = (shared [] unsigned char *)&bytes[i];
            for (size_t k = 0; k < n; k++)
                CHECK_EQ(plain[k], model[i + k]);
            shared [B] unsigned char *reset = upc_resetphase(&bytes[i]);
            CHECK_EQ(upc_phaseof(reset), 0);
            CHECK_EQ(upc_addrfield(reset), upc_addrfield(&bytes[i]));
        }
    upc_barrier;

    /* One thread writes, in turn. */
    for (int t = 0; t < THREADS; t++) {
        size_t i = (size_t)t * B + t % B, n = B - t % B;
        size_t j = total - B;
        if (MYTHREAD == t) {
            unsigned char line[B];
            for (size_t k = 0; k < n; k++)
                line[k] = (unsigned char)(t + k);
            upc_memput(&bytes[i], line, n);
            upc_memset(&bytes[j], 0x55 + t, n / 2);
            upc_memcpy((shared void *)scratch, &bytes[i], n);
            upc_memcpy(&bytes[j + n / 2], scratch, n - n / 2);
            upc_memcpy(&bytes[j], &bytes[j], 0);
        }
        for (size_t k = 0; k < n; k++)
            model[i + k] = (unsigned char)(t + k);
        memset(model + j, 0x55 + t, n / 2);
        for (size_t k = 0; k < n - n / 2; k++)
            model[j + n / 2 + k] = j == i && k < n / 2 ? (unsigned char)(0x55 + t) : (unsigned char)(t + k);
        same();
    }
    /* Structs with padding, by void pointers that are cast back to their types. */
    shared void *any[2] = {&odd[0], &odd[5 * THREADS - 1]};
    if (MYTHREAD == 0) {
        ((shared [5] typeof(odd[0]) *)any[0])->s = 77;
        ((shared [] short *)any[1])[1] = 78;
    }
    upc_barrier;
    CHECK_EQ(odd[0].s, 77);
    CHECK_EQ(odd[5 * THREADS - 1].s, 78);
    CHECK(any[0] != any[1] && any[0] == (shared void *)&odd[0].c);
    return 0;
}

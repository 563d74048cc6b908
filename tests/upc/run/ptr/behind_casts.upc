// Pointers-to-shared that are reached by a cast private pointer, as in a function for qsort: compared,
// subtracted, tested, converted, and used.
//: clause 6.4.2 p6
#include <string.h>
#include "../../check.h"

shared int a[8 * THREADS];
shared[3] int b[6 * THREADS];

static int by_value(const void *p, const void *q) {
    return **(shared int *const *)p - **(shared int *const *)q;
}

static int by_place(const void *p, const void *q) {
    return *(shared int **)p < *(shared int **)q ? -1 : *(shared int **)p > *(shared int **)q;
}

static int is_null(void *p) { return *(shared int **)p == 0 || !*(shared int **)p; }
static int is_given(void *p) { return *(shared[3] int **)p && *(shared[3] int **)p != NULL; }
static _Bool truth(char *p) { return *(shared int **)(void *)p; }
static long number(char *p) { return (long)*(shared int **)p; }
static void *native(char *p) { return (void *)*(shared int **)p; }

struct holder {
    char fill[3];
    shared[3] int *at;
} __attribute__((packed));

int main(void) {
    shared int *places[8], *none = 0;
    for (int i = 0; i < 8; i++) {
        places[i] = &a[i * THREADS + MYTHREAD];
        *places[i] = i * 5 % 8;
    }
    qsort(places, 8, sizeof places[0], by_value);
    for (int i = 0; i < 8; i++)
        CHECK_EQ(*places[i], i);
    qsort(places, 8, sizeof places[0], by_place);
    for (int i = 0; i < 8; i++)
        CHECK(*(shared int **)&places[i] == &a[i * THREADS + MYTHREAD]);
    void *p = &places[2], *q = places + 5, *n = &none;
    CHECK_EQ(*(shared int **)q - *(shared int **)p, 3 * THREADS);
    CHECK(is_null(n) && !is_null(p) && truth(p) && !truth(n));
    CHECK(number(p) == (long)places[2] && native(p) == (void *)places[2]);
    CHECK_EQ((*(shared int **)p)[THREADS], *places[3]);
    CHECK((__extension__(*(shared int **)p)) == places[2] && (*(shared int **)p ?: none) == places[2]);
    (*(shared int **)p)++;
    CHECK(places[2] == &a[2 * THREADS + MYTHREAD + 1]);
    CHECK_EQ(upc_threadof(*(shared int **)p), (MYTHREAD + 1) % THREADS);
    *(shared int **)p = *(shared int **)n;
    CHECK(places[2] == NULL);

    // A pointer with a phase, at an odd address.
    char bytes[64];
    shared[3] int *at = &b[4];
    memcpy(bytes + 3, &at, sizeof at);
    CHECK(((struct holder *)bytes)->at == &b[4] && is_given(&at));
    CHECK_EQ(upc_phaseof((*(struct holder *)bytes).at), 1);
    shared void *any = *(shared[3] int **)(void *)&at;
    CHECK(any == at && *(shared[3] int **)(void *)&at - b == 4);
    return 0;
}

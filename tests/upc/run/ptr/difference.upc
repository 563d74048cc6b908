// Differences at every distance, across threads and rows, for all three kinds of pointer.
//: clause 6.4.2 p8
//: clause 6.4.2 p9
#include <stddef.h>
#include "../../check.h"

#define N 40
shared long a1[N * THREADS];
shared[8] long a8[N * THREADS];
shared[] long a0[N];

int main(void) {
    CHECK(_Generic(&a1[1] - &a1[0], ptrdiff_t : 1, default : 0));
    for (int i = 0; i < N * THREADS; i += 3)
        for (int j = 0; j < N * THREADS; j += 7) {
            CHECK_EQ(&a1[i] - &a1[j], i - j);
            CHECK_EQ(&a8[i] - &a8[j], i - j);
            CHECK_EQ(&a1[i] < &a1[j], i < j);
            CHECK_EQ(&a8[i] >= &a8[j], i >= j);
        }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            CHECK_EQ(&a0[i] - &a0[j], i - j);
            CHECK_EQ(&a0[i] > &a0[j], i > j);
        }
    shared long *first = a1, *last = &a1[N * THREADS - 1];
    shared long *middle = first + (last - first) / 2;
    CHECK(first <= middle && middle <= last);
    CHECK_EQ((last - middle) + (middle - first), N * THREADS - 1);
    return 0;
}

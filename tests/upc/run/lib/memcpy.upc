// upc_memcpy, upc_memget, upc_memput and upc_memset for all sizes up to pages, all alignments, and between
// any two threads; the bytes beside the range stay.
//: clause 7.2.5.1 p1
//: clause 7.2.5.1 p2
//: clause 7.2.5.1 p3
//: clause 7.2.5.2 p1
//: clause 7.2.5.2 p2
//: clause 7.2.5.2 p3
//: clause 7.2.5.3 p1
//: clause 7.2.5.3 p2
//: clause 7.2.5.3 p3
//: clause 7.2.5.4 p1
//: clause 7.2.5.4 p2
//: clause 7.2.5.4 p3
#include <string.h>
#include "../../check.h"

#define SIZE 20000
shared[SIZE] unsigned char a[SIZE * THREADS], b[SIZE * THREADS];
static unsigned char local[SIZE], back[SIZE];

static int pattern(int t, int i) { return (t * 31 + i * 7 + i / 256) & 255; }

static void one(int n, int from, int to) {
    int other = (MYTHREAD + 1) % THREADS, third = (MYTHREAD + THREADS / 2) % THREADS;
    shared[SIZE] unsigned char *src = &a[other * SIZE], *dst = &b[MYTHREAD * SIZE];
    upc_memset(dst, 0xee, n + 64);
    upc_memcpy(dst + to, src + from, n);
    upc_memget(back, dst, n + 64);
    for (int i = 0; i < n + 64; i++)
        CHECK_EQ(back[i], i < to || i >= to + n ? 0xee : pattern(other, from + i - to));
    upc_memget(local + to, &a[third * SIZE + from], n);
    for (int i = 0; i < n; i += 1 + n / 50)
        CHECK_EQ(local[to + i], pattern(third, from + i));
    upc_memset(dst, 0x111, n + 64);
    upc_memput(dst + to, local + to, n);
    for (int i = 0; i < n + 64; i += i < to || i > to + n - 3 ? 1 : 1 + n / 50)
        CHECK_EQ(dst[i], i < to || i >= to + n ? 0x11 : pattern(third, from + i - to));
}

int main(void) {
    for (int i = 0; i < SIZE; i++)
        a[MYTHREAD * SIZE + i] = pattern(MYTHREAD, i);
    upc_barrier;
    for (int n = 0; n < 70; n++)
        one(n, n % 9, (n * 5) % 17);
    int sizes[] = {127, 128, 1000, 4095, 4096, 4097, 8192, 19000};
    for (int k = 0; k < 8; k++)
        for (int offset = 0; offset < 20; offset += 7)
            one(sizes[k], offset, 20 - offset);
    upc_memcpy(NULL, NULL, 0);
    upc_memget(NULL, NULL, 0);
    upc_memput(NULL, NULL, 0);
    upc_memset(NULL, 0, 0);
    upc_barrier;
    return 0;
}

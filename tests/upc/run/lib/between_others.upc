// Copies between two threads, neither of them the caller if there are three, of lengths around those at
// which the method changes; bytes beside them stay unchanged.
//: clause 7.2.5.1 p3
#include <upc.h>
#include <string.h>
#include "../../check.h"

#define MOST (700 << 10)

shared[MOST] unsigned char area[THREADS * MOST];
static unsigned char bytes[MOST];

int main(void) {
    static const size_t lengths[] = {1, 4095, 16 << 10, (16 << 10) + 1, 100000, 256 << 10, (512 << 10) + 5, MOST - 8};
    for (int i = 0; i < 8; i++) {
        size_t n = lengths[i], to_at = (size_t)i % 3, from_at = (size_t)i % 2 * 3;
        int from = (MYTHREAD + 1) % THREADS, to = (MYTHREAD + 2) % THREADS;
        for (size_t k = 0; k < MOST; k++)
            bytes[k] = (unsigned char)(k * 7 + k / 256 + (size_t)MYTHREAD * 31 + (size_t)i);
        upc_memput(&area[(size_t)MYTHREAD * MOST], bytes, MOST);
        upc_barrier;
        // In turn, since each one's source is another's destination.
        for (int t = 0; t < THREADS; t++) {
            if (t == MYTHREAD) {
                upc_memcpy(&area[(size_t)to * MOST + to_at], &area[(size_t)from * MOST + from_at], n);
                static unsigned char source[MOST];
                upc_memget(source, &area[(size_t)from * MOST], MOST);
                upc_memget(bytes, &area[(size_t)to * MOST], MOST);
                if (from != to)
                    CHECK(memcmp(bytes + to_at, source + from_at, n) == 0);
            }
            upc_barrier;
        }
        upc_forall(int k = 0; k < THREADS; k++; k) for (size_t j = to_at + n; j < MOST; j++)
            CHECK_EQ(area[(size_t)k * MOST + j],
                     (unsigned char)(j * 7 + j / 256 + (size_t)k * 31 + (size_t)i));
        upc_barrier;
    }
    return 0;
}

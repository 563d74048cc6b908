// Bit-fields of one shared structure that are in different storage units may be written by different
// threads; updates under a lock within one unit are not lost.
//: clause 7.2.4.6 p5
#include "../../check.h"

shared struct {
    unsigned a : 5, b : 11;
    int : 0;
    unsigned c : 9;
} s;

int main(void) {
    upc_lock_t *lock = upc_all_lock_alloc();
    for (int i = 0; i < 20; i++) {
        upc_lock(lock);
        s.b++;
        s.c += 2;
        s.a ^= 1;
        upc_unlock(lock);
    }
    upc_barrier;
    CHECK_EQ(s.b, 20 * THREADS);
    CHECK_EQ(s.c, 40 * THREADS);
    CHECK_EQ(s.a, 0);
    upc_barrier;
    if (MYTHREAD == 0)
        upc_lock_free(lock);
    return 0;
}

// Users' names that look like names of a translation: none may clash.
#include "../../check.h"

int mer_x = 1, bits = 2, phase = 3, p_ = 4, T = 5, t = 6, result_ = 7;
struct mer_struct {
    int bits, phase;
} ptr = {8, 9};
typedef int mer_t;
shared int it[THREADS];
static int f(int v_, int b_, int p, int q) { return v_ * 1000 + b_ * 100 + p * 10 + q; }

int main(void) {
    int i_ = 1, n = 2, size = 3, block = 4, mer = 5, outer = 6, base = 7, a = 8, s = 9, k = 10, r = 11, st = 12;
    mer_t mine = 13;
    upc_forall(int t = 0; t < THREADS; t++; &it[t]) {
        int mer_i = t, q = mer_i;
        it[t] = q + i_ + n + size + block + mer + outer + base + a + s + k + r + st + mine;
        it[t] += it[t] * 0 + f(1, 2, 3, 4) * 0;
        int bits = it[t];
        it[t] = bits;
    }
    upc_barrier;
    CHECK_EQ(it[MYTHREAD], MYTHREAD + 91);
    CHECK_EQ(mer_x + bits + phase + p_ + T + t + result_ + ptr.bits + ptr.phase, 45);
    for (int bits = 0, phase = 0; bits < 3; bits++, phase++)
        it[MYTHREAD] = bits * phase;
    CHECK_EQ(it[MYTHREAD], 4);
    return 0;
}

// Updates of shared complex numbers, _Bool, bit-fields of _Bool, vectors and their elements, __int128,
// enumerations, and pointers to private in shared memory.
#include <complex.h>
#include <stdbool.h>
#include "../../check.h"

typedef int v4 __attribute__((vector_size(16)));
shared double complex z[THREADS];
shared float _Complex zf[THREADS];
shared bool b[THREADS];
shared struct {
    bool flag : 1;
    unsigned : 3;
    unsigned n : 20;
    long long big : 40;
} bits[THREADS];
shared v4 v[THREADS];
shared __int128 wide[THREADS];
shared unsigned __int128 uwide[THREADS];
enum colour { RED, GREEN, BLUE };
shared enum colour colours[THREADS];
char *shared names[THREADS];

int main(void) {
    int t = MYTHREAD;
    z[t] = 1 + 2 * I;
    z[t] *= 2 - I;
    z[t] += 1;
    CHECK(creal(z[t]) == 5 && cimag(z[t]) == 3);
    __real__ z[t] = 7;
    __imag__ z[t] += 1;
    CHECK(__real__ z[t] == 7 && cimag(z[t]) == 4 && z[t] == 7 + 4 * I);
    zf[t] = z[t];
    zf[t] /= 2;
    CHECK(crealf(zf[t]) == 3.5f);
    b[t] = 4;
    CHECK_EQ(b[t]++, 1);
    CHECK_EQ(b[t], 1);
    b[t]--;
    CHECK_EQ(b[t], 0);
    b[t] |= 6;
    CHECK_EQ(b[t], 1);
    b[t] += 0.5;
    CHECK_EQ(b[t] ? 5 : 6, 5);
    bits[t].flag = 2;
    bits[t].n = (1 << 20) - 1;
    bits[t].n++;
    bits[t].big = -1;
    bits[t].big *= 1LL << 38;
    CHECK(bits[t].flag == 1 && bits[t].n == 0 && bits[t].big == -(1LL << 38));
    CHECK((bits[t].n = 1 << 20) == 0 && (bits[t].n -= 1) == (1 << 20) - 1);
    v[t] = (v4){1, 2, 3, 4};
    v[t] += (v4){1, 1, 1, 1};
    v[t][2] = 9;
    v[t][3]++;
    CHECK(v[t][0] == 2 && v[t][2] == 9 && v[t][3] == 6);
    v4 cmp = v[t] == (v4){2, 0, 9, 0};
    CHECK(cmp[0] == -1 && cmp[1] == 0);
    wide[t] = 1;
    wide[t] <<= 100;
    wide[t]--;
    CHECK(wide[t] >> 99 == 1 && (long)wide[t] == -1);
    uwide[t] = -1;
    CHECK(uwide[t] / 3 * 3 == uwide[t]);
    colours[t] = RED;
    colours[t]++;
    colours[t] += 1;
    CHECK(colours[t] == BLUE);
    char own[] = "abc";
    names[t] = own;
    CHECK(*names[t]++ == 'a' && names[t][1] == 'c' && names[t] - own == 1);
    *names[t] = 'x';
    CHECK_EQ(own[1], 'x');
    return 0;
}

// C99 and C11: _Generic, designated and compound initialisers, anonymous members, _Static_assert, _Alignas,
// _Noreturn, complex numbers, hexadecimal floats, wide and Unicode strings, restrict, inline, atomics.
#include <complex.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdnoreturn.h>
#include <string.h>
#include <tgmath.h>
#include <uchar.h>
#include <wchar.h>
#include "../../check.h"

#define NAME(x) _Generic((x), int : "int", double : "double", char * : "string", default : "other")
struct point {
    int x, y;
};
struct shape {
    enum { CIRCLE, BOX } kind;
    union {
        double radius;
        struct {
            struct point low, high;
        };
    };
};
_Static_assert(sizeof(struct point) == 8, "two ints");
static noreturn void leave(void) { exit(0); }
inline static int add(int a, int b) { return a + b; }
static int sum(int n, const int a[static restrict n]) {
    int s = 0;
    while (n--)
        s += a[n];
    return s;
}
static struct point mirror(struct point p) { return (struct point){.y = p.x, .x = p.y}; }
static int table[][3] = {[1] = {4, 5, 6}, [0][2] = 3, [2 ... 3] = {[1] = 9}};

int main(void) {
    CHECK(strcmp(NAME(1), "int") == 0 && strcmp(NAME(1.0), "double") == 0 && strcmp(NAME(1L), "other") == 0);
    struct shape box = {BOX, .low = {1, 2}, .high.x = 3};
    CHECK(box.low.y == 2 && box.high.x == 3 && box.high.y == 0);
    CHECK_EQ(mirror((struct point){1, 2}).x, 2);
    CHECK_EQ(sum(4, (int[]){1, 2, 3, 4}), 10);
    CHECK_EQ(sizeof table / sizeof table[0], 4);
    CHECK_EQ(table[0][2] + table[1][0] + table[3][1], 16);
    alignas(32) char buffer[3];
    CHECK_EQ((uintptr_t)buffer % 32, 0);
    double complex z = cexp(I * acos(-1.0));
    CHECK(creal(z) < -0.999 && fabs(cimag(z)) < 1e-9);
    CHECK(0x1.8p+1 == 3.0 && 1e-3f < 0.01 && .5 + 5. == 5.5 && 0x10 == 020 && 0b11 == 3);
    CHECK(sqrt(16.0f) == 4.0f);
    CHECK(L"w\u00e9"[1] == 0xe9 && u"a"[0] == 'a' && U"b"[1] == 0 && u8"\xe2\x82\xac"[0] == "€"[0]);
    CHECK(wcslen(L"four") == 4 && strlen("con" "cat" "enated") == 12);
    _Atomic int counter = 1;
    atomic_fetch_add(&counter, 4);
    CHECK_EQ(counter, 5);
    bool flag = 2;
    CHECK(flag == true && 'ab' != 0);
    CHECK_EQ(add(UINT8_C(1), sizeof "x"), 3);
    for (struct point *p = &(struct point){3, 0}; p->x; p->x--)
        CHECK(p->y == 0);
    int (*functions[])(int, int) = {add, &add};
    CHECK_EQ(functions[1](2, 3) + (*functions)(1, 1), 7);
    int (*(*nested)(void))[3] = 0;
    CHECK(nested == 0);
    CHECK_EQ((-7) / 2 * 10 + (-7) % 2, -31);
    CHECK_EQ((unsigned char)300 + (signed char)200 + (1u - 2 > 0), 44 - 56 + 1);
    CHECK((1 ? 2, 3 == 3 : 0));
    if (MYTHREAD >= 0)
        leave();
    return 1;
}

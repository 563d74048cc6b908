// Shared lvalues wherever C takes a value: arguments, conditions, indices, initialisers, variadic calls,
// casts, logical operators, switch, return, sizeof, comparisons between shared and private.
#include <math.h>
#include <string.h>
#include "../../check.h"

shared int a[4 * THREADS];
shared double d[THREADS];
shared[] char text[20];
shared struct {
    int v[3];
    char name[8];
} s[THREADS];
static int id(int x) { return x; }
static double mix(char c, long l, float f) { return c + l + f; }
static int get(void) { return a[MYTHREAD]; }

int main(void) {
    a[MYTHREAD] = 2;
    a[MYTHREAD + THREADS] = a[MYTHREAD] * 3;
    d[MYTHREAD] = a[MYTHREAD] / 4.0;
    int local[8] = {a[MYTHREAD], a[MYTHREAD + THREADS], [5] = a[MYTHREAD]};
    CHECK_EQ(local[0] + local[1] + local[5], 10);
    CHECK_EQ(id(a[MYTHREAD]) + get(), 4);
    CHECK(mix(a[MYTHREAD], a[MYTHREAD], d[MYTHREAD]) == 4.5);
    CHECK_EQ(local[a[MYTHREAD] - 1], 6);
    CHECK_EQ(a[a[MYTHREAD] * 0 + MYTHREAD], 2);
    char buffer[40];
    sprintf(buffer, "%d %g %c", a[MYTHREAD], d[MYTHREAD], 'a' + a[MYTHREAD]);
    CHECK(strcmp(buffer, "2 0.5 c") == 0);
    switch (a[MYTHREAD]) {
    case 2: break;
    default: CHECK(0);
    }
    if (a[MYTHREAD] && !a[MYTHREAD + 2 * THREADS] && (a[MYTHREAD + 2 * THREADS] || d[MYTHREAD]))
        local[0] = a[MYTHREAD] ? a[MYTHREAD] << 3 : 0;
    CHECK_EQ(local[0], 16);
    while (a[MYTHREAD]--)
        local[0]++;
    CHECK(local[0] == 18 && a[MYTHREAD] == -1);
    for (a[MYTHREAD] = 0; a[MYTHREAD] < 5; a[MYTHREAD]++)
        local[1] += a[MYTHREAD];
    CHECK_EQ(local[1], 16);
    int x = a[MYTHREAD] = local[2] = 7;
    CHECK(x == 7 && a[MYTHREAD] == 7 && local[2] == 7);
    d[MYTHREAD] = a[MYTHREAD] = 3.9; /* through int */
    CHECK(d[MYTHREAD] == 3.0);
    float f = d[MYTHREAD] + 1;
    CHECK((int)d[MYTHREAD] % 2 == 1 && f == 4 && -d[MYTHREAD] < 0 && sqrt(d[MYTHREAD] * 3) == 3);
    s[MYTHREAD].v[a[MYTHREAD] - 1] = 5;
    CHECK_EQ(s[MYTHREAD].v[2], 5);
    if (MYTHREAD == 0)
        for (int i = 0; i < 12; i++)
            text[i] = "hello, world"[i];
    upc_barrier;
    char copy[20] = {0};
    for (int i = 0; (copy[i] = text[i]); i++)
        ;
    CHECK(strcmp(copy, "hello, world") == 0);
    CHECK(text[0] == 'h' && 'o' == text[4] && text[0] < text[1] + 10);
    (void)a[0];
    a[MYTHREAD], d[MYTHREAD];
    return a[MYTHREAD] - 3;
}

// Static initialisers that are addresses of shared objects: scalars, elements, members, casts, arrays and
// structures of pointers, static locals.
//: clause 6.5.2.1 p6
//: clause 6.5.2.1 p7
#include "../../check.h"

shared int scalar;
shared int c[4 * THREADS];
shared[3] double b[9 * THREADS];
shared[] char s[10];
shared struct pair {
    int x, y;
} pair;

shared int *p_scalar = &scalar;
shared int *p_array = c;
shared int *p_element = &c[2];
shared[3] double *p_block = b + 4;
shared[] char *p_solid = &s[3];
shared void *p_void = &b[5];
shared int *p_null = 0;
shared[] int *p_member = &pair.y;
shared int *table[3] = {&c[1], 0, &scalar};
struct {
    int n;
    shared[3] double *p;
    shared void *v;
} record = {5, &b[7], &pair};
static shared int *const constant = &c[3];

static shared int *counting(void) {
    static shared int *at = &c[0];
    return at++;
}

int main(void) {
    CHECK(p_scalar == &scalar && p_array == &c[0] && p_element == &c[2]);
    CHECK(p_block == &b[4] && p_solid == &s[3] && p_void == &b[5]);
    CHECK_EQ(upc_phaseof(p_block), 1);
    CHECK_EQ(upc_phaseof(p_void), 2);
    CHECK_EQ(upc_threadof(p_block), 1 % THREADS);
    CHECK(p_null == NULL && p_member == &pair.y);
    CHECK(table[0] == &c[1] && table[1] == NULL && table[2] == &scalar);
    CHECK(record.n == 5 && record.p == &b[7] && record.v == &pair);
    CHECK_EQ(upc_phaseof(record.p), 1);
    CHECK(constant == &c[3]);
    for (int i = 0; i < 4; i++)
        CHECK(counting() == &c[i]);
    return 0;
}

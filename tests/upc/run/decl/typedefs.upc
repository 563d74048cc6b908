// shared through typedefs of types, of arrays, of pointers, with the layout at any level.
//: clause 6.5.2.1 p11
//: clause 6.5.1.1 p11
#include "../../check.h"

typedef shared int counter;
typedef shared[5] double block5;
typedef int S[10];
typedef shared int matrix[THREADS][4];
typedef shared[] char *text;
typedef shared int *cursor;
typedef shared struct {
    int x, y;
} spoint;
typedef int plain;

counter c;
block5 d[10 * THREADS];
shared[3] S T[3 * THREADS];
matrix m;
spoint p;
shared plain q[THREADS];
shared text ring[THREADS];
cursor at[3];
static shared[2] S inner[THREADS];

int main(void) {
    CHECK_EQ(upc_blocksizeof(d), 5);
    CHECK_EQ(upc_blocksizeof(T), 3);
    CHECK_EQ(upc_elemsizeof(T), sizeof(int));
    CHECK_EQ(upc_blocksizeof(m), 1);
    for (int i = 0; i < 3 * THREADS; i++)
        for (int j = 0; j < 10; j++)
            CHECK_EQ(upc_threadof(&T[i][j]), (10 * i + j) / 3 % THREADS);
    for (int j = 0; j < 4; j++)
        m[MYTHREAD][j] = MYTHREAD * 4 + j;
    q[MYTHREAD] = MYTHREAD;
    ring[MYTHREAD] = upc_alloc(8);
    ring[MYTHREAD][7] = 'a' + MYTHREAD;
    at[1] = &q[MYTHREAD];
    if (MYTHREAD == 0) {
        c = 4;
        p.x = 1;
        p.y = 2;
    }
    upc_barrier;
    CHECK_EQ(c + p.x + p.y, 7);
    for (int t = 0; t < THREADS; t++) {
        CHECK_EQ(m[t][3], t * 4 + 3);
        CHECK_EQ(q[t], t);
        CHECK_EQ(ring[t][7], 'a' + t);
        CHECK_EQ(upc_threadof(ring[t]), t);
        CHECK_EQ(upc_threadof(&ring[t]), t);
    }
    CHECK_EQ(*at[1], MYTHREAD);
    CHECK_EQ(upc_threadof(&inner[0][2]), 1 % THREADS);
    return 0;
}

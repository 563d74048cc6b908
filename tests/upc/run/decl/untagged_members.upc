// Structs without a tag, of members, objects and typedefs: they are copied to and from shared memory whole.
#include "../../check.h"

struct outer {
    struct {
        int first, second;
    } inner;
    struct {
        double value;
        union {
            long whole;
            char bytes[8];
        } either;
    } list[3];
    union {
        struct {
            short high, low;
        } halves;
        int both;
    };
};
shared struct outer there[THREADS];
struct outer here;

// Attributes come between the members and the name, even if there are no members.
struct aligned {
    char before;
    struct {
    } __attribute__((aligned(8))) none;
    struct {
        int here;
    } __attribute__((aligned(8))) some;
};
shared struct aligned lines[THREADS];

// One declaration that defines the structs and declares the shared object.
shared struct deep {
    struct {
        shared int *target;
        struct {
            int number;
            struct {
                shared [2] int *blocked;
            } last;
        } below;
        struct {
            int number;
        } beside[2];
    } top;
} deepest;

// An object's struct, known by typeof only; a struct that is known by an array of it, or by a pointer to it.
struct {
    int x, y;
} point = {3, 4};
shared __typeof__(point) points[THREADS];
typedef struct {
    int cell;
} row[2];
shared row rows[THREADS];
typedef struct {
    int cell;
} plain, *link;
shared plain plains[THREADS];

shared int counted;
shared [2] int pairs[2 * THREADS];

int main(void) {
    here.inner.first = 10 + MYTHREAD;
    here.inner.second = 20;
    here.list[2].value = 0.5;
    here.list[2].either.whole = 77;
    here.halves.low = 5;
    there[MYTHREAD].inner = here.inner;
    there[MYTHREAD].list[1] = here.list[2];
    there[MYTHREAD].list[0].either = here.list[2].either;
    there[MYTHREAD].halves = here.halves;
    points[MYTHREAD] = point;
    row cells = {{8}, {9}};
    rows[MYTHREAD][1] = cells[MYTHREAD & 1];
    plain one = {6};
    link to = &one;
    plains[MYTHREAD] = *to;
    if (MYTHREAD == 0) {
        deepest.top.target = &counted;
        deepest.top.below.number = 11;
        deepest.top.below.last.blocked = &pairs[1];
        deepest.top.beside[1].number = 12;
    }
    upc_barrier;
    int next = (MYTHREAD + 1) % THREADS;
    struct outer got = {0};
    got.inner = there[next].inner;
    got.list[2] = there[next].list[1];
    got.list[0].either = there[next].list[0].either;
    got.halves = there[next].halves;
    CHECK_EQ(got.inner.first, 10 + next);
    CHECK_EQ(got.inner.second, 20);
    CHECK(got.list[2].value == 0.5);
    CHECK_EQ(got.list[2].either.whole, 77);
    CHECK_EQ(got.list[0].either.whole, 77);
    CHECK_EQ(got.halves.low, 5);
    __typeof__(point) p = points[next];
    CHECK_EQ(p.x * 10 + p.y, 34);
    cells[0] = rows[next][1];
    CHECK_EQ(cells[0].cell, next & 1 ? 9 : 8);
    *to = plains[next];
    CHECK_EQ(one.cell, 6);
    CHECK(deepest.top.target == &counted);
    CHECK(deepest.top.below.last.blocked == &pairs[1]);
    CHECK_EQ(deepest.top.below.number + deepest.top.beside[1].number, 23);
    __typeof__(deepest.top.below) below = deepest.top.below;
    CHECK_EQ(below.number, 11);
    CHECK_EQ(sizeof(struct { struct { char c[3]; } s; }), 3);
    CHECK_EQ(sizeof(struct aligned), 16);
    lines[MYTHREAD].some.here = MYTHREAD;
    lines[MYTHREAD].none = lines[next].none;
    upc_barrier;
    CHECK_EQ(lines[next].some.here, next);
    return 0;
}

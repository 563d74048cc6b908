// Bit-fields whose layout the C compiler alone knows, of other threads: packed by a pragma and with
// attributes of their own, after members of unknown size, in anonymous structs. Their neighbours stay
// unchanged.
#include <upc.h>
#include <stdbool.h>
#include <string.h>
#include "../../check.h"

#pragma pack(push, 1)
struct packed {
    char before;
    int a : 9 __attribute__((aligned(4)));
    int b : 11;
    __attribute__((packed)) unsigned c : 3;
    char between;
    long d : 37 __attribute__((aligned(2)));
    bool e : 1;
    struct {
        unsigned long f : 64 __attribute__((packed));
        short g : 5;
    };
    const unsigned h : 6;
    char behind;
};
#pragma pack(pop)

struct outer {
    int n;
    struct packed in[2];
};

shared struct packed packed[THREADS];
shared struct outer outer[THREADS];
strict shared struct packed strictly[THREADS];

static int evaluated;
static int once(int i) {
    evaluated++;
    return i;
}

#define TRY(object)                                                                                      \
    do {                                                                                                 \
        (object).before = 1, (object).between = 2, (object).behind = 3;                                  \
        (object).a = -200, (object).b = 1000, (object).c = 5, (object).d = -68000000000;                 \
        (object).e = 7, (object).f = 0xfedcba9876543210, (object).g = -16;                               \
        CHECK((object).a == -200 && (object).b == 1000 && (object).c == 5 && (object).d == -68000000000); \
        CHECK((object).e == 1 && (object).f == 0xfedcba9876543210 && (object).g == -16);                 \
        CHECK(((object).a += 100) == -100 && (object).b++ == 1000 && --(object).c == 4);                 \
        CHECK(((object).d /= 2) == -34000000000 && ((object).e ^= 1) == 0 && ((object).f >>= 60) == 15); \
        CHECK((object).a == -100 && (object).b == 1001 && (object).c == 4 && (object).d == -34000000000); \
        CHECK((object).e == 0 && (object).f == 15 && (object).g == -16 && (object).h == 0);              \
        CHECK((object).before == 1 && (object).between == 2 && (object).behind == 3);                    \
    } while (0)

int main(void) {
    int right = (MYTHREAD + 1) % THREADS;
    TRY(packed[right]);
    TRY(outer[right].in[1]);
    TRY(strictly[right]);
    shared struct packed *p = &packed[right];
    p->b = 0;
    p[once(0)].b += 9;
    CHECK(p->b == 9 && evaluated == 1);
    upc_barrier;
    // The owner's C compiler finds the values at the same places.
    struct packed mine = packed[MYTHREAD], *own = (struct packed *)&outer[MYTHREAD].in[1];
    CHECK(mine.a == -100 && mine.b == 9 && mine.c == 4 && mine.d == -34000000000 && mine.f == 15 && mine.g == -16);
    CHECK(own->a == -100 && own->b == 1001 && own->c == 4 && own->d == -34000000000 && own->f == 15);
    return 0;
}

// Members of unions lie at one place: a read by one member sees a write by another, for any assumption of
// C compilers on different types. By pointers, in arrays, anonymous unions, nested structs and bit-fields.
//: clause 6.5.1.1 p19
#include "../../check.h"

union word {
    int whole;
    float real;
    struct {
        short low, high;
    } half;
    struct {
        unsigned a : 4, b : 12, c : 16;
    } fields;
    struct {
        unsigned char at[4];
    } bytes;
};
struct holder {
    long before;
    union word inner;
    union {
        double number;
        long bits;
    };
};
shared union word words[THREADS];
shared struct holder holders[2 * THREADS];
shared [] union word *mine;

enum kind { NONE, SOME = 0x3f800000, MORE = 0x40000000 };
struct tagged {
    int before;
    union {
        enum kind kind;
        float real;
        volatile enum kind seen;
    };
};
shared struct tagged tagged[THREADS];

/* gcc ignores the attribute that lets an enum's type alias, with a warning. */
static enum kind of_enum(shared struct tagged *p, shared struct tagged *q) {
    p->kind = MORE;
    q->real = 1;
    q->before = p->seen == SOME;
    return p->kind;
}

static void one(shared union word *p) {
    p->whole = 0x00020001;
    p->half.high++;
    p->whole -= 1;
    CHECK_EQ(p->whole, 0x00030000);
    p->fields.c += 2;
    p->half.low = 7;
    CHECK_EQ(p->whole, 0x00050007);
    p->bytes.at[3] = 1;
    p->half.high = (short)(p->half.high + 1);
    CHECK_EQ(p->fields.c, 0x0106u);
    p->real = 1;
    CHECK_EQ(p->whole, 0x3f800000);
    p->whole = 0x40000000;
    CHECK(p->real == 2);
}

int main(void) {
    one(&words[MYTHREAD]);
    words[MYTHREAD].whole = 5;
    words[MYTHREAD].half.low++;
    CHECK_EQ(words[MYTHREAD].whole, 6);
    mine = upc_alloc(3 * sizeof *mine);
    for (int i = 0; i < 3; i++)
        one((shared union word *)&mine[i]);
    mine[2].whole = 1;
    mine[2].half.high = 2;
    CHECK_EQ(mine[2].whole, 0x00020001);
    for (int i = MYTHREAD; i < 2 * THREADS; i += THREADS) {
        holders[i].inner.whole = i;
        holders[i].inner.half.high++;
        holders[i].number = 1;
        holders[i].bits++;
        CHECK_EQ(holders[i].inner.whole, i + 0x10000);
        CHECK_EQ(holders[i].bits, 0x3ff0000000000001);
        holders[i].bits = 0x4000000000000000;
        CHECK(holders[i].number == 2);
    }
    upc_barrier;
    /* The next thread's unions, by the same names. */
    one(&words[(MYTHREAD + 1) % THREADS]);
    upc_barrier;
    shared struct tagged *next = &tagged[(MYTHREAD + 1) % THREADS];
    CHECK_EQ(of_enum(next, next), SOME);
    CHECK_EQ(next->before, 1);
    upc_free(mine);
    return 0;
}

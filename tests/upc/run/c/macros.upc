// shared and the statements of UPC through macros, with empty and variadic arguments, pasted names.
//: clause 6.7.1 p1
#include "../../check.h"

#define SHARED shared
#define BLOCKED(n) shared[n]
#define FORALL(i, n, a) upc_forall(int i = 0; i < (n); i++; &(a)[i])
#define SYNC upc_barrier
#define strict_name strict
#define FIELD(s, ...) (s).__VA_ARGS__
#define PASTE(a, b) a##b
#define STR(x) #x
#define relaxed_pragma _Pragma("upc relaxed")
relaxed_pragma
SHARED int PASTE(va, lue)[THREADS];
BLOCKED(4) struct {
    int x;
} b[4 * THREADS];
strict_name SHARED int s;

int main(void) {
    FORALL(k, THREADS, value) value[k] = k;
    FORALL(k, 4 * THREADS, b) FIELD(b[k], x) = k;
    SYNC;
    for (int i = 0; i < 4 * THREADS; i++)
        CHECK_EQ(FIELD(b[i], x), i);
    CHECK_EQ(value[THREADS - 1], THREADS - 1);
    SYNC 3;
    CHECK(sizeof(STR(shared [4] int)) == 15);
    CHECK(s == 0);
    return 0;
}

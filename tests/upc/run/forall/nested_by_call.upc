// A upc_forall reached through a function call is nested too, through recursion and pointers as well, and
// counts alone again when it is called from outside.
//: clause 6.6.2 p10
#include "../../check.h"

static int callee(void) {
    int runs = 0;
    upc_forall(int j = 0; j < 6; j++; j) runs++;
    return runs;
}
static int deeper(int n) { return n ? deeper(n - 1) : callee(); }
static int early(int n) {
    int runs = 0;
    upc_forall(int j = 0; j < 6; j++; continue) {
        int (*f)(void) = callee;
        runs += f();
    }
    return runs;
}

int main(void) {
    int alone = 6 / THREADS + (6 % THREADS > MYTHREAD);
    CHECK_EQ(callee(), alone);
    upc_forall(int i = 0; i < 3 * THREADS; i++; i) {
        CHECK_EQ(callee(), 6);
        CHECK_EQ(deeper(3), 6);
        CHECK_EQ(early(0), 36);
    }
    CHECK_EQ(callee(), alone);
    upc_forall(int i = 0; i < 2; i++; continue) CHECK_EQ(callee(), alone);
    CHECK_EQ(early(0), 6 * alone);
    return 0;
}

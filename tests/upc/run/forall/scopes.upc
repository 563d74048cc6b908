// Names declared in the first clause live in the loop only; bodies have blocks, labels and statics; loops in
// the branches of if and in switch; upc_forall as the body of other statements.
//: clause 6.6.2 p2
#include "../../check.h"

int main(void) {
    int i = 42, n = 0;
    upc_forall(int i = 0; i < THREADS; i++; i) {
        int i = 1;
        n += i;
    }
    CHECK_EQ(i, 42);
    CHECK_EQ(n, 1);
    if (n)
        upc_forall(int i = 0; i < THREADS; i++; i) n++;
    else
        n = 100;
    CHECK_EQ(n, 2);
    switch (n) {
    case 2: upc_forall(int k = 0; k < 2 * THREADS; k++; k) n += 1;
    }
    CHECK_EQ(n, 4);
    do
        upc_forall(i = 0; i < THREADS; i++; i) n--;
    while (n > 0);
    CHECK_EQ(n, 0);
label:
    upc_forall(i = 0; i < THREADS; i++; i) {
        static int calls;
        goto inside;
        n = 1000;
    inside:
        calls++;
        n += calls;
    }
    if (n < 3)
        goto label;
    CHECK_EQ(n, 3);
    return 0;
}

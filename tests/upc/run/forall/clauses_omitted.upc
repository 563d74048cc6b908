// The first three clauses may each be missing; a body may be empty.
//: clause 6.6.2 p2
//: clause 6.6.2 p11
#include "../../check.h"

int main(void) {
    int i = 0, runs = 0;
    upc_forall(; i < 20; i++; i) runs++;
    CHECK_EQ(i, 20);
    CHECK_EQ(runs, 20 / THREADS + (20 % THREADS > MYTHREAD));
    upc_forall(i = 0; i++ < 20;; i) runs--;
    CHECK_EQ(i, 21);
    int wanted = 20 / THREADS + (20 % THREADS > MYTHREAD);
    for (int j = 1; j <= 20; j++)
        wanted -= j % THREADS == MYTHREAD;
    CHECK_EQ(runs, wanted);
    upc_forall(i = 0; i < 5; i++; i);
    CHECK_EQ(i, 5);
    upc_forall(i = 0; i < 5; i++; i) {}
    CHECK_EQ(i, 5);
    return 0;
}

// Shared objects declared static inside functions: one for all threads, one for each function and block.
//: clause 6.5.2 p8
//: clause 6.5.2 p9
#include "../../check.h"

static shared int *first(void) {
    static shared int value;
    return &value;
}
static shared int *second(int inner) {
    static shared int value;
    if (inner) {
        static shared int value;
        return &value;
    }
    return &value;
}
static shared[2] long *array(void) {
    static shared[2] long values[2 * THREADS];
    return values;
}
static int private_count(void) {
    static int count;
    return ++count;
}

int main(void) {
    CHECK(first() != second(0) && second(0) != second(1) && first() != second(1));
    array()[2 * MYTHREAD + 1] = MYTHREAD;
    if (MYTHREAD == 0) {
        *first() = 1;
        *second(0) = 2;
        *second(1) = 3;
    }
    upc_barrier;
    CHECK_EQ(*first() * 100 + *second(0) * 10 + *second(1), 123);
    for (int t = 0; t < THREADS; t++)
        CHECK_EQ(array()[2 * t + 1], t);
    CHECK_EQ(private_count() + private_count(), 3); /* a private static is each thread's own */
    {
        extern shared int elsewhere;
        elsewhere = 0;
        upc_barrier;
        if (MYTHREAD == THREADS - 1)
            elsewhere = 9;
        upc_barrier;
        CHECK_EQ(elsewhere, 9);
    }
    return 0;
}
shared int elsewhere;

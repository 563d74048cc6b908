// Pragmas at file scope and in blocks: here the strict parts make a store-buffering test hold.
//: clause 6.7.1 p1
//: clause 6.7.1 p2
//: clause 6.7.1 p3
//: clause 6.7.1 p4
//: threads 2 4
#include <upc.h>
#include "delay.h"
#include "../../check.h"

shared int x[THREADS], r[THREADS];

static void with_block(int partner) {
    x[MYTHREAD] = 0;
    upc_barrier;
    delay(partner);
    {
#pragma upc strict
        x[MYTHREAD] = 1;
        r[MYTHREAD] = x[partner];
    }
    x[MYTHREAD] = 1;
}

#pragma upc strict
static void with_file_scope(int partner) {
    x[MYTHREAD] = 0;
    upc_barrier;
    {
#pragma upc relaxed
        delay(partner);
        {
#pragma upc strict
            x[MYTHREAD] = 1;
            r[MYTHREAD] = x[partner];
        }
    }
}
#pragma upc relaxed

int main(void) {
#pragma upc relaxed
    int partner = MYTHREAD ^ 1;
    for (int round = 0; round < 500; round++) {
        with_block(partner);
        upc_barrier;
        CHECK(r[MYTHREAD] + r[partner] >= 1);
        upc_barrier;
        with_file_scope(partner);
        upc_barrier;
        CHECK(r[MYTHREAD] + r[partner] >= 1);
        upc_barrier;
    }
    return 0;
}

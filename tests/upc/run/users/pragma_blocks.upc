// #pragma upc at file scope and within blocks: a ticket lock whose flags are strict in the blocks with
// the pragma, around relaxed updates of a list of counters.
//: clause 6.7.1 p3
#include <upc.h>
#include <stdint.h>
#include <stdio.h>
#include <upc_atomic.h>
#pragma upc relaxed

#define TURNS 25
shared long serving;
shared[] long counters[5];
shared int64_t ticket_source;
static upc_atomicdomain_t *domain;

static long draw(void) {
    int64_t got = 0, one = 1;
    upc_atomic_relaxed(domain, &got, UPC_ADD, &ticket_source, &one, NULL);
    return got;
}

static void enter(long ticket) {
    {
#pragma upc strict
        while (serving != ticket)
            ;
    }
}

static void leave(void) {
    {
#pragma upc strict
        long now = serving;
        serving = now + 1;
    }
}

int main(void) {
    domain = upc_all_atomicdomain_alloc(UPC_INT64, UPC_ADD | UPC_GET, 0);
    for (int turn = 0; turn < TURNS; turn++) {
        long ticket = draw();
        enter(ticket);
        for (int k = 0; k < 5; k++) {
            long value = counters[k];
            counters[k] = value + k + 1;
        }
        leave();
    }
    upc_barrier;
    for (int k = 0; k < 5; k++)
        if (counters[k] != (long)TURNS * THREADS * (k + 1)) {
            printf("thread %d: counter %d is %ld\n", MYTHREAD, k, counters[k]);
            return 1;
        }
    if (serving != (long)TURNS * THREADS)
        return 2;
    upc_all_atomicdomain_free(domain);
    return 0;
}

// Strict atomic operations order the accesses around them: store buffering and message passing, with each
// operation in the part of the fence.
//: clause 7.6.4.3 p10
#include <upc_atomic.h>
#include <upc_relaxed.h>
#include "../../check.h"

#define ROUNDS 150

shared int flags[2][64 * THREADS];
shared[] int seen[2];
shared int data[THREADS * 64];
shared int word;

static const upc_op_t ops[] = {UPC_GET, UPC_SET, UPC_CSWAP, UPC_ADD, UPC_MIN, UPC_XOR, UPC_MULT};

// Thread 0 writes x and reads y, thread 1 the other way round: one of them has to see the other's write if
// the operation between write and read is strict.
static void store_buffering(upc_atomicdomain_t *domain, upc_op_t op) {
    int one = 1, old;
    for (int round = 0; round < ROUNDS; round++) {
        if (MYTHREAD < 2) {
            shared int *mine = &flags[MYTHREAD][0], *theirs = &flags[1 - MYTHREAD][0];
            *mine = round + 1;
            upc_atomic_strict(domain, &old, op, &word, op == UPC_GET ? NULL : &one,
                              op == UPC_CSWAP ? &one : NULL);
            seen[MYTHREAD] = *theirs == round + 1;
        }
        upc_barrier;
        if (THREADS > 1)
            CHECK(seen[0] || seen[1]);
        upc_barrier;
    }
}

// Writes before a strict SET are visible to a thread that sees the flag by a strict GET.
static void message_passing(upc_atomicdomain_t *domain) {
    int got;
    for (int round = 1; round <= ROUNDS; round++) {
        if (MYTHREAD == 0) {
            for (int i = 0; i < 64 * THREADS; i += 17)
                data[i] = round;
            upc_atomic_strict(domain, NULL, UPC_SET, &word, &round, NULL);
        } else {
            do
                upc_atomic_strict(domain, &got, UPC_GET, &word, NULL, NULL);
            while (got != round);
            for (int i = 0; i < 64 * THREADS; i += 17)
                CHECK_EQ(data[i], round);
        }
        upc_barrier;
    }
}

int main(void) {
    upc_op_t all = 0;
    for (int i = 0; i < 7; i++)
        all |= ops[i];
    upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(UPC_INT, all, 0);
    for (int i = 0; i < 7; i++)
        store_buffering(domain, ops[i]);
    if (MYTHREAD == 0)
        word = 0;
    upc_barrier;
    message_passing(domain);
    return 0;
}

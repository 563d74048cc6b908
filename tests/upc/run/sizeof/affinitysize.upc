// upc_affinitysize over all threads adds up to the object, with the thread's share by the layout.
//: clause 7.2.3.5 p1
//: clause 7.2.3.5 p2
//: clause 7.2.3.5 p3
//: clause 7.2.3.5 p4
//: clause 7.2.3.5 p5
#include "../../check.h"

shared[3] int blocked[7 * THREADS];
shared[] int solid[11];

static size_t share(size_t elements, size_t block, size_t thread) {
    size_t sum = 0;
    for (size_t i = 0; i < elements; i++)
        sum += block == 0 ? thread == 0 : i / block % THREADS == thread;
    return sum;
}

int main(void) {
    size_t total = 0;
    for (int t = 0; t < THREADS; t++) {
        size_t part = upc_affinitysize(sizeof blocked, 3 * sizeof(int), t);
        CHECK_EQ(part, share(7 * THREADS, 3, t) * sizeof(int));
        CHECK(part <= upc_localsizeof(blocked));
        total += part;
        CHECK_EQ(upc_affinitysize(sizeof solid, 0, t), t == 0 ? sizeof solid : 0);
        for (size_t blocks = 1; blocks < 12; blocks++)
            CHECK_EQ(upc_affinitysize(blocks * 10, 10, t), 10 * share(blocks, 1, t));
    }
    CHECK_EQ(total, sizeof blocked);
    return 0;
}

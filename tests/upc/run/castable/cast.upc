// upc_cast gives the shared memory of every thread of this host an address in this thread: static, allocated
// in each way, at any element; the owner sees stores through it. Memory of other hosts has no such address.
//: clause 7.7 p1
//: clause 7.7 p2
//: clause 7.7.1 p1
//: clause 7.7.1 p2
//: clause 7.7.2.1 p1
//: clause 7.7.2.1 p2
//: clause 7.7.2.1 p3
//: clause 7.7.2.1 p5
//: clause 7.7.2.1 p6
//: clause 7.7.2.1 p8
//: clause 7.7.2.1 p9
//: clause 7.7.2.2 p1
//: clause 7.7.2.2 p2
//: clause 7.7.2.2 p4
//: clause 7.7.2.2 p5
//: clause 7.7.2.2 p7
//: clause 7.7.2.2 p8
#include "../../check.h"
#include <upc_castable.h>

#if __UPC_CASTABLE__ != 1
#error "the feature macro"
#endif
#if !(UPC_CASTABLE_ALL_ALLOC & UPC_CASTABLE_ALL) || !(UPC_CASTABLE_GLOBAL_ALLOC & UPC_CASTABLE_ALL) || \
    !(UPC_CASTABLE_ALLOC & UPC_CASTABLE_ALL) || !(UPC_CASTABLE_STATIC & UPC_CASTABLE_ALL)
#error "each kind of memory has a bit of its own in UPC_CASTABLE_ALL"
#endif
#if UPC_CASTABLE_ALL_ALLOC & UPC_CASTABLE_GLOBAL_ALLOC || UPC_CASTABLE_ALLOC & UPC_CASTABLE_STATIC
#error "bits are shared"
#endif

shared[3] int cyclic[3 * THREADS];
shared[] double indefinite[5];
shared int *shared given[THREADS];

static int castable(int thread) { return upc_thread_info(thread).guaranteedCastable == UPC_CASTABLE_ALL; }

/* Checks and changes n elements of p with affinity to one thread, through the cast, or directly if
 * there is none. */
static void touch(shared[] int *p, int n, int key) {
    int *local = upc_cast(p);
    if (!castable(upc_threadof(p))) {
        CHECK(local == NULL);
        for (int i = 0; i < n; i++)
            p[i] = key + i;
        return;
    }
    CHECK(local != NULL);
    for (int i = 0; i < n; i++) {
        CHECK(upc_cast(p + i) == local + i);
        local[i] = key + i;
    }
    for (int i = 0; i < n; i++)
        CHECK_EQ(p[i], key + i);
}

int main(void) {
    int right = (MYTHREAD + 1) % THREADS;
    CHECK(upc_cast(NULL) == NULL);
    CHECK(upc_cast(&cyclic[3 * MYTHREAD]) == (void *)&cyclic[3 * MYTHREAD]);
    touch((shared[] int *)&cyclic[3 * right], 3, 100 * MYTHREAD);
    upc_barrier;
    for (int i = 0; i < 3; i++)
        CHECK_EQ(*((int *)&cyclic[3 * MYTHREAD] + i), 100 * ((MYTHREAD + THREADS - 1) % THREADS) + i);
    if (MYTHREAD == 0)
        indefinite[4] = 2.5;
    upc_barrier;
    if (castable(0))
        CHECK(((double *)upc_cast(indefinite))[4] == 2.5);
    else
        CHECK(upc_cast(indefinite) == NULL);

    shared int *all = upc_all_alloc(THREADS, 8 * sizeof(int));
    touch((shared[] int *)&all[right], 8, 7);
    given[MYTHREAD] = upc_global_alloc(THREADS, 4 * sizeof(int));
    touch((shared[] int *)&given[MYTHREAD][right], 4, 9);
    upc_barrier;
    upc_free(given[MYTHREAD]);
    given[MYTHREAD] = upc_alloc(40 * sizeof(int));
    upc_barrier;
    touch((shared[] int *)given[right], 40, MYTHREAD);
    upc_barrier;
    upc_free(given[MYTHREAD]);

    for (size_t t = 0; t < THREADS; t++) {
        upc_thread_info_t info = upc_thread_info(t);
        CHECK((info.guaranteedCastable & ~UPC_CASTABLE_ALL) == 0);
        CHECK((info.probablyCastable & info.guaranteedCastable) == info.guaranteedCastable);
        CHECK(info.guaranteedCastable == UPC_CASTABLE_ALL || info.probablyCastable == 0);
    }
    CHECK(castable(MYTHREAD));
    return 0;
}

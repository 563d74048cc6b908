// continue in the body goes to the next iteration, in nested plain loops to theirs; break leaves a plain
// loop or a switch within the body.
//: clause 6.6.2 p13
#include "../../check.h"

shared int a[40 * THREADS];

int main(void) {
    int i, seen = 0;
    upc_forall(i = 0; i < 40 * THREADS; i++; &a[i]) {
        if (i / THREADS % 2)
            continue;
        a[i] = 1;
        for (int j = 0; j < 5; j++) {
            if (j == 1)
                continue;
            if (j == 3)
                break;
            a[i] += 10;
        }
        switch (i / THREADS % 4) {
        case 0: a[i] += 100; break;
        default: break;
        }
        do {
            if (a[i] > 100)
                continue;
            a[i]++;
        } while (0);
        seen++;
    }
    CHECK_EQ(i, 40 * THREADS);
    CHECK_EQ(seen, 20);
    upc_barrier;
    for (i = 0; i < 40 * THREADS; i++) {
        int row = i / THREADS;
        CHECK_EQ(a[i], row % 2 ? 0 : row % 4 ? 22 : 121);
    }
    upc_forall(i = 0; i < 10; i++; continue) {
        if (i < 9)
            continue;
        seen = -1;
    }
    CHECK_EQ(seen, -1);
    return 0;
}

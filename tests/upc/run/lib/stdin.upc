// Thread 0 reads standard input.
//: stdin 12 30\n
//: threads 1 3
#include "../../check.h"

shared int a, b;

int main(void) {
    if (MYTHREAD == 0) {
        int x = 0, y = 0;
        CHECK_EQ(scanf("%d %d", &x, &y), 2);
        a = x;
        b = y;
    }
    upc_barrier;
    CHECK_EQ(a + b, 42);
    return 0;
}

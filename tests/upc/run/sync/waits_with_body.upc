// Loops that wait for strict objects, or by upc_fence, in every shape: with more threads than cores each turn
// of the ring may need the core of a thread that waits, and is not to take its whole time slice.
//: threads 2 8 12
#include "../../check.h"
#include <upc_relaxed.h>

strict shared int flag[THREADS];
shared int loose[THREADS];

static int read_flag(int i) { return flag[i]; }

static void await(int shape, int turn) {
    int me = MYTHREAD, seen = 0;
    volatile int turns = 0;
    switch (shape) {
    case 0:
        for (;;)
            if (flag[me] >= turn)
                break;
        break;
    case 1:
        do
            seen = flag[me];
        while (seen < turn);
        break;
    case 2:
        while (flag[me] < turn)
            turns++;
        break;
    case 3:
        while (read_flag(me) < turn)
            continue;
        break;
    case 4:
    again:
        if (flag[me] < turn)
            goto again;
        break;
    default:
        while (loose[me] < turn)
            upc_fence;
    }
}

int main(void) {
    int next = (MYTHREAD + 1) % THREADS, turn = 0;
    for (int shape = 0; shape < 6; shape++)
        for (int i = 0; i < 40; i++) {
            turn++;
            if (MYTHREAD == 0) {
                loose[next] = turn;
                flag[next] = turn;
            }
            await(shape, turn);
            if (MYTHREAD != 0) {
                loose[next] = turn;
                flag[next] = turn;
            }
        }
    CHECK_EQ(loose[MYTHREAD], turn);
    // The last rounds waited for the other object, which is written first.
    await(0, turn);
    CHECK_EQ(flag[MYTHREAD], turn);
    return 0;
}

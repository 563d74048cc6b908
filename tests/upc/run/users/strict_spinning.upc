// A token ring, a bounded queue and a turnstile out of strict flags and spinning alone: no barrier
// orders the values that are passed on.
//: clause 6.5.1.1 p9
#include "../../check.h"
#include <upc_relaxed.h>

#define ROUNDS 20
#define SLOTS 4
#define ITEMS 60

strict shared int token[THREADS];
relaxed shared int data[THREADS];
strict shared unsigned head, tail;
shared [] int queue[SLOTS];
strict shared int turn;
shared [] long account;

static void ring(void) {
    int next = (MYTHREAD + 1) % THREADS;
    for (int r = 1; r <= ROUNDS; r++) {
        if (MYTHREAD != 0 || r > 1)
            while (token[MYTHREAD] != r - (MYTHREAD == 0))
                ;
        int before = data[MYTHREAD];
        CHECK_EQ(before, MYTHREAD == 0 ? (r - 1) * THREADS : (r - 1) * THREADS + MYTHREAD);
        data[next] = before + 1;
        token[next] = r;
    }
    if (MYTHREAD == 0)
        while (token[0] != ROUNDS)
            ;
}

static void producer(void) {
    for (unsigned i = 0; i < ITEMS; i++) {
        while (head - tail == SLOTS)
            ;
        queue[head % SLOTS] = (int)(i * i);
        head = head + 1;
    }
}

static void consumer(void) {
    for (unsigned i = 0; i < ITEMS; i++) {
        while (head == tail)
            ;
        CHECK_EQ(queue[tail % SLOTS], i * i);
        tail++;
    }
}

static void turnstile(void) {
    for (int r = 0; r < ROUNDS; r++) {
        while (turn != MYTHREAD)
            ;
        account = account * 3 % 1000003 + MYTHREAD;
        {
#pragma upc strict
            turn = (turn + 1) % THREADS;
        }
    }
}

int main(void) {
    ring();
    upc_barrier 1;
    if (MYTHREAD == 0 && THREADS > 1)
        producer();
    if (MYTHREAD == THREADS - 1 && THREADS > 1)
        consumer();
    upc_barrier 2;
    turnstile();
    upc_barrier 3;
    long wanted = 0;
    for (int r = 0; r < ROUNDS; r++)
        for (int t = 0; t < THREADS; t++)
            wanted = wanted * 3 % 1000003 + t;
    CHECK_EQ(account, wanted);
    CHECK_EQ(data[0], ROUNDS * THREADS);
    return 0;
}

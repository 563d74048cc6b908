// Message passing through a strict flag: after the flag a thread sees the data, relaxed or not, with delays.
//: clause B.3 strict
//: clause 6.5.1.1 p9
//: clause 6.5.1.1 p10
//: threads 2 3 4
#include <upc_relaxed.h>
#include "delay.h"
#include "../../check.h"

#define WORDS 8
shared[WORDS] int data[WORDS * THREADS];
strict shared int flag[THREADS];

int main(void) {
    int left = (MYTHREAD + THREADS - 1) % THREADS;
    for (int r = 1; r <= 2000; r++) {
        delay(r);
        for (int i = 0; i < WORDS; i++)
            data[MYTHREAD * WORDS + i] = r;
        flag[MYTHREAD] = r;
        delay(r + 7);
        int seen = flag[left];
        for (int i = WORDS - 1; i >= 0; i--)
            CHECK(data[left * WORDS + i] >= seen);
    }
    return 0;
}

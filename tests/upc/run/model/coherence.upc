// One location, relaxed: a reader never sees it go back; a thread sees its own last write or a later one.
//: clause B.3 relaxed
//: threads 2 4
#include <upc_relaxed.h>
#include "delay.h"
#include "../../check.h"

shared long counter;
strict shared int done;
shared long own[THREADS];

int main(void) {
    if (MYTHREAD == 0) {
        for (long i = 1; i <= 50000; i++) {
            counter = i;
            if (i % 1000 == 0)
                delay(i);
        }
        done = 1;
    } else {
        long last = 0;
        while (!done) {
            long now = counter;
            CHECK(now >= last);
            last = now;
        }
        CHECK_EQ(counter, 50000);
    }
    for (long i = 0; i < 1000; i++) {
        own[MYTHREAD] = i;
        CHECK_EQ(own[MYTHREAD], i);
        *(shared long *)&own[MYTHREAD] = i + 1;
        CHECK_EQ(own[MYTHREAD], i + 1);
    }
    return 0;
}

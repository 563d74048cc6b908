// Strict by member, through pointers and by cast: the reference's type decides, not the object's.
//: clause 6.5.1.1 p10
//: clause 6.5.1.1 p2
//: threads 2 4
#include <upc_relaxed.h>
#include "delay.h"
#include "../../check.h"

struct mail {
    int body[4];
    int full;
};
shared struct mail boxes[THREADS];

int main(void) {
    int left = (MYTHREAD + THREADS - 1) % THREADS;
    strict shared struct mail *mine = (strict shared struct mail *)&boxes[MYTHREAD];
    strict shared[] int *flag = (strict shared[] int *)&boxes[left].full;
    for (int r = 1; r <= 1000; r++) {
        delay(r);
        for (int i = 0; i < 4; i++)
            boxes[MYTHREAD].body[i] = r;
        mine->full = r;
        int seen = *flag;
        for (int i = 0; i < 4; i++)
            CHECK(boxes[left].body[i] >= seen);
    }
    return 0;
}

#include "queue.h"
int producer(void) {
    for (int i = 1; i <= 4; i++)
        queue_push(MYTHREAD, i);
    return 4;
}

//: clause library 12
//: threads 2
//: mode dynamic
//: expect-err but a queue holds at least 1 item
// A queue that can hold no item.
#include <split-c/split-c.h>

static splitc_queue queue;

int splitc_main(void) {
    queue_init(&queue, &queue, 0, 4);
    return 0;
}

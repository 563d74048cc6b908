//: clause library 12
//: threads 2
//: mode dynamic
//: expect-err there has to be room for one at least
// A queue without room for an item.
#include <split-c/split-c.h>

static splitc_queue queue;

int splitc_main(void) {
    queue_init(&queue, &queue, 0, 4);
    return 0;
}

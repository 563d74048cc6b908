/* Loops of a user's program that wait for shared memory to change: `while (!flag) ;`.
 *
 * The compiler puts mer_spin into the empty body of a loop whose condition reads a shared object.  With a
 * core for each thread it spins first.  After that, or with more threads than cores, it yields the core,
 * because the thread that will change the memory may need it.  It never sleeps, because no thread would know
 * that it has to wake it.  (Loops with a body use mer_fence_turn for that, if they wait for strict objects.)
 * A call also makes the C compiler read a relaxed object anew.  This wait handles active messages like every
 * other wait.
 */
#include <meridian/abi/abi.h>

#include "base/wait.h"

#include <sched.h>

/* The content of struct mer_spin. */
struct spin {
    struct mer_wait wait;
    bool begun;
};
_Static_assert(sizeof(struct spin) <= sizeof(struct mer_spin), "the ABI's struct for a spinning loop");

void mer_spin(struct mer_spin *state) {
    struct spin *s = (struct spin *)state;
    if (!s->begun) {
        mer_wait_begin(&s->wait);
        s->begun = true;
    }
    if (mer_wait_hook)
        mer_wait_hook->poll();
    if (!mer_wait_turn(&s->wait))
        sched_yield();
}

/* Loops of a user's program that wait for shared memory to change: `while (!flag) ;`.
 *
 * The compiler puts mer_spin into the empty body of a loop whose condition reads a shared object.  With a
 * core for each thread it spins; after that, or with more threads than cores, it gives the core away, since
 * the thread that is to change the memory may need it.  It never sleeps: nobody would know whom to wake.
 * (Loops with a body have mer_fence_turn for that, if they wait for strict objects.)
 * Being a call, it also makes the C compiler read a relaxed object anew.  It is a wait like any other, so
 * active messages are handled in it.
 */
#include <meridian/abi.h>

#include "base/wait.h"

#include <sched.h>

/* What struct mer_spin holds. */
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

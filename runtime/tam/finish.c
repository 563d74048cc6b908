/* Waiting for something to do, and the end of a program.
 *
 * When processor 0 has nothing to do it asks all others whether they are idle and no message is under way
 * (wave.h).  If so, the program has ended, or its remaining activations wait for ever.
 */
#include "tam/finish.h"

#include "base/clock.h"
#include "host/job.h"
#include "tam/deadlock.h"
#include "tam/share.h"
#include "tam/wave.h"

#include <unistd.h>

/* Nanoseconds for which a processor that has nothing to do polls for requested values, before it asks for
 * work: more than a round trip takes, within the host and to another. */
#define SOON 3000
#define SOON_FROM_OTHER_HOSTS 60000
/* Nanoseconds for which it then waits for work before it sleeps: several times as long as it takes to fall
 * asleep and to be woken, during which others do work that it could have had. */
#define AWAKE 300000
#define POLLS 200 /* of processor 0 for work, from one question whether all has ended to the next */

/* Returns this processor's answer to the question whether the program has ended. */
static struct tam_counts answer(unsigned state, uint64_t collection) {
    (void)state;
    (void)collection;
    return (struct tam_counts){tam.messages.sent, tam.messages.received, tam.readers.waiting, tam.frames.live,
                               tam.finish.busy || tam.queue.head || tam.items.first};
}

static void on_probe(struct mer_am_message *m) {
    tam_wave_reply(m, answer((unsigned)m->args[0], m->args[1]));
}

static void on_halt(struct mer_am_message *m) {
    (void)m;
    tam.finish.halted = true;
}

static bool has_to_do(void) { return tam.queue.head || tam.items.first || tam.collection.due; }

/* Polls for so long.  Returns whether there is something to do, or the program has ended. */
static bool comes_within(uint64_t ns) {
    if (mer_here.oversubscribed)
        return false;
    uint64_t until = 0, now = 0;
    do {
        for (int polls = 0; polls < 32; polls++)
            if (mer_am_poll() && has_to_do())
                return true;
        now = mer_clock_ns();
        if (!until)
            until = now + ns;
    } while (!tam.finish.halted && now < until);
    return tam.finish.halted;
}

/* Returns whether something to do comes soon.  Mostly that is the answer to a read, and the questions of an
 * idle processor must not delay the thread that waits for it. */
static bool comes_soon(void) {
    return comes_within(tam.processors == mer_job.here ? SOON : SOON_FROM_OTHER_HOSTS);
}

void tam_finish_wait(void) {
    tam.finish.busy = false;
    if (tam.processors > 1 && comes_soon()) {
        tam.finish.busy = true;
        return;
    }
    if (tam.me != 0) {
        tam_share_ask();
        if (!comes_within(AWAKE))
            MER_AM_WAIT_UNTIL(tam.finish.halted || has_to_do());
        tam.finish.busy = true;
        return;
    }
    if (tam.processors > 1)
        tam_share_ask();
    struct tam_counts end = answer(0, 0);
    const struct tam_question question = {tam.finish.h_probe, answer, 0, 0};
    unsigned pause = 20;
    while (tam.processors > 1 && !tam_wave_quiet(question, &end)) {
        if (has_to_do()) {
            tam.finish.busy = true;
            return;
        }
        /* The others compute, and soon send activations that they can give away. */
        for (int polls = 0; polls < POLLS && !has_to_do(); polls++)
            mer_am_poll();
        if (!has_to_do())
            usleep(pause);
        pause = pause < 500 ? 2 * pause : pause;
        mer_am_poll();
    }
    if (end.waiting > 0 || end.frames > 0)
        tam_deadlock(end.waiting);
    tam.finish.halted = true;
    for (int p = 1; p < tam.processors; p++)
        MER_AM_REQUEST(p, tam.finish.h_halt, 0);
}

void tam_finish_register(void) {
    tam.finish.h_halt = mer_am_register(on_halt);
    tam.finish.h_probe = mer_am_register(on_probe);
}

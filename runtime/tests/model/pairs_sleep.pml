/* Pairs of words and the sleep of the progress thread (transport/pairs.h) with a fence by the kernel for
 * both: the thread's count waits in the buffer of its core, and reaches memory after any delay, or when the
 * progress thread's membarrier makes it. Checked: all pairs are taken; the progress thread never sleeps for
 * ever.
 *
 * faults: WITHOUT_FENCE WITHOUT_LOOK */
#define PAIRS 3

byte count = 0;                 /* in memory */
chan buffer = [4] of { byte };  /* of the thread's core */
byte taken = 0;
bit asleep = 0, alarm = 0, lock = 0;

inline reach_memory() { buffer ? count }
inline enter() { atomic { lock == 0 -> lock = 1 } }
inline leave() { lock = 0 }

active proctype core() {
end:
    do
    :: atomic { nempty(buffer) -> reach_memory() }
    od
}

active proctype thread() {
    byte added = 0;
    do
    :: added < PAIRS ->
        added++;
        buffer ! added; /* no fence but the compiler's */
        if
        :: asleep ->
            enter();
            if
            :: asleep -> asleep = 0; alarm = 1
            :: else
            fi;
            leave()
        :: else
        fi
    :: else -> break
    od
}

active proctype progress_thread() {
    bit idle;
    do
    :: taken < PAIRS ->
        enter();
        asleep = 0;
        atomic { idle = (count == taken); taken = count }; /* one load */
        if
        :: idle ->
            asleep = 1;
#ifndef WITHOUT_FENCE
            atomic { do :: nempty(buffer) -> reach_memory() :: empty(buffer) -> break od };
#endif
#ifndef WITHOUT_LOOK
            if
            :: count != taken -> asleep = 0; idle = 0
            :: else
            fi
#endif
        :: else
        fi;
        leave();
        if
        :: idle -> alarm == 1; alarm = 0
        :: else
        fi
    :: else -> break
    od
}

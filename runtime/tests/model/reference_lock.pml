/* The lock of am/progress.c with a fence by the kernel for both: the thread's writes wait in the buffer of
 * its core, in their order, and reach memory after any delay, or when the progress thread's membarrier makes
 * them. Both try to enter TRIES times, and take a message each time that they succeed. Checked: one holder at
 * a time, and each sees the other's last value of the next place.
 *
 * faults: WITHOUT_FENCE */
#define TRIES 3

#define FLAG 0
#define NEXT 1

byte memory[2];       /* the thread's flag; the next place of the ring */
bit progress = 0;     /* the progress thread's flag */
chan buffer = [8] of { byte, byte }; /* of the thread's core: index in `memory', value */
byte inside = 0, taken = 0;          /* ghosts */

inline reach_memory() {
    buffer ? what, value;
    memory[what] = value
}

active proctype core() {
    byte what, value;
end:
    do
    :: atomic { nempty(buffer) -> reach_memory() }
    od
}

active proctype thread() {
    byte tries = 0, own_next = 0;
    do
    :: tries < TRIES ->
        buffer ! FLAG, 1; /* no fence but the compiler's */
        if
        :: progress == 0 ->
            inside++;
            assert(inside == 1);
            if
            :: buffer ?? [NEXT, _] -> skip /* it reads its own last write */
            :: else -> own_next = memory[NEXT]
            fi;
            assert(own_next == taken);
            taken++;
            own_next++;
            buffer ! NEXT, own_next;
            inside--;
            buffer ! FLAG, 0
        :: else ->
            buffer ! FLAG, 0
        fi;
        tries++
    :: else -> break
    od
}

active proctype progress_thread() {
    byte tries = 0, what, value;
    do
    :: tries < TRIES ->
        progress = 1;
#ifndef WITHOUT_FENCE
        atomic { /* membarrier: all writes of the thread reach memory */
            do
            :: nempty(buffer) -> reach_memory()
            :: empty(buffer) -> break
            od
        };
#endif
        if
        :: memory[FLAG] == 0 ->
            inside++;
            assert(inside == 1);
            assert(memory[NEXT] == taken);
            taken++;
            memory[NEXT] = memory[NEXT] + 1;
            inside--;
            progress = 0
        :: else ->
            progress = 0
        fi;
        tries++
    :: else -> break
    od
}

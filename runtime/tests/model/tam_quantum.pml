/* Quanta (tam/schedule.c, tam/frame.c): values arrive at a frame that is idle, ready or running, and post its
 * threads; a quantum takes the posted threads, runs them and their forks, and ends. Each thread runs once,
 * the frame is freed once, after all threads, and no post is lost.
 *
 * Thread 0 waits for both of two arrivals; thread 1 for the third alone; thread 2 for a fork of thread 0 and
 * one of thread 1; thread 3 for the answer to a read that thread 2 sends. Handlers run when the machine calls
 * the runtime; here these places are polls. */
#define ARRIVALS 3

mtype = { IDLE, READY, RUNNING };
mtype state = IDLE;
byte rcv[4], top = 0;  /* the remote continuation vector */
byte lcv[4], ltop = 0; /* the local one */
byte c0 = 2, c2 = 2;   /* entry counts */
byte outstanding = ARRIVALS;
bool queued = false, freed = false, asked = false;
byte ran[4];
bool poll = false; /* handlers may run */
byte come = 0;     /* the arrivals that have come, a bit for each */

inline post(thread) { rcv[top] = thread; top++ }
inline fork(thread) { lcv[ltop] = thread; ltop++ }
inline arrived() {
    if
    :: state == IDLE && top > 0 -> state = READY; assert(!queued); queued = true
    :: else
    fi;
    if
    :: state == IDLE && outstanding == 0 -> assert(!freed); freed = true
    :: else
    fi
}
inline arrive(n) {
    d_step {
        assert(!freed);
        come = come | (1 << n);
        outstanding--;
        if
        :: n < 2 -> c0--; if :: c0 == 0 -> post(0) :: else fi
        :: n == 2 -> post(1)
        :: n == 3 -> post(3)
        fi;
        arrived()
    }
}

active proctype handlers() {
end:
    do
    :: poll && !(come & 1) -> atomic { poll; arrive(0) }
    :: poll && !(come & 2) -> atomic { poll; arrive(1) }
    :: poll && !(come & 4) -> atomic { poll; arrive(2) }
    :: poll && asked && !(come & 8) -> atomic { poll; arrive(3) }
    od
}

inline polls() { poll = true; poll = false }

active proctype machine() {
    byte t;
    do
    :: freed -> break
    :: !freed && !queued -> polls()
    :: queued ->
        queued = false;
        state = RUNNING;
        polls();
        do
        :: ltop == 0 ->
            /* takes the posted threads; no call of the runtime comes between the test and the copy */
            atomic {
                do
                :: top > 0 -> top--; lcv[ltop] = rcv[top]; ltop++
                :: else -> break
                od
            }
            if
            :: ltop == 0 -> break
            :: else
            fi
        :: ltop > 0 ->
            ltop--;
            t = lcv[ltop];
            ran[t]++;
            if
            :: t < 2 -> c2--; if :: c2 == 0 -> fork(2) :: else fi
            :: t == 2 -> outstanding++; asked = true
            :: else
            fi;
            if
            :: polls() /* a send or a read */
            :: skip
            fi
        od;
        atomic {
            state = IDLE;
            arrived()
        }
    od;
    assert(ran[0] == 1 && ran[1] == 1 && ran[2] == 1 && ran[3] == 1);
    assert(top == 0 && outstanding == 0 && !queued)
}

/* Setting up the connection of two threads (conduit/tcp/calls.c): each may call the other, at the same time
 * or not, and each end's events come in any order: connect, hello, accept, challenge, welcome, confirmation,
 * close, the deadline of an address, and the end of a stranger at any time.  One direction of the network may
 * not work: its calls are never connected.
 *
 * Thread 0 is the first. Connection c is the one that thread c calls by; `caller' is its state at the calling
 * end, `callee' at the other. An end sees that a connection is closed after everything sent before.
 *
 * Checked: the threads end with the same connection, open at both ends; neither a second connection nor one
 * that has given way is ever welcomed; a hello is refused only if there is a connection, or, if it is the
 * second thread's, if the first thread's call has been shown, so that the two do not refuse each other for
 * ever; a deadline passes only for a call that is under way.
 * faults: BOTH_GIVE_WAY NEITHER_GIVES_WAY UNSEEN_STAYS PAUSING_STAYS DEADLINE_STAYS DROPPED_GIVES_UP */
#define DROPS 2     /* strangers dropped at each end, at most */
#define ADDRESSES 2 /* each of which may pass its deadline once */

mtype = { IDLE, CALLING, CALLED, SHOWN, PAUSING, OPEN, ENDED, NOBODY, STRANGER, WELCOMED, CLOSED }

mtype caller[2] = IDLE;
mtype callee[2] = NOBODY;
bool connects[2];             /* the direction works */
bool challenge[2], hello[2], welcome[2], confirmation[2]; /* under way, or not yet read */
bool closed[2];               /* by the callee */
bool gone[2];                 /* by the caller, which has given way */
bool deadline[2];             /* the call has one */
byte drops[2] = DROPS;        /* by connection */
byte addresses[2] = ADDRESSES;

#define HAS(i) (caller[i] == OPEN || callee[1 - (i)] == WELCOMED || callee[1 - (i)] == OPEN)
#define UNSEEN(i) (caller[i] == CALLING || caller[i] == PAUSING)
#define SEEN(i) (caller[i] == CALLED || caller[i] == SHOWN)

inline forget(c) { challenge[c] = false; hello[c] = false; welcome[c] = false; closed[c] = false }

/* `yes': the call of thread i gives way to a hello of the other's. */
inline ask(i, yes) {
    yes = caller[i] == IDLE || UNSEEN(i) || (SEEN(i) && i == 1);
#ifdef BOTH_GIVE_WAY
    yes = yes || SEEN(i);
#endif
#ifdef NEITHER_GIVES_WAY
    yes = yes && !SEEN(i);
#endif
#ifdef UNSEEN_STAYS /* the first thread's call wins even if nobody has seen it */
    yes = yes && !(i == 0 && caller[i] == CALLING);
#endif
#ifdef PAUSING_STAYS
    yes = yes && caller[i] != PAUSING;
#endif
}

inline give_way(i) {
    if
    :: caller[i] == IDLE -> skip
    :: else ->
        if
        :: SEEN(i) -> gone[i] = true
        :: else -> skip
        fi;
        caller[i] = ENDED;
#ifndef DEADLINE_STAYS
        deadline[i] = false
#endif
    fi
}

inline drop(c) { closed[c] = true; callee[c] = CLOSED }

proctype thread(byte i) {
    byte p = 1 - i;
    bool yes;
end:
    do
    /* the caller */
    :: atomic { caller[i] == IDLE && !HAS(i) -> caller[i] = CALLING; deadline[i] = true }
    :: atomic { caller[i] == CALLING && connects[i] -> caller[i] = CALLED; hello[i] = true;
            deadline[i] = false }
    :: atomic { deadline[i] && addresses[i] > 0 && !connects[i] ->
            assert(caller[i] == CALLING); addresses[i]-- } /* and the next address is called */
    :: atomic { caller[i] == CALLED && challenge[i] -> challenge[i] = false; caller[i] = SHOWN }
    :: atomic { caller[i] == SHOWN && welcome[i] -> welcome[i] = false; confirmation[i] = true;
            caller[i] = OPEN }
    :: atomic { caller[i] == SHOWN && closed[i] && !welcome[i] -> forget(i); callee[i] = NOBODY;
#ifdef DROPPED_GIVES_UP
            caller[i] = ENDED
#else
            caller[i] = PAUSING
#endif
        }
    :: atomic { caller[i] == PAUSING -> caller[i] = CALLING; deadline[i] = true }
    /* the callee of the other's connection */
    :: atomic { callee[p] == NOBODY && (SEEN(p) || gone[p]) -> callee[p] = STRANGER; challenge[p] = true }
    :: atomic { callee[p] == STRANGER && drops[p] > 0 -> drops[p]--; drop(p) }
    :: atomic { callee[p] == STRANGER && hello[p] -> hello[p] = false; ask(i, yes);
            if
            :: yes ->
                assert(callee[i] != WELCOMED && callee[i] != OPEN && caller[i] != OPEN && !gone[p]);
                give_way(i); welcome[p] = true; callee[p] = WELCOMED
            :: else -> assert(HAS(i) || (p == 1 && SEEN(i))); drop(p)
            fi;
            yes = false }
    :: atomic { callee[p] == WELCOMED && confirmation[p] -> confirmation[p] = false; callee[p] = OPEN }
    :: atomic { callee[p] == STRANGER && gone[p] && !hello[p] -> callee[p] = CLOSED }
    :: atomic { (caller[i] == OPEN && callee[i] == OPEN) || (callee[p] == OPEN && caller[p] == OPEN) ->
            break }
    od
}

/* Blocks until the ends can do nothing more, and checks that they share one open connection. */
proctype watch() {
    timeout;
    assert((caller[0] == OPEN && callee[0] == OPEN) != (caller[1] == OPEN && callee[1] == OPEN));
    assert(!deadline[0] && !deadline[1])
}

init {
    atomic {
        if
        :: connects[0] = true; connects[1] = true
        :: connects[0] = true
        :: connects[1] = true
        fi;
        run thread(0);
        run thread(1);
        run watch()
    }
}

/* The biased lock of a host's objects of atomics (dialect/upc/atomic_bias.c): the UPC thread adds by a load
 * and a store while it holds the lock, the progress thread by locked instructions after it has revoked the
 * bias.  The stores of the UPC thread wait in the buffer of its core, in order, until a locked instruction of
 * its own or the progress thread's membarrier makes them reach memory, or any time before.  Checked: no
 * addition is lost; nobody waits for ever.
 *
 * faults: WITHOUT_FENCE WITHOUT_WAIT TAKEN_BACK_UNGUARDED NOT_REVOKED_AGAIN */
#define OWN 4   /* additions of the UPC thread */
#define OTHER 3 /* of the progress thread */

bit held = 0, revoked = 0, guard = 0; /* in memory */
byte object = 0;
mtype = { to_held, to_object };
chan buffer = [4] of { mtype, byte }; /* of the UPC thread's core */
byte waiting = 0, latest = 0;         /* stores to the object in the buffer, and the last one's value */
bit done = 0;

inline reach_memory() {
    d_step {
        if
        :: buffer ? [to_held, _] -> buffer ? to_held, value; held = value
        :: else -> buffer ? to_object, value; object = value; waiting--
        fi
    }
}
inline fence() { atomic { do :: nempty(buffer) -> reach_memory() :: empty(buffer) -> break od } }
inline enter() { atomic { guard == 0 -> guard = 1 } }
inline leave() { guard = 0 }

active proctype core() {
    byte value;
end:
    do
    :: atomic { nempty(buffer) -> reach_memory() }
    od
}

active proctype upc_thread() {
    byte n = 0, value, read;
    do
    :: n < OWN ->
        n++;
        buffer ! to_held, 1; /* no fence but the compiler's */
        if
        :: revoked ->
            buffer ! to_held, 0;
            atomic { fence(); object++ }; /* a locked instruction */
            if
            :: true
            :: true -> /* the UPC thread takes the bias back */
#ifndef TAKEN_BACK_UNGUARDED
                enter();
                fence();
#endif
                revoked = 0;
#ifndef TAKEN_BACK_UNGUARDED
                leave()
#endif
            fi
        :: else ->
            d_step { if :: waiting > 0 -> read = latest :: else -> read = object fi };
            atomic { buffer ! to_object, read + 1; latest = read + 1; waiting++ };
            buffer ! to_held, 0
        fi
    :: else -> break
    od;
    fence();
    done = 1
}

active proctype progress_thread() {
    byte n = 0, value;
#ifdef NOT_REVOKED_AGAIN
    bit once = 0;
#endif
    do
    :: n < OTHER ->
        n++;
        enter();
        if
#ifdef NOT_REVOKED_AGAIN
        :: !once ->
            once = 1;
#else
        :: !revoked ->
#endif
            revoked = 1;
#ifndef WITHOUT_FENCE
            fence();
#endif
#ifndef WITHOUT_WAIT
            held == 0
#endif
        :: else
        fi;
        object++; /* a locked instruction */
        leave()
    :: else -> break
    od;
    done;
    assert(object == OWN + OTHER)
}
